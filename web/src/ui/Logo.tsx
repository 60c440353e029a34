interface LogoProps {
  size?: number;
}

/** A loop that returns to its core. */
export function Logo({ size = 24 }: LogoProps) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden focusable="false">
      <rect width="32" height="32" rx="8" fill="#1f1d1a" />
      <path d="M25 16a9 9 0 1 1-3.2-6.9" fill="none" stroke="#e3b944" strokeWidth="3.4" strokeLinecap="round" />
      <circle cx="16" cy="16" r="3.4" fill="#e3b944" />
    </svg>
  );
}

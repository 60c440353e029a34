/** Where to go after signing in: only ever a path of this site. */
export function safeNext(next: string | undefined): string {
  if (!next || !next.startsWith("/") || /^\/[/\\]/.test(next)) return "/";
  if (/^\/sign-in([/?#]|$)/.test(next)) return "/";
  return next;
}

interface QrCodeProps {
  /** `1` is dark. The quiet border is part of it. */
  rows: readonly string[];
  label: string;
  size?: number;
}

/** Dark on light in either color scheme: readers want it so. */
export function QrCode({ rows, label, size = 200 }: QrCodeProps) {
  const dark = rows.flatMap((row, y) => [...row].flatMap((cell, x) => (cell === "1" ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      width={size}
      height={size}
      shapeRendering="crispEdges"
      style={{ borderRadius: 8, maxWidth: "100%", flexShrink: 0 }}
    >
      <rect width="100%" height="100%" fill="#fff" />
      <path d={dark.join("")} fill="#000" />
    </svg>
  );
}

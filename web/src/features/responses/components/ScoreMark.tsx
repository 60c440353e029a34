/** Colours and marks by which raters are told apart, also without colour. */
const COLORS = ["blue", "orange", "teal", "grape", "red", "cyan", "lime", "pink"].map(
  (name) => `light-dark(var(--mantine-color-${name}-8), var(--mantine-color-${name}-4))`,
);
export const MEDIAN_COLOR = "var(--mantine-color-text)";
const OTHERS_COLOR = "var(--mantine-color-dimmed)";

export function colorOf(place: number, hasLine: boolean): string {
  return hasLine ? (COLORS[place % COLORS.length] ?? OTHERS_COLOR) : OTHERS_COLOR;
}

interface ScoreMarkProps {
  place: number;
  hasLine: boolean;
  cx: number;
  cy: number;
}

/** A mark of its own for each rater: circle, square, diamond, triangle, then the same hollow. */
export function ScoreMark({ place, hasLine, cx, cy }: ScoreMarkProps) {
  const color = colorOf(place, hasLine);
  const look = {
    fill: place < 4 || !hasLine ? color : "var(--mantine-color-body)",
    stroke: color,
    strokeWidth: 2,
  };
  if (!hasLine) return <circle cx={cx} cy={cy} r={2.5} fill={color} />;
  switch (place % 4) {
    case 0:
      return <circle cx={cx} cy={cy} r={3.5} {...look} />;
    case 1:
      return <rect x={cx - 3.5} y={cy - 3.5} width={7} height={7} {...look} />;
    case 2:
      return <path d={`M${cx} ${cy - 5}L${cx + 5} ${cy}L${cx} ${cy + 5}L${cx - 5} ${cy}Z`} {...look} />;
    default:
      return <path d={`M${cx} ${cy - 5}L${cx + 5} ${cy + 4}L${cx - 5} ${cy + 4}Z`} {...look} />;
  }
}

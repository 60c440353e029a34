import { Badge, VisuallyHidden } from "@mantine/core";
import { type ScoreVariant, formatScore, scoreBadgeVariant } from "../lib/score";

const LOOK: Record<ScoreVariant, { variant: string; color: string }> = {
  default: { variant: "filled", color: "gold" },
  secondary: { variant: "light", color: "gold" },
  outline: { variant: "outline", color: "gray" },
};

interface ScoreBadgeProps {
  /** 0 to 100; null where there is none. */
  score: number | null;
  /** What is scored, for those who do not see where the badge stands. */
  label?: string;
}

export function ScoreBadge({ score, label = "Score" }: ScoreBadgeProps) {
  if (score === null) return null;
  return (
    <Badge
      {...LOOK[scoreBadgeVariant(score)]}
      title={`${label}: ${formatScore(score)} of 100`}
      miw={38}
      style={{ fontVariantNumeric: "tabular-nums", flex: "none" }}
    >
      <VisuallyHidden>{`${label} `}</VisuallyHidden>
      {formatScore(score)}
      <VisuallyHidden> of 100</VisuallyHidden>
    </Badge>
  );
}

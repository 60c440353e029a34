import { Group, Text } from "@mantine/core";
import type { Raters } from "@/api/types";
import { RatersNote } from "./RatersNote";
import { ScoreBadge } from "./ScoreBadge";
import classes from "./ScoreMeter.module.css";

interface ScoreMeterProps {
  score: number | null;
  /** Who gave it; null or absent where that is not known. */
  raters?: Raters | null;
  /** What the score is, where it is not the latest of these raters. */
  label?: string;
  /** The criteria set that the score is of. */
  set?: string | undefined;
  width?: number;
  /** In a row of a list. */
  short?: boolean;
}

/** A score as a number and as a length, and who gave it; the bar repeats the words and is not read out. */
export function ScoreMeter({ score, set, raters = null, label = raters ? "Latest score" : "Score", width = 96, short = false }: ScoreMeterProps) {
  if (score === null) {
    return (
      <Text span size="xs" c="dimmed">
        No score
      </Text>
    );
  }
  const several = raters !== null && raters.count > 1;
  return (
    <Group gap={10} wrap={short ? "nowrap" : "wrap"} className={short ? classes.short : undefined}>
      {set && (
        <Text span size="xs" c="dimmed" truncate maw={200} title={set}>
          {set}
        </Text>
      )}
      <span className={classes.track} style={{ width }} aria-hidden>
        {several ? (
          <>
            <span className={classes.range} style={{ left: `${raters.min}%`, right: `${100 - raters.max}%` }} />
            <span className={classes.median} style={{ left: `${raters.median}%` }} />
          </>
        ) : (
          <span className={classes.fill} style={{ width: `${score}%` }} />
        )}
      </span>
      <ScoreBadge score={score} label={set ? `${label} of ${set}` : label} />
      {raters && <RatersNote raters={raters} short={short} />}
    </Group>
  );
}

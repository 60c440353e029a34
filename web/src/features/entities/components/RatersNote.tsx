import { VisuallyHidden } from "@mantine/core";
import { ExclamationTriangleIcon } from "@radix-ui/react-icons";
import type { Raters } from "@/api/types";
import { countRaters, describeRaters, formatScore } from "../lib/score";
import classes from "./ScoreMeter.module.css";

interface RatersNoteProps {
  raters: Raters;
  /** In a row of a list: how many and how far apart; the rest on hover. */
  short?: boolean;
}

/** Beside a score: who gave it. That they disagree is seen without colour, and read out. */
export function RatersNote({ raters, short = false }: RatersNoteProps) {
  const alone = raters.count === 1 && !raters.more;
  const range = alone ? "" : `, ${formatScore(raters.min)}–${formatScore(raters.max)}`;
  return (
    <span className={classes.raters} title={describeRaters(raters, true)} data-disagree={raters.disagree || undefined}>
      {raters.disagree && <ExclamationTriangleIcon aria-hidden />}
      <span aria-hidden={short || undefined}>{short ? `${countRaters(raters)}${range}` : describeRaters(raters)}</span>
      {short ? (
        <VisuallyHidden>{describeRaters(raters, true)}</VisuallyHidden>
      ) : (
        raters.disagree && <span>· they disagree</span>
      )}
    </span>
  );
}

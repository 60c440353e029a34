import { Anchor, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Raters } from "@/api/types";
import { ScoreMeter } from "@/features/entities/components/ScoreMeter";
import classes from "./Ranking.module.css";

export interface Ranked {
  id: string;
  title: string;
  /** 0 to 100; null where nobody has scored it. */
  score: number | null;
  /** How many responses say something about it; undefined where that is not known. */
  count: number | undefined;
  /** Who gave the score; null where that is not known. */
  raters?: Raters | null;
}

/** Records in the order of how well they did. Those without a score have no place, and stand at the end. */
export function Ranking({ rows, label }: { rows: readonly Ranked[]; label: string }) {
  const places = placesOf(rows);
  return (
    <ol className={classes.ranking} aria-label={label}>
      {rows.map(({ id, title, score, count, raters = null }, row) => (
        <li key={id} className={classes.ranked}>
          <span className={classes.place} aria-hidden>
            {places[row] ?? "–"}
          </span>
          <Anchor
            size="sm"
            fw={550}
            className={classes.title}
            renderRoot={(props) => <Link to="/records/$id" params={{ id }} {...props} />}
          >
            {title}
          </Anchor>
          <span className={classes.score}>
            <ScoreMeter score={score} raters={raters} label="Mean score" short />
          </span>
          <Text span size="xs" c="dimmed" className={classes.count}>
            {count === undefined ? "" : `${count} ${count === 1 ? "response" : "responses"}`}
          </Text>
        </li>
      ))}
    </ol>
  );
}

/** The same score is the same place: 1, 1, 3; without a score there is none. */
export function placesOf(rows: readonly Pick<Ranked, "score">[]): (number | null)[] {
  const first = new Map<number, number>();
  return rows.map(({ score }, row) => {
    if (score === null) return null;
    const place = first.get(score) ?? row + 1;
    first.set(score, place);
    return place;
  });
}

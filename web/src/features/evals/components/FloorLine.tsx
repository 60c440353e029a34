import { Anchor, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Golden } from "@/api/types";
import { floorDots } from "../lib/floor";
import { FLOOR_LOOK } from "../lib/words";
import { FloorBadge } from "./EvalBadges";
import { OutcomeMark } from "./OutcomeDots";
import classes from "./evals.module.css";

type Floor = Pick<Golden, "floor" | "floorPasses" | "floorRuns"> & { floorRunId?: string | null };

/** How often unchanged replays pass: the word, a dot for each of them, and the run that measured it. */
export function FloorLine({ golden, explains = false }: { golden: Floor; explains?: boolean }) {
  const dots = floorDots(golden);
  return (
    <span className={classes.floorLine}>
      <FloorBadge golden={golden} />
      {dots.length > 0 && (
        <span className={classes.dots} aria-hidden>
          {dots.map((outcome, place) => (
            <OutcomeMark key={place} outcome={outcome} />
          ))}
        </span>
      )}
      {explains && (
        <Text span size="sm" c="dimmed">
          {FLOOR_LOOK[golden.floor ?? "none"].means}.
        </Text>
      )}
      {golden.floorRunId && (
        <Anchor
          size="xs"
          underline="always"
          aria-label="The run that measured its noise floor"
          renderRoot={(props) => <Link to="/admin/agent-review/evals/runs/$id" params={{ id: golden.floorRunId as string }} {...props} />}
        >
          Run
        </Anchor>
      )}
    </span>
  );
}

import { Badge } from "@mantine/core";
import type { EvalRun, Golden } from "@/api/types";
import { FLOOR_LOOK, type GoldenMove, MOVE_LOOK, RUN_STATUS_LOOK, VERDICT_LOOK, type Verdict } from "../lib/words";

interface FloorBadgeProps {
  golden: Pick<Golden, "floor" | "floorPasses" | "floorRuns">;
}

/** How often unchanged replays pass. */
export function FloorBadge({ golden: { floor, floorPasses, floorRuns } }: FloorBadgeProps) {
  const { label, color, sign, means } = FLOOR_LOOK[floor ?? "none"];
  return (
    <Badge component="span" size="sm" color={color} title={means} miw="max-content" leftSection={<span aria-hidden>{sign}</span>}>
      {label}
      {floor !== null && floorRuns !== null && ` ${floorPasses ?? 0} of ${floorRuns}`}
    </Badge>
  );
}

export function VerdictBadge({ verdict, size = "sm" }: { verdict: Verdict; size?: "sm" | "lg" }) {
  const { label, color, sign, means } = VERDICT_LOOK[verdict];
  return (
    <Badge component="span" size={size} color={color} title={means} miw="max-content" leftSection={<span aria-hidden>{sign}</span>}>
      {label}
    </Badge>
  );
}

/** `fall` is how far its pass rate fell; below 0 it rose. */
export function MoveBadge({ change, fall = 0 }: { change: GoldenMove; fall?: number }) {
  const { label, color, means } = MOVE_LOOK[change];
  return (
    <Badge component="span" size="sm" color={color} title={means} miw="max-content">
      {label}
      {change === "flipped" && fall !== 0 && (fall > 0 ? ", lower" : ", higher")}
    </Badge>
  );
}

/** What a run came to, or how it stands while that is not known. */
export function RunBadge({ run, size = "sm" }: { run: Pick<EvalRun, "status" | "verdict">; size?: "sm" | "lg" }) {
  if (run.verdict !== null) return <VerdictBadge verdict={run.verdict} size={size} />;
  const { label, color } = RUN_STATUS_LOOK[run.status];
  return (
    <Badge component="span" size={size} color={color} miw="max-content">
      {label}
    </Badge>
  );
}

import { NativeSelect } from "@mantine/core";
import { formatAbsolute } from "@/ui/time";
import { useArtifactEvalRuns } from "../hooks/useArtifactEvals";
import { RUN_STATUS } from "../lib/runs";

interface RunSelectProps {
  suite: string;
  /** Undefined: the newest. */
  value: string | undefined;
  onChange: (run: string | undefined) => void;
}

/** Nothing until there is a choice. */
export function RunSelect({ suite, value, onChange }: RunSelectProps) {
  const { rows = [] } = useArtifactEvalRuns(suite);
  const [newest, ...older] = rows;
  if (!newest || older.length === 0) return null;
  return (
    <NativeSelect
      aria-label="Which run"
      size="sm"
      value={value ?? newest.id}
      data={rows.map((run) => ({
        value: run.id,
        label: `${formatAbsolute(run.created_at)}, ${run.status === "done" ? `${run.passed} of ${run.done}` : RUN_STATUS[run.status].label.toLowerCase()}`,
      }))}
      onChange={({ currentTarget }) => onChange(currentTarget.value === newest.id ? undefined : currentTarget.value)}
    />
  );
}

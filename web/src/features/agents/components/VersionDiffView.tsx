import { Stack, Text } from "@mantine/core";
import type { AgentConfig } from "@/api/types";
import { type KeyChange, diffVersions, isSame } from "../lib/versionDiff";
import { LineDiff } from "./LineDiff";
import classes from "./agents.module.css";

const listed = new Intl.ListFormat("en", { type: "conjunction" });

interface VersionDiffViewProps {
  /** Null is before the first version. */
  before: AgentConfig | null;
  after: AgentConfig | null;
}

/** What differs between two configurations. */
export function VersionDiffView({ before, after }: VersionDiffViewProps) {
  const diff = diffVersions(before, after);
  if (isSame(diff)) {
    return (
      <Text size="sm" c="dimmed">
        The two are the same.
      </Text>
    );
  }
  const isTextSame = diff.instructions.every(({ kind }) => kind === "same");
  return (
    <Stack gap="md">
      {diff.keys.length > 0 && <KeyTable keys={diff.keys} />}
      {!isTextSame && <LineDiff label="Instructions" lines={diff.instructions} />}
      <Text size="xs" c="dimmed">
        {sameText([...diff.same, ...(isTextSame ? ["Instructions"] : [])])}
      </Text>
    </Stack>
  );
}

function sameText(same: readonly string[]): string {
  return same.length > 0 ? `The same in both: ${listed.format(same)}.` : "Nothing is the same in both.";
}

function KeyTable({ keys }: { keys: readonly KeyChange[] }) {
  return (
    <div className={classes.diff}>
      <table className={classes.keys} aria-label="What changed">
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {keys.map(({ label, before, after }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>{before === null ? "–" : <del>{before}</del>}</td>
              <td>{after === null ? "–" : <ins>{after}</ins>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

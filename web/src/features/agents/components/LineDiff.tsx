import { Group, Text, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { Fragment, useState } from "react";
import { type Line, type LineKind, countChanges, foldUnchanged } from "../lib/lineDiff";
import classes from "./agents.module.css";

const SIGN: Record<LineKind, string> = { same: "", removed: "−", added: "+" };
const SAID: Record<LineKind, string> = { same: "", removed: "Removed: ", added: "Added: " };
const MOST = 500; // lines of a piece at once: a browser draws tens of thousands slowly, and nobody reads them

interface LineDiffProps {
  label: string;
  lines: readonly Line[];
}

/** A text before and after, line by line; what did not change is folded away. */
export function LineDiff({ label, lines }: LineDiffProps) {
  const { removed, added } = countChanges(lines);
  return (
    <div>
      <Group justify="space-between" mb={6}>
        <Text size="sm" fw={550}>
          {label}
        </Text>
        <Text size="xs" c="dimmed">
          {linesText(removed)} removed, {linesText(added)} added
        </Text>
      </Group>
      <div className={classes.diff}>
        <table className={classes.lines} aria-label={label}>
          <colgroup>
            <col className={classes.number} />
            <col className={classes.number} />
            <col className={classes.sign} />
            <col />
          </colgroup>
          <tbody>
            {foldUnchanged(lines).map(({ folded, lines: own }) => (
              <PieceRows key={keyOf(own[0])} folded={folded} lines={own} />
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

function linesText(count: number): string {
  return count === 1 ? "1 line" : `${count.toLocaleString("en")} lines`;
}

function keyOf(line: Line | undefined): string {
  return `${line?.before ?? ""}/${line?.after ?? ""}`;
}

function PieceRows({ folded, lines }: { folded: boolean; lines: readonly Line[] }) {
  const [shown, setShown] = useState(folded ? 0 : MOST);
  const rest = lines.length - shown;
  const what = folded && shown === 0 ? `${linesText(rest)} unchanged: show` : `Show ${linesText(Math.min(rest, MOST))} more`;
  return (
    <Fragment>
      {lines.slice(0, shown).map((line) => (
        <tr key={keyOf(line)} data-kind={line.kind}>
          <td className={classes.number}>{line.before}</td>
          <td className={classes.number}>{line.after}</td>
          <td className={classes.sign} aria-hidden>
            {SIGN[line.kind]}
          </td>
          <td className={classes.text}>
            {SAID[line.kind] && <VisuallyHidden>{SAID[line.kind]}</VisuallyHidden>}
            {line.text}
          </td>
        </tr>
      ))}
      {rest > 0 && (
        <tr className={classes.fold}>
          <td colSpan={4}>
            <UnstyledButton onClick={() => setShown(shown + MOST)}>{what}</UnstyledButton>
          </td>
        </tr>
      )}
    </Fragment>
  );
}

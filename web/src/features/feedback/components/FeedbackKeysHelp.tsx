import { type KeyRow, KeysHelp, KeysHint } from "@/ui/Keys";
import type { ListKeysHelp } from "@/ui/useListKeys";

const TITLE = "Review by keyboard";
const FEW = [
  { keys: ["j", "k"], means: "move" },
  { keys: ["a"], means: "review" },
  { keys: ["x"], means: "select" },
  { keys: ["d"], means: "dismiss" },
  { keys: ["u"], means: "undo" },
];

/** As many as there is room for: the pane of groups is narrow. */
export function FeedbackKeysHint({ isNarrow = false, onClick }: { isNarrow?: boolean; onClick: () => void }) {
  return <KeysHint label="Keys" title={TITLE} rows={isNarrow ? FEW.slice(0, 2) : FEW} onClick={onClick} />;
}

export function FeedbackKeysHelp({ rows, ...help }: ListKeysHelp & { rows: readonly KeyRow[] }) {
  return (
    <KeysHelp
      title={TITLE}
      rows={rows}
      anywhereLabel="Letters work on the whole tab"
      elsewhere="Off: only while the focus is in a list"
      {...help}
    >
      Arrows work while the focus is in a list. Every decision can be undone with u.
    </KeysHelp>
  );
}

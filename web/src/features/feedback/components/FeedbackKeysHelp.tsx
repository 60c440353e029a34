import { type KeyRow, KeysHelp, KeysHint } from "@/ui/Keys";
import type { ListKeysHelp } from "@/ui/useListKeys";

const TITLE = "Review by keyboard";
const FEW = [
  { keys: ["j", "k"], means: "move" },
  { keys: ["x"], means: "select" },
  { keys: ["a"], means: "review" },
  { keys: ["d"], means: "dismiss" },
  { keys: ["u"], means: "undo" },
];

export function FeedbackKeysHint({ onClick }: { onClick: () => void }) {
  return <KeysHint label="Keys" title={TITLE} rows={FEW} onClick={onClick} />;
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

import { KeysHelp, KeysHint } from "@/ui/Keys";
import type { ListKeysHelp } from "@/ui/useListKeys";
import { QUEUE_KEYS } from "../lib/queueKeys";

const TITLE = "Review by keyboard";
const FEW = [
  { keys: ["j", "k"], means: "move" },
  { keys: ["p"], means: "promote" },
  { keys: ["x"], means: "leave out" },
  { keys: ["r"], means: "reject" },
  { keys: ["u"], means: "undo" },
];

export function ReviewQueueHint({ onClick }: { onClick: () => void }) {
  return <KeysHint label="Keys" title={TITLE} rows={FEW} onClick={onClick} />;
}

export function ReviewQueueHelp(props: ListKeysHelp) {
  return (
    <KeysHelp
      title={TITLE}
      rows={QUEUE_KEYS}
      anywhereLabel="Letters work on the whole page"
      elsewhere="Off: only while the focus is in the proposal"
      {...props}
    >
      Arrows work while the focus is in the proposal. A promotion is done at once, and undone with u.
    </KeysHelp>
  );
}

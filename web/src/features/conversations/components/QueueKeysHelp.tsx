import { KeysHelp, KeysHint } from "@/ui/Keys";
import type { ListKeysHelp } from "@/ui/useListKeys";
import { QUEUE_KEYS } from "../lib/queueKeys";

const TITLE = "Settle by keyboard";
const FEW = [
  { keys: ["j", "k"], means: "move" },
  { keys: ["1", "…", "5"], means: "choose" },
  { keys: ["Enter"], means: "settle" },
  { keys: ["u"], means: "undo" },
];

export function QueueKeysHint({ onClick }: { onClick: () => void }) {
  return <KeysHint label={TITLE} rows={FEW} onClick={onClick} />;
}

export function QueueKeysHelp(props: ListKeysHelp) {
  return (
    <KeysHelp
      title={TITLE}
      rows={QUEUE_KEYS}
      anywhereLabel="Letters and digits work on the whole tab"
      elsewhere="Off: only while the focus is in the queue"
      {...props}
    >
      A digit only goes to the answer, and Enter settles it.
    </KeysHelp>
  );
}

import { KeysHelp, KeysHint } from "@/ui/Keys";
import type { ListKeysHelp } from "@/ui/useListKeys";

const TITLE = "Read by keyboard";
const KEYS = [
  { keys: ["j"], means: "Next turn" },
  { keys: ["k"], means: "Previous turn" },
  { keys: ["?"], means: "Show these keys" },
] as const;
const FEW = [{ keys: ["j", "k"], means: "next and previous turn" }];

export function TranscriptKeysHint({ onClick }: { onClick: () => void }) {
  return <KeysHint label={TITLE} rows={FEW} onClick={onClick} />;
}

export function TranscriptKeysHelp(props: ListKeysHelp) {
  return (
    <KeysHelp
      title={TITLE}
      rows={KEYS}
      anywhereLabel="Letters work on the whole page"
      elsewhere="Off: only while the focus is in a turn"
      {...props}
    >
      Tab goes on from a turn to what can be done with it.
    </KeysHelp>
  );
}

import { KeysHelp, KeysHint } from "@/ui/Keys";
import type { ListKeysHelp } from "@/ui/useListKeys";

const LIST_TITLE = "Go through sessions by keyboard";
const LIST_KEYS = [
  { keys: ["j", "↓"], means: "Next session" },
  { keys: ["k", "↑"], means: "Previous session" },
  { keys: ["Enter"], means: "Open it" },
  { keys: ["?"], means: "Show these keys" },
] as const;
const LIST_FEW = [
  { keys: ["j", "k"], means: "next and previous" },
  { keys: ["Enter"], means: "open" },
];

export function SessionListHint({ onClick }: { onClick: () => void }) {
  return <KeysHint label="Keys" title={LIST_TITLE} rows={LIST_FEW} onClick={onClick} />;
}

export function SessionListHelp(props: ListKeysHelp) {
  return (
    <KeysHelp
      title={LIST_TITLE}
      rows={LIST_KEYS}
      anywhereLabel="Letters work on the whole page"
      elsewhere="Off: only while the focus is in the list"
      {...props}
    >
      Arrows work while the focus is in the list.
    </KeysHelp>
  );
}

const STEPS_TITLE = "Read by keyboard";
const STEPS_KEYS = [
  { keys: ["j"], means: "Next step" },
  { keys: ["k"], means: "Previous step" },
  { keys: ["Enter"], means: "Open or fold it" },
  { keys: ["?"], means: "Show these keys" },
] as const;
const STEPS_FEW = [
  { keys: ["j", "k"], means: "move" },
  { keys: ["Enter"], means: "open or fold" },
];

export function StepKeysHint({ onClick }: { onClick: () => void }) {
  return <KeysHint label="Keys" title={STEPS_TITLE} rows={STEPS_FEW} onClick={onClick} />;
}

export function StepKeysHelp(props: ListKeysHelp) {
  return (
    <KeysHelp
      title={STEPS_TITLE}
      rows={STEPS_KEYS}
      anywhereLabel="Letters work on the whole page"
      elsewhere="Off: only while the focus is in a step"
      {...props}
    >
      Tab goes on from a step to what is in it.
    </KeysHelp>
  );
}

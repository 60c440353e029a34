import { Button } from "@mantine/core";
import { KeyboardIcon } from "@radix-ui/react-icons";
import { KeysHelp, KeysHint } from "@/ui/Keys";
import type { ListKeysHelp } from "@/ui/useListKeys";
import { REVIEW_KEYS } from "../lib/reviewKeys";

const TITLE = "Review by keyboard";
const FEW = [
  { keys: ["j", "k"], means: "move" },
  { keys: ["p"], means: "promote" },
  { keys: ["r"], means: "reject" },
];

interface ReviewKeysHintProps {
  /** Whether the keys work wherever the focus is. */
  anywhere: boolean;
  onClick: () => void;
}

export function ReviewKeysHint({ anywhere, onClick }: ReviewKeysHintProps) {
  if (anywhere) return <KeysHint label="Keys" title={TITLE} rows={FEW} onClick={onClick} />;
  return (
    <Button variant="subtle" color="gray" leftSection={<KeyboardIcon />} onClick={onClick}>
      Keys
    </Button>
  );
}

export function ReviewKeysHelp(props: ListKeysHelp) {
  return (
    <KeysHelp
      title={TITLE}
      rows={REVIEW_KEYS}
      anywhereLabel="Letters work on the whole tab"
      elsewhere="Off: only while the focus is in the list"
      {...props}
    >
      {props.anywhere
        ? "Arrows work in the list, letters on the whole tab while nothing is typed and no dialog is open. "
        : "The keys work while the focus is in the list of responses. "}
      In the dialogs, Enter confirms and Escape leaves.
    </KeysHelp>
  );
}

import { KeysHelp, KeysHint } from "@/ui/Keys";
import type { ListKeysHelp } from "@/ui/useListKeys";
import { KNOWLEDGE_KEYS } from "../lib/keys";

const TITLE = "Knowledge by keyboard";
const FEW = [
  { keys: ["j", "k"], means: "move" },
  { keys: ["a"], means: "approve" },
  { keys: ["e"], means: "edit" },
  { keys: ["r"], means: "retire" },
  { keys: ["u"], means: "undo" },
];

/** As many as there is room for. */
export function KnowledgeKeysHint({ isNarrow, onClick }: { isNarrow: boolean; onClick: () => void }) {
  return <KeysHint label="Keys" title={TITLE} rows={isNarrow ? FEW.slice(0, 2) : FEW} onClick={onClick} />;
}

export function KnowledgeKeysHelp(help: ListKeysHelp) {
  return (
    <KeysHelp title={TITLE} rows={KNOWLEDGE_KEYS} anywhereLabel="Letters work on the whole tab" elsewhere="Off: only while the focus is in the list" {...help}>
      Arrows work while the focus is in the list. Every decision can be undone with u; deleting cannot.
    </KeysHelp>
  );
}

import { Code } from "@mantine/core";
import { splitReason } from "../lib/reason";

/** A reason with the names in it set apart. */
export function Reason({ text }: { text: string }) {
  return (
    <>
      {splitReason(text).map(({ text: part, isName }, place) =>
        // A reason never changes; a part's place is all that tells it from another.
        isName ? <Code key={place}>{part}</Code> : part,
      )}
    </>
  );
}

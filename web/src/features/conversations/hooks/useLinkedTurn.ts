import { type RefObject, useEffect, useRef, useState } from "react";
import { toProblem } from "@/api/problem";
import type { TranscriptTurn } from "@/api/types";
import { useTranscript } from "./useConversations";

/** A transcript with the turn that a link names among what is loaded, wherever it is in the conversation. */
export function useTranscriptAt(project: string, conversation: string, linked: string | undefined) {
  const [anchor, setAnchor] = useState(linked);
  const [gone, setGone] = useState<string | undefined>(undefined);
  const query = useTranscript({ project, conversation }, anchor);
  const turns = query.data?.pages.flatMap((page) => page.turns);
  const isMissing = query.error !== null && toProblem(query.error).code === "turn_not_found";
  const isElsewhere =
    linked !== undefined && linked !== gone && turns !== undefined && !turns.some(({ turn_id }) => turn_id === linked);

  useEffect(() => {
    if (isMissing) {
      setGone(anchor);
      setAnchor(undefined); // from the beginning then
    } else if (isElsewhere && anchor !== linked) {
      setAnchor(linked);
    }
  }, [isMissing, isElsewhere, anchor, linked]);

  return { query, turns, isGone: linked !== undefined && linked === gone };
}

/** Shows the turn that a link names, once it is there; later changes of the list do not move the page. */
export function useLinkedTurn(
  list: RefObject<HTMLElement | null>,
  linked: string | undefined,
  turns: readonly TranscriptTurn[],
): void {
  const led = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (led.current === linked) return;
    if (linked === undefined) {
      led.current = undefined;
      return;
    }
    // By comparing, not by selector: an id may hold any sign.
    const elements = list.current?.querySelectorAll<HTMLElement>("[data-turn]") ?? [];
    const element = [...elements].find(({ dataset }) => dataset.turn === linked);
    if (!element) return;
    led.current = linked;
    element.focus({ preventScroll: true });
    element.scrollIntoView({ block: "start" });
  }, [list, linked, turns]);
}

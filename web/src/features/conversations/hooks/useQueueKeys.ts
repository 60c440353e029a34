import { useEffect, useRef, useState } from "react";
import { commandFor, moved, stillAt, worksAnywhere } from "../lib/queueKeys";

const TYPING = "input, textarea, select, [contenteditable=true], [role=combobox]";
const MENU = "[role=menu], [aria-haspopup=menu][aria-expanded=true]";
const DIALOG = "[role=dialog], [role=alertdialog]";

interface QueueKeys {
  ids: readonly string[];
  /** Letters and digits work wherever the focus is, and not only in the queue. */
  wholePage: boolean;
  onHelp: () => void;
}

/** One message of the queue is current, and keys move it; it survives whatever happens to the queue. */
export function useQueueKeys({ ids, wholePage, onHelp }: QueueKeys) {
  const list = useRef<HTMLOListElement>(null);
  const known = useRef<readonly string[]>([]);
  const [chosen, setChosen] = useState<string | null>(null);
  const at = stillAt(known.current, ids, chosen);

  const find = (id: string | null) =>
    [...(list.current?.querySelectorAll<HTMLElement>("[data-reaction]") ?? [])].find(
      ({ dataset }) => dataset.reaction === id,
    );
  const go = (id: string | null) => {
    setChosen(id);
    const element = find(id);
    element?.focus({ preventScroll: true });
    element?.scrollIntoView({ block: "nearest" });
  };

  // What is settled leaves the queue; the focus goes to what took its place.
  useEffect(() => {
    known.current = ids;
    if (at === chosen) return;
    const lost = document.activeElement === null || document.activeElement === document.body;
    if (lost) go(at);
    else setChosen(at);
  });

  const onKeyDown = (event: KeyboardEvent) => {
    const command = commandFor(event);
    const target = event.target instanceof Element ? event.target : document.body;
    const inside = list.current?.contains(target) ?? false;
    const taken = target.closest(`${TYPING}, ${MENU}`) !== null || document.querySelector(DIALOG) !== null;
    if (!command || event.defaultPrevented || taken || (!inside && !(wholePage && worksAnywhere(event)))) return;
    event.preventDefault();
    if ("act" in command && command.act === "help") return onHelp();
    if ("move" in command) return go(moved(ids, at, command.move));
    const current = at ?? ids[0] ?? null;
    const wanted = "choose" in command ? String(command.choose) : "0";
    const button = find(current)?.querySelector<HTMLElement>(`[data-choice="${wanted}"]`);
    if (!button) return;
    setChosen(current);
    button.focus();
    button.scrollIntoView({ block: "nearest" });
  };
  useEffect(() => {
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  });

  return { list, at, setAt: setChosen };
}

import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { type Act, type Position, type Stop, commandFor, move, samePosition, settle } from "../lib/keyboard";

const TYPING = "input, textarea, select, [contenteditable=true]";

/** By comparing, not by selector: a key of a dimension may hold any sign. */
function findStop(list: HTMLElement | null, { responseId, key }: Position): HTMLElement | undefined {
  const name = key === null ? responseId : `${responseId}/${key}`;
  const stops = list?.querySelectorAll<HTMLElement>("[data-stop]") ?? [];
  return [...stops].find((element) => element.dataset.stop === name);
}

interface ReviewKeys {
  stops: readonly Stop[];
  /** Where to begin: the response that a link names. */
  start: string | undefined;
  onAct: (act: Act, at: Position) => void;
  onMove: (at: Position) => void;
}

/** One place in the list has the focus, and keys move it; it survives whatever happens to the list. */
export function useReviewKeys({ stops, start, onAct, onMove }: ReviewKeys) {
  const list = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState<Position | null>(null);
  const known = useRef<readonly Stop[]>([]);
  const touched = useRef(false);
  const led = useRef<string | undefined>(undefined);
  const at = settle(known.current, stops, chosen) ?? null;

  const focus = (position: Position) => {
    const element = findStop(list.current, position);
    element?.focus({ preventScroll: true });
    element?.scrollIntoView({ block: "nearest" });
  };

  // Someone came by a link: show what it names, once it is there.
  useEffect(() => {
    const stop = stops.find(({ responseId }) => responseId === start);
    if (!stop || led.current === start) return;
    led.current = start;
    const position = { responseId: stop.responseId, key: stop.keys[0] ?? null };
    setChosen(position);
    focus(position);
  });

  // What was reviewed may leave the list (a filter); the focus goes to what took its place.
  useEffect(() => {
    const moved = !samePosition(at, chosen) && chosen !== null;
    known.current = stops;
    if (!moved) return;
    setChosen(at);
    const lost = document.activeElement === null || document.activeElement === document.body;
    if (touched.current && lost && at) focus(at);
  });

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const target = event.target as HTMLElement;
    // Dialogs are children of this list for React, but not on the page.
    if (event.defaultPrevented || !event.currentTarget.contains(target) || target.closest(TYPING)) return;
    const command = commandFor(event);
    if (!command) return;
    // A menu has its own use for arrows.
    if (target.closest("[role=menu], [aria-haspopup=menu][aria-expanded=true]")) return;
    event.preventDefault();
    if ("act" in command) {
      if (at) onAct(command.act, at);
      return;
    }
    const next = move(stops, at, command.move);
    if (!next) return;
    setChosen(next);
    focus(next);
    onMove(next);
  };

  const onFocus = (position: Position) => {
    touched.current = true;
    if (!samePosition(position, chosen)) setChosen(position);
  };

  return { list, at, onKeyDown, onFocus };
}

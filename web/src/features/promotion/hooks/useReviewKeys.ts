import { useEffect, useRef, useState } from "react";
import {
  type Act,
  type Position,
  type Stop,
  commandFor,
  move,
  samePosition,
  settle,
  worksAnywhere,
} from "../lib/keyboard";

const TYPING = "input, textarea, select, [contenteditable=true], [role=combobox], [role=slider]";
const MENU = "[role=menu], [aria-haspopup=menu][aria-expanded=true]";
const DIALOG = "[role=dialog], [role=alertdialog]";

/** Keys belong to what is typed in, to an open menu, and to a dialog whatever has the focus. */
function isTaken(target: Element): boolean {
  return target.closest(`${TYPING}, ${MENU}`) !== null || document.querySelector(DIALOG) !== null;
}

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
  wholePage: boolean;
  /** `at` is null where there is nothing to act on. */
  onAct: (act: Act, at: Position | null) => void;
  onMove: (at: Position) => void;
}

/** One place in the list has the focus, and keys move it; it survives whatever happens to the list. */
export function useReviewKeys({ stops, start, wholePage, onAct, onMove }: ReviewKeys) {
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

  const go = (position: Position) => {
    setChosen(position);
    focus(position);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const command = commandFor(event);
    const target = event.target instanceof Element ? event.target : document.body;
    const inside = list.current?.contains(target) ?? false;
    if (!command || event.defaultPrevented || isTaken(target)) return;
    if (!inside && !(wholePage && worksAnywhere(event))) return;
    event.preventDefault();
    if ("act" in command) {
      if (command.act === "help") return onAct(command.act, at);
      if (!at) return;
      if (!inside) go(at); // whoever decides sees what about
      return onAct(command.act, at);
    }
    // Whoever comes from outside begins where the list is entered.
    const next = !inside && chosen === null ? at : move(stops, at, command.move);
    if (!next) return;
    go(next);
    onMove(next);
  };
  useEffect(() => {
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  });

  const onFocus = (position: Position) => {
    touched.current = true;
    if (!samePosition(position, chosen)) setChosen(position);
  };

  return { list, at, onFocus };
}

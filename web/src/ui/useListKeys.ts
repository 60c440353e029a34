import { useLocalStorage } from "@mantine/hooks";
import { useCallback, useEffect, useRef, useState } from "react";
import { type Position, type Stop, commandFor, isLetter, isStillTyping, move, samePosition, settle } from "./listKeys";

const TYPING = "input, textarea, select, [contenteditable=true], [role=combobox], [role=slider]";
const MENU = "[role=menu], [aria-haspopup=menu][aria-expanded=true]";
const DIALOG = "[role=dialog], [role=alertdialog]";

/** Keys belong to what is typed in, to an open menu, and to a dialog whatever has the focus. */
function isTaken(target: Element): boolean {
  return target.closest(`${TYPING}, ${MENU}`) !== null || document.querySelector(DIALOG) !== null;
}

function targetOf(event: KeyboardEvent): Element {
  return event.target instanceof Element ? event.target : document.body;
}

const NOTHING: Readonly<Record<string, () => void>> = {};

function isPlain({ ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return !ctrlKey && !metaKey && !altKey;
}

/** By comparing, not by selector: an id or a key may hold any sign. */
function findStop(list: HTMLElement | null, position: Position): HTMLElement | undefined {
  const name = stopName(position);
  const stops = list?.querySelectorAll<HTMLElement>("[data-stop]") ?? [];
  return [...stops].find((element) => element.dataset.stop === name);
}

/** What the element of a stop has as its `data-stop`. */
export function stopName({ id, key }: Position): string {
  return key === null ? id : `${id}/${key}`;
}

interface ListKeys<Act extends string> {
  stops: readonly Stop[];
  /** What can be done with a stop, by key. */
  acts: Readonly<Record<string, Act>>;
  /** Where to begin: the item that a link names. */
  start?: string | undefined;
  /** What can be done whatever is in the list, by key; also when it is empty. */
  always?: Readonly<Record<string, () => void>>;
  /** Arrows, Home and End go on scrolling: the items are longer than the screen. */
  leavesArrows?: boolean;
  /** Letters may work wherever the focus is; whoever does not want that turns it off in the help. */
  mayWorkAnywhere: boolean;
  /** One item is always at hand, so that whoever comes from outside goes on from it. */
  isEntered?: boolean;
  onAct: (act: Act, at: Position, element: HTMLElement | undefined) => void;
  onMove?: (at: Position) => void;
}

/**
 * The keys of every list that is worked through: one stop has the focus, and keys move it and act on it. It survives
 * whatever happens to the list.
 */
export function useListKeys<ListElement extends HTMLElement, Act extends string>(options: ListKeys<Act>) {
  const { stops, acts, always = NOTHING, leavesArrows = false, start, mayWorkAnywhere, isEntered = false, onAct, onMove } = options;
  const list = useRef<ListElement>(null);
  const [chosen, setChosen] = useState<Position | null>(null);
  const [anywhere, onAnywhere] = useLocalStorage({ key: "goldloop.review-keys", defaultValue: true });
  const [opened, setOpened] = useState(false);
  const known = useRef<readonly Stop[]>([]);
  const touched = useRef(false);
  const led = useRef<string | undefined>(undefined);
  const typedAt = useRef(Number.NEGATIVE_INFINITY);
  const beganElsewhere = useRef(false);
  const at = settle(known.current, stops, chosen);

  const focus = useCallback((position: Position) => {
    const element = findStop(list.current, position);
    element?.focus({ preventScroll: true });
    element?.scrollIntoView({ block: "nearest" });
  }, []);
  const go = (position: Position) => {
    setChosen(position);
    focus(position);
  };

  // Someone came by a link: show what it names, once it is there.
  useEffect(() => {
    if (start === undefined) led.current = undefined;
    const stop = stops.find(({ id }) => id === start);
    if (!stop || led.current === start) return;
    led.current = start;
    go({ id: stop.id, key: stop.keys[0] ?? null });
  });

  // What was worked on may leave the list; the focus goes to what took its place.
  useEffect(() => {
    const moved = !samePosition(at, chosen) && chosen !== null;
    known.current = stops;
    if (!moved) return;
    setChosen(at);
    const lost = document.activeElement === null || document.activeElement === document.body;
    if (touched.current && lost && at) focus(at);
  }, [stops, at, chosen, focus]);

  const onKeyDown = (event: KeyboardEvent) => {
    const command = commandFor(event, acts);
    const target = targetOf(event);
    const inside = list.current?.contains(target) ?? false;
    const act = isPlain(event) && Object.hasOwn(always, event.key) ? always[event.key] : undefined;
    if (act && !event.defaultPrevented && !isTaken(target) && (inside || (mayWorkAnywhere && anywhere))) {
      if (isStillTyping(typedAt.current, event.timeStamp)) return;
      event.preventDefault();
      return act();
    }
    if (!command || event.defaultPrevented || isTaken(target)) return;
    if (leavesArrows && !isLetter(event)) return;
    if (!inside && !(mayWorkAnywhere && anywhere && isLetter(event))) return;
    if (isLetter(event) && isStillTyping(typedAt.current, event.timeStamp)) {
      typedAt.current = event.timeStamp; // the word goes on
      return;
    }
    if (event.repeat && ("act" in command || beganElsewhere.current)) return;
    event.preventDefault();
    if ("help" in command) return setOpened(true);
    if ("act" in command) {
      if (!at) return;
      if (!inside) go(at); // whoever decides sees what about
      return onAct(command.act, at, findStop(list.current, at));
    }
    // Whoever comes from outside begins where the list is entered.
    const next = !inside && chosen === null && !isEntered ? at : move(stops, at, command.move);
    if (!next) return;
    go(next);
    onMove?.(next);
  };
  useEffect(() => {
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  });

  // What is typed in a field or a dialog is not meant for the list, also when that closes in the middle of a word. Escape
  // is how one leaves on purpose.
  useEffect(() => {
    const note = (event: KeyboardEvent) => {
      const target = targetOf(event);
      if (!event.repeat) beganElsewhere.current = isTaken(target);
      if (!isTaken(target)) return;
      if (event.key === "Escape") typedAt.current = Number.NEGATIVE_INFINITY;
      else if (target.closest(TYPING) || isLetter(event)) typedAt.current = event.timeStamp;
    };
    document.addEventListener("keydown", note, true);
    return () => document.removeEventListener("keydown", note, true);
  }, []);

  const onFocus = (position: Position) => {
    touched.current = true;
    if (!samePosition(position, chosen)) setChosen(position);
  };

  return {
    list,
    /** Where the list is entered, or where one is. */
    at,
    /** Null until somebody has been in the list. */
    current: chosen && at,
    onFocus,
    /** Whether letters work wherever the focus is. */
    worksAnywhere: mayWorkAnywhere && anywhere,
    openHelp: () => setOpened(true),
    /** For the overlay that names the keys. */
    help: { opened, anywhere: mayWorkAnywhere ? anywhere : undefined, onAnywhere, onClose: () => setOpened(false) },
  };
}

export type ListKeysHelp = ReturnType<typeof useListKeys>["help"];

import { ActionIcon, UnstyledButton, VisuallyHidden } from "@mantine/core";
import {
  ArrowDownIcon,
  ArrowUpIcon,
  ChevronRightIcon,
  ExclamationTriangleIcon,
  TrashIcon,
} from "@radix-ui/react-icons";
import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from "react";
import classes from "./OrderedCards.module.css";

interface OrderedCardsProps<Item> {
  label: string;
  items: readonly Item[];
  name: (item: Item) => string;
  /** Shown beside the name. */
  summary?: (item: Item) => ReactNode;
  hasProblem?: (item: Item, place: number) => boolean;
  /** Ids of the cards that show their inside. */
  opened: ReadonlySet<string>;
  onToggle: (id: string) => void;
  onMove: (id: string, delta: -1 | 1) => void;
  onRemove: (id: string) => void;
  children: (item: Item, place: number) => ReactNode;
}

/** Cards in an order that people choose: by buttons, or with Alt and an arrow key. */
export function OrderedCards<Item extends { id: string }>(props: OrderedCardsProps<Item>) {
  const { label, items, name, summary, hasProblem, opened, onToggle, onMove, onRemove, children } = props;
  const [said, setSaid] = useState("");
  const list = useRef<HTMLUListElement>(null);
  const move = (item: Item, place: number, delta: -1 | 1) => {
    if (place + delta < 0 || place + delta >= items.length) return;
    onMove(item.id, delta);
    setSaid(`${name(item)} is now ${place + delta + 1} of ${items.length}`);
  };
  const remove = (item: Item, place: number) => {
    onRemove(item.id);
    setSaid(`${name(item)} was removed`);
    // Whoever works by keyboard goes on at the neighbour.
    const next = items[place + 1] ?? items[place - 1];
    if (next) list.current?.querySelector<HTMLElement>(`[data-toggle="${next.id}"]`)?.focus();
  };
  return (
    <>
      <ul ref={list} className={classes.list} aria-label={label}>
        {items.map((item, place) => (
          <Card
            key={item.id}
            id={item.id}
            place={place}
            count={items.length}
            name={name(item)}
            summary={summary?.(item)}
            problem={hasProblem?.(item, place) ?? false}
            opened={opened.has(item.id)}
            onToggle={() => onToggle(item.id)}
            onMove={(delta) => move(item, place, delta)}
            onRemove={() => remove(item, place)}
          >
            {children(item, place)}
          </Card>
        ))}
      </ul>
      <VisuallyHidden role="status">{said}</VisuallyHidden>
    </>
  );
}

interface CardProps {
  id: string;
  place: number;
  count: number;
  name: string;
  summary: ReactNode;
  problem: boolean;
  opened: boolean;
  onToggle: () => void;
  onMove: (delta: -1 | 1) => void;
  onRemove: () => void;
  children: ReactNode;
}

function Card({ id, place, count, name, summary, problem, opened, onToggle, onMove, onRemove, children }: CardProps) {
  const bodyId = useId();
  const focused = useRef<HTMLElement | null>(null);
  // A node that changes its place in the document loses the focus.
  useLayoutEffect(() => {
    focused.current?.focus();
    focused.current = null;
  }, [place]);
  const move = (delta: -1 | 1) => {
    focused.current = document.activeElement as HTMLElement | null;
    onMove(delta);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
    event.preventDefault();
    move(event.key === "ArrowUp" ? -1 : 1);
  };
  return (
    <li className={classes.card} data-problem={problem || undefined} onKeyDown={onKeyDown}>
      <div className={classes.head}>
        <UnstyledButton
          className={classes.toggle}
          data-toggle={id}
          aria-expanded={opened}
          aria-controls={bodyId}
          aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
          onClick={onToggle}
        >
          <ChevronRightIcon className={classes.chevron} aria-hidden />
          <span className={classes.name}>{name}</span>
          {problem && <ExclamationTriangleIcon color="var(--mantine-color-error)" aria-label="Has a problem" />}
          {summary && <span className={classes.summary}>{summary}</span>}
        </UnstyledButton>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Move ${name} up`}
          disabled={place === 0}
          onClick={() => move(-1)}
        >
          <ArrowUpIcon />
        </ActionIcon>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Move ${name} down`}
          disabled={place === count - 1}
          onClick={() => move(1)}
        >
          <ArrowDownIcon />
        </ActionIcon>
        <ActionIcon variant="subtle" color="gray" aria-label={`Remove ${name}`} onClick={onRemove}>
          <TrashIcon />
        </ActionIcon>
      </div>
      <div id={bodyId} hidden={!opened} className={classes.body}>
        {opened && children}
      </div>
    </li>
  );
}

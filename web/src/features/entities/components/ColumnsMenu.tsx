import { ActionIcon, Button, Checkbox, Popover, Text, VisuallyHidden } from "@mantine/core";
import { ArrowDownIcon, ArrowUpIcon, DragHandleDots2Icon, ViewVerticalIcon } from "@radix-ui/react-icons";
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from "react";
import type { Field } from "@/features/entity_types/lib/fields";
import { moved } from "@/ui/move";
import { MAX_COLUMNS } from "../lib/search";
import classes from "./ColumnsMenu.module.css";

interface ColumnsMenuProps {
  fields: readonly Field[];
  /** Keys, in order. */
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}

/** Which fields are columns, and in which order: by dragging, by buttons, or with Alt and an arrow key. */
export function ColumnsMenu({ fields, chosen, onChange }: ColumnsMenuProps) {
  return (
    <Popover position="bottom-end" width={300} trapFocus returnFocus withinPortal={false}>
      <Popover.Target>
        <Button variant="default" size="xs" leftSection={<ViewVerticalIcon />}>
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns" p="xs" mah={420} style={{ overflowY: "auto" }}>
        <ColumnsChoice fields={fields} chosen={chosen} onChange={onChange} />
      </Popover.Dropdown>
    </Popover>
  );
}

function ColumnsChoice({ fields, chosen, onChange }: ColumnsMenuProps) {
  const [status, setStatus] = useState("");
  const [dragged, setDragged] = useState<string | null>(null);
  const shown = chosen.flatMap((key) => fields.find((field) => field.key === key) ?? []);
  const keys = shown.map(({ key }) => key);
  const rest = fields.filter(({ key }) => !keys.includes(key));
  const move = (place: number, delta: number) => {
    const next = moved(keys, place, delta);
    onChange(next);
    const to = next.indexOf(keys[place] ?? "");
    setStatus(`${shown[place]?.label} is now ${to + 1} of ${keys.length}`);
  };
  const dragOver = (place: number) => {
    const from = dragged === null ? -1 : keys.indexOf(dragged);
    if (from !== -1 && from !== place) onChange(moved(keys, from, place - from));
  };
  if (fields.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        This type has no fields yet.
      </Text>
    );
  }
  return (
    <>
      <ul className={classes.list} aria-label="Chosen columns">
        {shown.map(({ key, label }, place) => (
          <ChosenColumn
            key={key}
            label={label}
            place={place}
            count={shown.length}
            dragged={dragged === key}
            onRemove={() => onChange(keys.filter((each) => each !== key))}
            onMove={(delta) => move(place, delta)}
            onDrag={(active) => setDragged(active ? key : null)}
            onDragOver={() => dragOver(place)}
          />
        ))}
      </ul>
      {rest.length > 0 && (
        <ul className={`${classes.list} ${shown.length > 0 ? classes.rest : ""}`} aria-label="Other fields">
          {rest.map(({ key, label }) => (
            <li key={key} className={classes.row}>
              <Checkbox
                size="xs"
                label={label}
                checked={false}
                disabled={keys.length >= MAX_COLUMNS}
                onChange={() => onChange([...keys, key])}
              />
            </li>
          ))}
        </ul>
      )}
      <VisuallyHidden role="status">{status}</VisuallyHidden>
    </>
  );
}

interface ChosenColumnProps {
  label: string;
  place: number;
  count: number;
  dragged: boolean;
  onRemove: () => void;
  onMove: (delta: -1 | 1) => void;
  onDrag: (active: boolean) => void;
  onDragOver: () => void;
}

function ChosenColumn({ label, place, count, dragged, onRemove, onMove, onDrag, onDragOver }: ChosenColumnProps) {
  const focused = useRef<HTMLElement | null>(null);
  // A node that changes its place in the document loses the focus.
  useLayoutEffect(() => {
    focused.current?.focus();
    focused.current = null;
  }, [place]);
  const move = (delta: -1 | 1) => {
    if (place + delta < 0 || place + delta >= count) return;
    focused.current = document.activeElement as HTMLElement | null;
    onMove(delta);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
    event.preventDefault();
    move(event.key === "ArrowUp" ? -1 : 1);
  };
  return (
    <li
      className={classes.row}
      draggable
      data-dragged={dragged || undefined}
      onKeyDown={onKeyDown}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = "move";
        event.dataTransfer.setData("text/plain", label); // Firefox drags nothing without it
        onDrag(true);
      }}
      onDragEnd={() => onDrag(false)}
      onDragOver={(event) => {
        event.preventDefault();
        onDragOver();
      }}
      onDrop={(event) => event.preventDefault()}
    >
      <span className={classes.handle} aria-hidden>
        <DragHandleDots2Icon />
      </span>
      <Checkbox
        className={classes.name}
        size="xs"
        label={label}
        checked
        aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
        onChange={onRemove}
      />
      <ActionIcon size="sm" variant="subtle" color="gray" aria-label={`Move ${label} up`} disabled={place === 0} onClick={() => move(-1)}>
        <ArrowUpIcon />
      </ActionIcon>
      <ActionIcon size="sm" variant="subtle" color="gray" aria-label={`Move ${label} down`} disabled={place === count - 1} onClick={() => move(1)}>
        <ArrowDownIcon />
      </ActionIcon>
    </li>
  );
}

import { Kbd, Loader, VisuallyHidden } from "@mantine/core";
import { MagnifyingGlassIcon } from "@radix-ui/react-icons";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Modal } from "./Modal";
import classes from "./CommandPalette.module.css";

export interface PaletteItem {
  id: string;
  name: string;
  /** Muted, at the end of the row. */
  detail?: string | undefined;
  icon?: ReactNode;
  run: () => void;
}

export interface PaletteGroup {
  label: string;
  items: readonly PaletteItem[];
}

interface CommandPaletteProps {
  opened: boolean;
  label: string;
  placeholder: string;
  typed: string;
  onType: (typed: string) => void;
  groups: readonly PaletteGroup[];
  loading: boolean;
  onClose: () => void;
}

/** One line to type in and what fits beneath it: the focus stays in the line, arrows choose, Enter does it. */
export function CommandPalette({ opened, onClose, label, ...body }: CommandPaletteProps) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={label}
      withCloseButton={false}
      size="lg"
      centered={false}
      yOffset="12vh"
      padding={0}
      radius="lg"
      transitionProps={{ duration: 0 }}
      // The name of the dialog is said, and not drawn.
      styles={{ header: { position: "absolute", width: 1, height: 1, minHeight: 0, overflow: "hidden", clipPath: "inset(50%)" } }}
    >
      <PaletteBody {...body} label={label} onClose={onClose} />
    </Modal>
  );
}

function PaletteBody({ label, placeholder, typed, onType, groups, loading, onClose }: Omit<CommandPaletteProps, "opened">) {
  const listId = useId();
  const [chosen, setChosen] = useState<string | null>(null);
  const items = groups.flatMap((group) => group.items);
  const place = Math.max(0, items.findIndex(({ id }) => id === chosen));
  const active = items[place];
  const optionId = (id: string) => `${listId}-${id}`;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [active?.id]);

  const choose = (item: PaletteItem | undefined) => {
    if (!item) return;
    onClose();
    item.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowDown: place + 1, ArrowUp: place - 1, Home: 0, End: items.length - 1 }[event.key];
    if (event.key === "Enter" && !event.nativeEvent.isComposing) {
      event.preventDefault();
      choose(active);
    } else if (to !== undefined && items.length > 0 && !((event.key === "Home" || event.key === "End") && typed !== "")) {
      event.preventDefault();
      setChosen(items[(to + items.length) % items.length]?.id ?? null);
    }
  };
  const found = items.length === 1 ? "1 result" : `${items.length} results`;
  return (
    <>
      <div className={classes.input}>
        {loading ? <Loader size={15} aria-hidden /> : <MagnifyingGlassIcon aria-hidden />}
        <input
          data-autofocus
          type="text"
          role="combobox"
          aria-label={label}
          aria-expanded={items.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={active ? optionId(active.id) : undefined}
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          placeholder={placeholder}
          value={typed}
          onChange={(event) => {
            setChosen(null);
            onType(event.currentTarget.value);
          }}
          onKeyDown={onKeyDown}
        />
        <Kbd size="xs" visibleFrom="sm">
          Esc
        </Kbd>
      </div>
      <div ref={list} className={classes.list} role="listbox" id={listId} aria-label="Results">
        {groups.map((group) => (
          <div key={group.label} className={classes.group} role="group" aria-label={group.label}>
            <div className={classes.label} aria-hidden>
              {group.label}
            </div>
            {group.items.map((item) => (
              // The keys are those of the line above, which has the focus.
              <div
                key={item.id}
                id={optionId(item.id)}
                role="option"
                className={classes.item}
                aria-selected={item.id === active?.id}
                onMouseMove={() => setChosen(item.id)}
                onClick={() => choose(item)}
              >
                <span className={classes.icon} aria-hidden>
                  {item.icon}
                </span>
                <span className={classes.name} dir="auto">
                  {item.name}
                </span>
                {item.detail && <span className={classes.detail}>{item.detail}</span>}
              </div>
            ))}
          </div>
        ))}
      </div>
      {items.length === 0 && <div className={classes.nothing}>{loading ? "Searching…" : "Nothing matches"}</div>}
      <div className={classes.keys} aria-hidden>
        <span>
          <Kbd size="xs">↑</Kbd> <Kbd size="xs">↓</Kbd> choose
        </span>
        <span>
          <Kbd size="xs">Enter</Kbd> open
        </span>
      </div>
      <VisuallyHidden role="status">{loading ? "Searching" : items.length === 0 ? "Nothing matches" : found}</VisuallyHidden>
    </>
  );
}

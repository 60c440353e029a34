import { useEffect, useRef, useState } from "react";

/**
 * Which cards of an `OrderedCards` show their inside. One that is added opens by itself, with the cursor in its
 * first input; those in `wrong` open whenever that list changes.
 */
export function useOpenCards(items: readonly { id: string }[], wrong: readonly string[] = []) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const known = useRef(items.map(({ id }) => id));

  useEffect(() => {
    const added = items.filter(({ id }) => !known.current.includes(id));
    known.current = items.map(({ id }) => id);
    const [only] = added;
    if (!only || added.length > 1) return; // all new: another thing is shown
    setOpened((before) => new Set([...before, only.id]));
    const timer = setTimeout(() => firstInput(only.id)?.focus());
    return () => clearTimeout(timer);
  }, [items]);

  const wrongIds = wrong.join();
  useEffect(() => {
    if (wrongIds) setOpened((before) => new Set([...before, ...wrongIds.split(",")]));
  }, [wrongIds]);

  return {
    opened,
    toggle: (id: string) =>
      setOpened((before) => new Set(before.has(id) ? [...before].filter((each) => each !== id) : [...before, id])),
  };
}

function firstInput(id: string): HTMLElement | null | undefined {
  const card = document.querySelector(`[data-toggle="${id}"]`)?.closest("li");
  return card?.querySelector<HTMLElement>("input, textarea, select");
}

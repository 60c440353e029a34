/** What was opened last, newest first, kept in this browser. */
import { useLocalStorage } from "@mantine/hooks";

const MOST = 6;

export interface Recent {
  /** Tells what it is from others of any kind. */
  id: string;
  name: string;
  detail?: string | undefined;
  href: string;
}

function isRecent(value: unknown): value is Recent {
  const { id, name, href } = (value ?? {}) as Partial<Recent>;
  return typeof id === "string" && typeof name === "string" && typeof href === "string" && href.startsWith("/") && !href.startsWith("//");
}

export function withNewest(before: readonly Recent[], opened: Recent): Recent[] {
  return [opened, ...before.filter(({ id }) => id !== opened.id)].slice(0, MOST);
}

export function useRecent(key: string) {
  const [kept, setKept] = useLocalStorage<unknown>({ key: `goldloop-recent:${key}`, defaultValue: [], getInitialValueInEffect: false });
  const recent = Array.isArray(kept) ? kept.filter(isRecent) : [];
  return { recent, note: (opened: Recent) => setKept(withNewest(recent, opened)) };
}

import { useNavigate, useSearch } from "@tanstack/react-router";

/** The form for something new is open while the address says `new=1`, so that it can be led to from anywhere. */
export function useNewDialog() {
  const { new: wanted } = useSearch({ strict: false }) as { new?: unknown };
  const navigate = useNavigate();
  const set = (value: 1 | undefined) =>
    // The router cannot know which page this is used on.
    void navigate({ to: ".", search: ((before: object) => ({ ...before, new: value })) as never, replace: true });
  return [wanted === 1, { open: () => set(1), close: () => set(undefined) }] as const;
}

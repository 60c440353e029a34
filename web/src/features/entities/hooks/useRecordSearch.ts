import { useNavigate, useSearch } from "@tanstack/react-router";
import type { RecordSearch } from "../lib/search";

/** The search part of a record's address; empty on other pages, where the same parts may be shown. */
export function useRecordSearch() {
  const search = useSearch({ strict: false }) as RecordSearch;
  const navigate = useNavigate();
  const change = (part: Partial<RecordSearch>) => {
    const next = (before: RecordSearch) => ({ ...before, ...part });
    // The router cannot know which page this is used on.
    void navigate({ to: ".", search: next as never, replace: true });
  };
  return { search, change };
}

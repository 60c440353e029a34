import { NativeSelect } from "@mantine/core";
import type { KeyboardEvent } from "react";
import { useEntityTypes } from "@/features/entity_types/hooks/useEntityTypes";
import { useAgents } from "@/features/tenants/hooks/useAgents";
import { ListSelect } from "@/ui/ListSelect";
import { SearchInput } from "@/ui/SearchInput";
import { type KnowledgeSearch, SCOPES, WAITS } from "../lib/search";
import { STATES, STATE_LOOK } from "../lib/words";
import classes from "./knowledge.module.css";

interface KnowledgeFiltersProps {
  search: KnowledgeSearch;
  onChange: (change: Partial<KnowledgeSearch>) => void;
}

const STATE_OPTIONS = [
  { value: "", label: "Any state" },
  { value: WAITS, label: "Waiting" },
  ...STATES.map((value) => ({ value, label: STATE_LOOK[value].label })),
];
const SCOPE_OPTIONS = [
  { value: "", label: "Any scope" },
  { value: "everywhere", label: "Everywhere" },
  { value: "narrow", label: "Only somewhere" },
];

/** Escape in the search goes on to the list, where letters are keys again; what was typed stays. */
function toList(event: KeyboardEvent): void {
  const { key, target, nativeEvent } = event;
  if (key !== "Escape" || nativeEvent.isComposing || !(target instanceof HTMLInputElement) || target.type !== "search") return;
  event.preventDefault();
  document.querySelector<HTMLElement>("[data-pane=rows] [data-here] button")?.focus();
}

export function KnowledgeFilters({ search, onChange }: KnowledgeFiltersProps) {
  return (
    <div className={classes.filters} role="search" aria-label="Knowledge" onKeyDown={toList}>
      <SearchInput label="Search knowledge" maxLength={200} value={search.q ?? ""} onChange={(q) => onChange({ q: q || undefined })} />
      <NativeSelect
        aria-label="State"
        value={search.state ?? ""}
        data={STATE_OPTIONS}
        onChange={(event) => onChange({ state: [...STATES, WAITS].find((each) => each === event.currentTarget.value) })}
      />
      <NativeSelect
        aria-label="Scope"
        value={search.scope ?? ""}
        data={SCOPE_OPTIONS}
        onChange={(event) => onChange({ scope: SCOPES.find((each) => each === event.currentTarget.value) })}
      />
      <ListSelect
        list={useAgents()}
        option={({ id, name }) => ({ value: id, label: name })}
        aria-label="Agent"
        none="All agents"
        unknown="An agent"
        value={search.agent ?? ""}
        onChange={(agent) => onChange({ agent: agent || undefined })}
      />
      <ListSelect
        list={useEntityTypes()}
        option={({ id, name }) => ({ value: id, label: name })}
        aria-label="Entity type"
        none="All types"
        unknown="A type"
        value={search.of ?? ""}
        onChange={(of) => onChange({ of: of || undefined })}
      />
    </div>
  );
}

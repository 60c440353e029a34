import { NativeSelect } from "@mantine/core";
import { MoreFilters } from "@/features/conversations/components/MoreFilters";
import { PeriodSelect } from "@/features/conversations/components/PeriodSelect";
import { useAgents } from "@/features/tenants/hooks/useAgents";
import { ListSelect } from "@/ui/ListSelect";
import { SearchInput } from "@/ui/SearchInput";
import { WAITS_FOR, type SessionsSearch, countMore, noMoreFilters } from "../lib/search";
import { SESSION_SOURCE, SESSION_SOURCES, SESSION_STATUS, SESSION_STATUSES, SESSION_TYPE, SESSION_TYPES } from "../lib/status";
import classes from "./sessions.module.css";

interface SessionFiltersProps {
  search: SessionsSearch;
  onChange: (change: Partial<SessionsSearch>) => void;
}

/** Four in sight, the others on demand. */
export function SessionFilters({ search, onChange }: SessionFiltersProps) {
  return (
    <div className={classes.filters} role="search" aria-label="Sessions">
      <SearchInput
        label="Search what was said"
        maxLength={200}
        value={search.q ?? ""}
        onChange={(q) => onChange({ q: q || undefined })}
      />
      <NativeSelect
        aria-label="Status"
        value={search.status ?? ""}
        data={[
          { value: "", label: "Any status" },
          ...SESSION_STATUSES.map((value) => ({ value: value as string, label: SESSION_STATUS[value].label })),
        ]}
        onChange={(event) => onChange({ status: SESSION_STATUSES.find((each) => each === event.currentTarget.value) })}
      />
      <ListSelect
        list={useAgents()}
        option={({ slug, name }) => ({ value: slug, label: name })}
        aria-label="Agent"
        none="All agents"
        value={search.agent ?? ""}
        onChange={(agent) => onChange({ agent: agent || undefined })}
      />
      <NativeSelect
        aria-label="Type"
        value={search.type ?? ""}
        data={[
          { value: "", label: "Any type" },
          ...SESSION_TYPES.map((value) => ({ value: value as string, label: SESSION_TYPE[value] })),
        ]}
        onChange={(event) => onChange({ type: SESSION_TYPES.find((each) => each === event.currentTarget.value) })}
      />
      <MoreFilters active={countMore(search)} onClear={() => onChange(noMoreFilters())}>
        <Others search={search} onChange={onChange} />
      </MoreFilters>
    </div>
  );
}

const GOLDEN = { "": undefined, true: true, false: false } as const;

function Others({ search, onChange }: SessionFiltersProps) {
  return (
    <>
      <NativeSelect
        label="Waits for a person"
        value={search.waits_for ?? ""}
        data={[
          { value: "", label: "Waiting or not" },
          { value: "answer", label: "For an answer" },
          { value: "look", label: "To be looked at" },
        ]}
        onChange={(event) => onChange({ waits_for: WAITS_FOR.find((each) => each === event.currentTarget.value) })}
      />
      <NativeSelect
        label="Source"
        value={search.source ?? ""}
        data={[
          { value: "", label: "Any source" },
          ...SESSION_SOURCES.map((value) => ({ value: value as string, label: SESSION_SOURCE[value] })),
        ]}
        onChange={(event) => onChange({ source: SESSION_SOURCES.find((each) => each === event.currentTarget.value) })}
      />
      <NativeSelect
        label="Golden"
        value={search.golden === undefined ? "" : String(search.golden)}
        data={[
          { value: "", label: "Golden or not" },
          { value: "true", label: "Golden" },
          { value: "false", label: "Not golden" },
        ]}
        onChange={(event) => onChange({ golden: GOLDEN[event.currentTarget.value as keyof typeof GOLDEN] })}
      />
      <PeriodSelect
        label="Began"
        period={search}
        fallback={null}
        onChange={({ days, start, end }) => onChange({ days, start, end })}
      />
    </>
  );
}

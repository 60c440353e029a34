import { NativeSelect } from "@mantine/core";
import type { KeyboardEvent, ReactNode } from "react";
import { MoreFilters } from "@/features/conversations/components/MoreFilters";
import { PeriodSelect } from "@/features/conversations/components/PeriodSelect";
import { TypeSelect } from "@/features/entity_types/components/TypeSelect";
import { useAgents } from "@/features/tenants/hooks/useAgents";
import { ListSelect } from "@/ui/ListSelect";
import { SearchInput } from "@/ui/SearchInput";
import { ANY, type FeedbackSearch, type GroupsSearch, countMore, noMoreFilters } from "../lib/search";
import { KINDS, KIND_LABEL, RATINGS, RATING_LOOK, SOURCES, SOURCE_LABEL, STATES, STATE_LABEL, STATUSES, STATUS_LOOK } from "../lib/words";
import classes from "./feedback.module.css";

interface FiltersProps<Search> {
  search: Search;
  onChange: (change: Partial<Search>) => void;
}

/** Which groups are shown: those that are proposed and wait, unless told. */
const SHOWN = { open: "Waiting", unsure: "Waiting, not proposed", snoozed: STATE_LABEL.snoozed, dismissed: STATE_LABEL.dismissed, merged: STATE_LABEL.merged };

export function GroupFilters({ search, onChange }: FiltersProps<GroupsSearch>) {
  const shown = search.proposed === "no" ? "unsure" : (search.state ?? "open");
  return (
    <Filters label="Groups" search={search} onChange={onChange} isOfGroups>
      <NativeSelect
        aria-label="State"
        value={shown}
        data={Object.entries(SHOWN).map(([value, label]) => ({ value, label }))}
        onChange={(event) => {
          const { value } = event.currentTarget;
          const state = STATES.find((each) => each === value);
          onChange({ state: state === "open" ? undefined : state, proposed: value === "unsure" ? "no" : undefined });
        }}
      />
    </Filters>
  );
}

interface ListFiltersProps extends FiltersProps<FeedbackSearch> {
  /** What is meant when the address says nothing. */
  fallback: "pending" | typeof ANY;
}

export function ListFilters({ search, fallback, onChange }: ListFiltersProps) {
  return (
    <Filters label="Feedback" search={search} onChange={onChange}>
      <NativeSelect
        aria-label="Status"
        value={search.status ?? fallback}
        data={[{ value: ANY, label: "Any status" }, ...STATUSES.map((value) => ({ value: value as string, label: STATUS_LOOK[value].label }))]}
        onChange={(event) => {
          const status = [...STATUSES, ANY].find((each) => each === event.currentTarget.value);
          onChange({ status: status === fallback ? undefined : status });
        }}
      />
    </Filters>
  );
}

/** Escape in the search goes on to the list, where letters are keys again; what was typed stays. */
function toList(event: KeyboardEvent): void {
  const { key, target, nativeEvent } = event;
  if (key !== "Escape" || nativeEvent.isComposing || !(target instanceof HTMLInputElement) || target.type !== "search") return;
  event.preventDefault();
  document.querySelector<HTMLElement>("[data-pane] li[data-here] button")?.focus();
}

type Shared = Omit<GroupsSearch, "state" | "proposed" | "group" | "feedback">;

interface SharedFiltersProps {
  label: string;
  search: Shared;
  onChange: (change: Partial<Shared>) => void;
  isOfGroups?: boolean;
  children: ReactNode;
}

/** Four in sight, the others on demand. */
function Filters({ label, search, onChange, isOfGroups = false, children }: SharedFiltersProps) {
  return (
    <div className={classes.filters} role="search" aria-label={label} onKeyDown={toList}>
      <SearchInput label="Search comments" maxLength={200} value={search.q ?? ""} onChange={(q) => onChange({ q: q || undefined })} />
      {children}
      <NativeSelect
        aria-label="Rating"
        value={search.rating ?? ""}
        data={[{ value: "", label: "Any rating" }, ...RATINGS.map((value) => ({ value: value as string, label: RATING_LOOK[value].label }))]}
        onChange={(event) => onChange({ rating: RATINGS.find((each) => each === event.currentTarget.value) })}
      />
      <ListSelect
        list={useAgents()}
        option={({ slug, name }) => ({ value: slug, label: name })}
        aria-label="Agent"
        none="All agents"
        value={search.agent ?? ""}
        onChange={(agent) => onChange({ agent: agent || undefined })}
      />
      <MoreFilters active={countMore(search)} onClear={() => onChange(noMoreFilters())}>
        <NativeSelect
          label="Comes from"
          value={search.source ?? ""}
          data={[{ value: "", label: "Any source" }, ...SOURCES.map((value) => ({ value: value as string, label: SOURCE_LABEL[value] }))]}
          onChange={(event) => onChange({ source: SOURCES.find((each) => each === event.currentTarget.value) })}
        />
        {isOfGroups && (
          <NativeSelect
            label="Together because of"
            value={search.kind ?? ""}
            data={[{ value: "", label: "Whatever it is" }, ...KINDS.map((value) => ({ value: value as string, label: KIND_LABEL[value] }))]}
            onChange={(event) => onChange({ kind: KINDS.find((each) => each === event.currentTarget.value) })}
          />
        )}
        <TypeSelect label="Type of the record" none="All types" value={search.type ?? ""} onChange={(type) => onChange({ type: type || undefined })} />
        <PeriodSelect
          label={isOfGroups ? "Newest came" : "Came"}
          period={search}
          fallback={null}
          onChange={({ days, start, end }) => onChange({ days, start, end })}
        />
      </MoreFilters>
    </div>
  );
}

import { NativeSelect } from "@mantine/core";
import { PersonIcon } from "@radix-ui/react-icons";
import { SearchInput } from "@/ui/SearchInput";
import { ORIGINS, REACTIONS, REACTION_LOOK, USER_TYPES, USER_TYPE_LABEL } from "../lib/reactions";
import { type ConversationsSearch, countMore, noMoreFilters } from "../lib/search";
import { MoreFilters } from "./MoreFilters";
import { DayRange, PeriodSelect } from "./PeriodSelect";
import { ProjectAndAgent } from "./ProjectAndAgent";
import classes from "./conversations.module.css";

interface ConversationFiltersProps {
  search: ConversationsSearch;
  onChange: (change: Partial<ConversationsSearch>) => void;
}

const BY_WHOM = { user: "Given by people", machine: "Read by machine" } as const;

/** Four in sight, the others on demand. */
export function ConversationFilters({ search, onChange }: ConversationFiltersProps) {
  return (
    <div className={`${classes.filters} ${classes.listFilters}`} role="search" aria-label="Conversations">
      <SearchInput
        label="Search what was said"
        maxLength={200}
        value={search.q ?? ""}
        onChange={(q) => onChange({ q: q || undefined })}
      />
      <ProjectAndAgent search={search} onChange={onChange} />
      <NativeSelect
        aria-label="Reaction"
        value={search.reaction ?? ""}
        data={[
          { value: "", label: "Any reaction" },
          ...REACTIONS.map((value) => ({ value: value as string, label: REACTION_LOOK[value].label })),
        ]}
        onChange={(event) => onChange({ reaction: REACTIONS.find((each) => each === event.currentTarget.value) })}
      />
      <MoreFilters active={countMore(search)} onClear={() => onChange(noMoreFilters())}>
        <Others search={search} onChange={onChange} />
      </MoreFilters>
    </div>
  );
}

function Others({ search, onChange }: ConversationFiltersProps) {
  return (
    <>
      <SearchInput
        label="User, by id"
        clearLabel="Clear user"
        maxLength={200}
        icon={<PersonIcon aria-hidden />}
        value={search.user ?? ""}
        onChange={(user) => onChange({ user: user || undefined })}
      />
      <NativeSelect
        label="Reactions of"
        value={search.user_type ?? ""}
        data={[
          { value: "", label: "Anybody" },
          ...USER_TYPES.map((value) => ({ value: value as string, label: USER_TYPE_LABEL[value] })),
        ]}
        onChange={(event) => onChange({ user_type: USER_TYPES.find((each) => each === event.currentTarget.value) })}
      />
      <NativeSelect
        label="How it was given"
        value={search.origin ?? ""}
        data={[
          { value: "", label: "Either way" },
          ...ORIGINS.map((value) => ({ value: value as string, label: BY_WHOM[value] })),
        ]}
        onChange={(event) => onChange({ origin: ORIGINS.find((each) => each === event.currentTarget.value) })}
      />
      <DayRange
        label="Reaction given"
        start={search.reacted_start}
        end={search.reacted_end}
        onChange={(reacted_start, reacted_end) => onChange({ reacted_start, reacted_end })}
      />
      <PeriodSelect
        label="Last turn"
        period={search}
        fallback={null}
        onChange={({ days, start, end }) => onChange({ days, start, end })}
      />
    </>
  );
}

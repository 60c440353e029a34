import { NativeSelect, SimpleGrid } from "@mantine/core";
import { PersonIcon } from "@radix-ui/react-icons";
import { SearchInput } from "@/ui/SearchInput";
import { ORIGINS, REACTIONS, REACTION_LOOK } from "../lib/reactions";
import type { ConversationsSearch } from "../lib/search";
import { PeriodSelect } from "./PeriodSelect";
import { ProjectAndAgent } from "./ProjectAndAgent";

interface ConversationFiltersProps {
  search: ConversationsSearch;
  onChange: (change: Partial<ConversationsSearch>) => void;
}

const BY_WHOM = { user: "By people", machine: "By machine" } as const;

export function ConversationFilters({ search, onChange }: ConversationFiltersProps) {
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm" mb="md" role="search" aria-label="Conversations">
      <SearchInput
        label="Search what was said"
        maxLength={200}
        value={search.q ?? ""}
        onChange={(q) => onChange({ q: q || undefined })}
      />
      <ProjectAndAgent search={search} onChange={onChange} />
      <SearchInput
        label="User, by id"
        clearLabel="Clear user"
        maxLength={200}
        icon={<PersonIcon aria-hidden />}
        value={search.user ?? ""}
        onChange={(user) => onChange({ user: user || undefined })}
      />
      <NativeSelect
        aria-label="Reaction"
        value={search.reaction ?? ""}
        data={[
          { value: "", label: "Any reaction" },
          ...REACTIONS.map((value) => ({ value: value as string, label: REACTION_LOOK[value].label })),
        ]}
        onChange={(event) => onChange({ reaction: REACTIONS.find((each) => each === event.currentTarget.value) })}
      />
      <NativeSelect
        aria-label="Reacted to by"
        value={search.origin ?? ""}
        data={[
          { value: "", label: "By anybody" },
          ...ORIGINS.map((value) => ({ value: value as string, label: BY_WHOM[value] })),
        ]}
        onChange={(event) => onChange({ origin: ORIGINS.find((each) => each === event.currentTarget.value) })}
      />
      <PeriodSelect period={search} fallback={null} onChange={({ days, start, end }) => onChange({ days, start, end })} />
    </SimpleGrid>
  );
}

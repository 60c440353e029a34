import { NativeSelect, SimpleGrid } from "@mantine/core";
import { DAYS_SHOWN } from "../lib/period";
import { ORIGINS, ORIGIN_LABEL } from "../lib/reactions";
import { BUCKETS, GROUPS, type SatisfactionSearch } from "../lib/search";
import { PeriodSelect } from "./PeriodSelect";
import { ProjectAndAgent } from "./ProjectAndAgent";

const BUCKET_LABEL = { day: "By day", week: "By week", month: "By month" } as const;
const GROUP_LABEL = { project: "Compare projects", agent: "Compare agents", origin: "Compare origins" } as const;

interface SatisfactionFiltersProps {
  search: SatisfactionSearch;
  onChange: (change: Partial<SatisfactionSearch>) => void;
}

export function SatisfactionFilters({ search, onChange }: SatisfactionFiltersProps) {
  return (
    <SimpleGrid cols={{ base: 2, md: 3 }} spacing="sm" role="search" aria-label="Satisfaction">
      <ProjectAndAgent search={search} onChange={onChange} />
      <NativeSelect
        aria-label="Origin"
        value={search.origin ?? ""}
        data={[
          { value: "", label: "All reactions" },
          ...ORIGINS.map((value) => ({ value: value as string, label: `By ${ORIGIN_LABEL[value].toLowerCase()}` })),
        ]}
        onChange={(event) => onChange({ origin: ORIGINS.find((each) => each === event.currentTarget.value) })}
      />
      <NativeSelect
        aria-label="In steps of"
        value={search.bucket ?? "week"}
        data={BUCKETS.map((value) => ({ value: value as string, label: BUCKET_LABEL[value] }))}
        onChange={(event) => {
          const bucket = BUCKETS.find((each) => each === event.currentTarget.value);
          onChange({ bucket: bucket === "week" ? undefined : bucket });
        }}
      />
      <NativeSelect
        aria-label="Compare"
        value={search.by ?? ""}
        data={[
          { value: "", label: "All together" },
          ...GROUPS.map((value) => ({ value: value as string, label: GROUP_LABEL[value] })),
        ]}
        onChange={(event) => onChange({ by: GROUPS.find((each) => each === event.currentTarget.value) })}
      />
      <PeriodSelect
        period={search}
        fallback={DAYS_SHOWN}
        onChange={({ days, start, end }) => onChange({ days, start, end })}
      />
    </SimpleGrid>
  );
}

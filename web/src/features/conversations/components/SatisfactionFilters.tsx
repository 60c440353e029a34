import { NativeSelect } from "@mantine/core";
import { DAYS_SHOWN } from "../lib/period";
import { ORIGINS, ORIGIN_LABEL } from "../lib/reactions";
import { BUCKETS, GROUPS, REACTIONS_OF, type SatisfactionSearch } from "../lib/search";
import { MoreFilters } from "./MoreFilters";
import { PeriodSelect } from "./PeriodSelect";
import { ProjectAndAgent } from "./ProjectAndAgent";
import classes from "./conversations.module.css";

const BUCKET_LABEL = { day: "By day", week: "By week", month: "By month" } as const;
const GROUP_LABEL = { project: "Compare projects", agent: "Compare agents", origin: "Compare origins" } as const;
const OF_LABEL = { end_user: "Of end users", member: "Of members", all: "Of everybody" } as const;

interface SatisfactionFiltersProps {
  search: SatisfactionSearch;
  onChange: (change: Partial<SatisfactionSearch>) => void;
}

export function SatisfactionFilters({ search, onChange }: SatisfactionFiltersProps) {
  return (
    <div className={classes.filters} role="search" aria-label="Satisfaction">
      <NativeSelect
        aria-label="Reactions of"
        value={search.user_type ?? "end_user"}
        data={REACTIONS_OF.map((value) => ({ value: value as string, label: OF_LABEL[value] }))}
        onChange={(event) => {
          const whose = REACTIONS_OF.find((each) => each === event.currentTarget.value);
          onChange({ user_type: whose === "end_user" ? undefined : whose });
        }}
      />
      <PeriodSelect
        period={search}
        fallback={DAYS_SHOWN}
        onChange={({ days, start, end }) => onChange({ days, start, end })}
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
      <MoreFilters
        active={[search.project, search.agent, search.origin].filter((each) => each !== undefined).length}
        onClear={() => onChange({ project: undefined, agent: undefined, origin: undefined })}
      >
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
      </MoreFilters>
    </div>
  );
}

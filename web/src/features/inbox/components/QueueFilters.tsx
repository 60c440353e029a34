import { NativeSelect } from "@mantine/core";
import { useEveryPage } from "@/api/useEveryPage";
import { CriteriaSetSelect } from "@/features/criteria/components/CriteriaSetSelect";
import { TypeSelect } from "@/features/entity_types/components/TypeSelect";
import { useMembers } from "@/features/tenants/hooks/useMembers";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";
import { canBeAssigned } from "../lib/reviewers";
import type { ReviewFilters } from "../lib/search";
import classes from "./queue.module.css";

interface QueueFiltersProps {
  filters: ReviewFilters;
  onChange: (change: Partial<ReviewFilters>) => void;
}

export function QueueFilters({ filters, onChange }: QueueFiltersProps) {
  return (
    <div className={classes.filters} role="search" aria-label="Proposals">
      <TypeSelect
        aria-label="Type"
        none="All types"
        value={filters.type ?? ""}
        onChange={(type) => onChange({ type: type || undefined, set: undefined })}
      />
      <CriteriaSetSelect
        aria-label="Criteria set"
        none="All criteria sets"
        by="id"
        typeSlug={filters.type}
        value={filters.set ?? ""}
        onChange={(set) => onChange({ set: set || undefined })}
      />
      <NativeSelect
        aria-label="Submitted by"
        value={filters.by ?? ""}
        data={[
          { value: "", label: "By anyone" },
          { value: "person", label: "By people" },
          { value: "agent", label: "By agents" },
        ]}
        onChange={({ currentTarget: { value } }) =>
          onChange({ by: value === "person" || value === "agent" ? value : undefined })
        }
      />
      <AssignedToSelect value={filters.to} onChange={(to) => onChange({ to })} />
    </div>
  );
}

interface AssignedToSelectProps {
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

function AssignedToSelect({ value, onChange }: AssignedToSelectProps) {
  const { userId } = useTenant();
  const { rows = [] } = useEveryPage(useMembers());
  const others = rows.filter(({ user_id, role }) => user_id !== userId && canBeAssigned(role));
  return (
    <NativeSelect
      aria-label="Assigned to"
      value={value ?? ""}
      data={[
        { value: "", label: "Assigned or not" },
        { value: "me", label: "Assigned to me" },
        { value: "nobody", label: "Assigned to nobody" },
        ...others.map(({ user_id, name }) => ({ value: user_id, label: `Assigned to ${name}` })),
      ]}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
    />
  );
}

import { NativeSelect } from "@mantine/core";
import { useEveryPage } from "@/api/useEveryPage";
import { CriteriaSetSelect } from "@/features/criteria/components/CriteriaSetSelect";
import { TypeSelect } from "@/features/entity_types/components/TypeSelect";
import { useAgents } from "@/features/tenants/hooks/useAgents";
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
      <SubmittedBySelect value={filters.by} onChange={(by) => onChange({ by })} />
      <AssignedToSelect value={filters.to} onChange={(to) => onChange({ to })} />
    </div>
  );
}

interface PartySelectProps {
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** A single agent is chosen by its name; a single person only by the address. */
function SubmittedBySelect({ value, onChange }: PartySelectProps) {
  const { rows = [] } = useEveryPage(useAgents());
  const named = ["", "person", "agent", ...rows.map(({ id }) => id)];
  return (
    <NativeSelect
      aria-label="Submitted by"
      value={value ?? ""}
      data={[
        { value: "", label: "By anyone" },
        { value: "person", label: "By people" },
        { value: "agent", label: "By agents" },
        ...rows.map(({ id, name }) => ({ value: id, label: `By ${name}` })),
        ...(named.includes(value ?? "") ? [] : [{ value: value ?? "", label: "By one of them" }]),
      ]}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
    />
  );
}

function AssignedToSelect({ value, onChange }: PartySelectProps) {
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

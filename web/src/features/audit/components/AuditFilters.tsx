import { Button, Menu, NativeSelect, Select, TextInput } from "@mantine/core";
import { PeriodSelect } from "@/features/conversations/components/PeriodSelect";
import { download } from "@/ui/download";
import { notifyProblem } from "@/ui/notify";
import { useTyped } from "@/ui/useTyped";
import { useAuditFile, useDeclaredEvents } from "../hooks/useAudit";
import { ACTOR_KINDS, type AuditSearch } from "../lib/search";
import { inWords } from "../lib/words";
import classes from "./audit.module.css";

const PAUSE_MS = 300; // of typing, before the list follows
const KINDS = { user: "People", agent: "Agents", system: "The system" } as const;

interface AuditFiltersProps {
  search: AuditSearch;
  onChange: (change: Partial<AuditSearch>) => void;
}

export function AuditFilters({ search, onChange }: AuditFiltersProps) {
  const { data } = useDeclaredEvents();
  const { typed, type } = useTyped(search.subject ?? "", (subject) => onChange({ subject: subject || undefined }), PAUSE_MS);
  const names = (data?.data ?? []).map(({ name }) => ({ value: name, label: inWords(name) }));
  return (
    <div className={classes.filters} role="search" aria-label="Audit log">
      <Select
        aria-label="What happened"
        placeholder="Everything that happened"
        searchable
        clearable
        nothingFoundMessage="No such event"
        data={names}
        value={search.name ?? null}
        onChange={(name) => onChange({ name: name ?? undefined })}
      />
      <NativeSelect
        aria-label="By whom"
        value={search.kind ?? ""}
        data={[{ value: "", label: "By anybody" }, ...ACTOR_KINDS.map((kind) => ({ value: kind as string, label: KINDS[kind] }))]}
        onChange={(event) => onChange({ kind: ACTOR_KINDS.find((each) => each === event.currentTarget.value), actor: undefined })}
      />
      <TextInput
        aria-label="About, by id"
        placeholder="About, by id"
        maxLength={500}
        value={typed}
        onChange={(event) => type(event.currentTarget.value)}
      />
      <PeriodSelect
        period={search}
        fallback={null}
        onChange={({ days, start, end }) => onChange({ days, start, end })}
      />
      <ExportMenu search={search} />
    </div>
  );
}

const FORMATS = [
  { format: "csv", label: "As a table (CSV)", type: "text/csv;charset=utf-8" },
  { format: "jsonl", label: "As lines of JSON", type: "application/x-ndjson" },
] as const;

function ExportMenu({ search }: { search: AuditSearch }) {
  const read = useAuditFile(search);
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default">Export</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {FORMATS.map(({ format, label, type }) => (
          <Menu.Item
            key={format}
            onClick={() =>
              void read(format).then(
                (text) => download(new Blob([text as string], { type }), `audit.${format}`),
                (error: unknown) => notifyProblem("The file was not made", error),
              )
            }
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

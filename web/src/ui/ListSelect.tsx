import { Anchor, NativeSelect, Select } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useEveryPage } from "@/api/useEveryPage";
import type { PagedList } from "@/api/usePagedList";

const SHORT_LIST = 20; // options that can be overlooked without searching

interface Option {
  value: string;
  label: string;
}

interface ListSelectProps<Row> {
  list: PagedList<Row>;
  /** Null for rows that cannot be chosen. */
  option: (row: Row) => Option | null;
  /** "" is no choice. */
  value: string;
  onChange: (value: string) => void;
  /** What choosing nothing is called; absent where something must be chosen. */
  none?: string | undefined;
  /** How a value that is not in the list is called; else by itself. */
  unknown?: string | undefined;
  label?: string;
  "aria-label"?: string;
  description?: ReactNode;
  placeholder?: string;
  error?: ReactNode;
  required?: boolean;
  disabled?: boolean;
  maw?: number;
}

/** A choice among the rows of a paged list, all of them: a short list opens as it is, a long one can be searched. */
export function ListSelect<Row>(props: ListSelectProps<Row>) {
  const { list, option, value, onChange, none, unknown, placeholder, error, ...input } = props;
  const [opened, setOpened] = useState(false);
  const known = (list.rows ?? []).flatMap((row) => option(row) ?? []);
  const isKnown = value === "" || known.some((each) => each.value === value);
  const { query } = useEveryPage(list, opened || !isKnown);
  const options = isKnown ? known : [{ value, label: unknown ?? value }, ...known];
  const problem = error ?? (query.isError && <NotAll onRetry={() => retry(list)} />);
  if (!query.hasNextPage && options.length <= SHORT_LIST) {
    const empty = none ?? (value === "" ? (placeholder ?? "Choose…") : undefined);
    return (
      <NativeSelect
        {...input}
        error={problem}
        data={[...(empty === undefined ? [] : [{ value: "", label: empty }]), ...options]}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  const name = input.label ?? input["aria-label"] ?? "choice";
  return (
    <Select
      {...input}
      error={problem}
      placeholder={none ?? placeholder ?? "Choose…"}
      searchable
      clearable={none !== undefined}
      clearButtonProps={{ "aria-label": `Clear ${name.toLowerCase()}` }}
      nothingFoundMessage={query.hasNextPage && !query.isError ? "Loading more…" : "Nothing matches"}
      // The list itself scrolls, not a box around it that keys cannot reach.
      withScrollArea={false}
      styles={{ options: { maxHeight: 260, overflowY: "auto" } }}
      data={options}
      value={value || null}
      onDropdownOpen={() => setOpened(true)}
      onChange={(next) => (next !== null || none !== undefined) && onChange(next ?? "")}
    />
  );
}

function retry<Row>({ query }: PagedList<Row>): void {
  void (query.data ? query.fetchNextPage() : query.refetch());
}

function NotAll({ onRetry }: { onRetry: () => void }) {
  return (
    <>
      These could not all be loaded.{" "}
      <Anchor component="button" type="button" size="xs" underline="always" onClick={onRetry}>
        Try again
      </Anchor>
    </>
  );
}

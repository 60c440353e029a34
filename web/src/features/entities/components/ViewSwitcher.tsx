import { NativeSelect, Select } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { View } from "@/api/types";
import { useRecordSearch } from "../hooks/useRecordSearch";
import { ALL_FIELDS } from "../lib/search";
import classes from "./record.module.css";

const SIDE_BY_SIDE = 5; // choices that fit in a line
const SHORT_LIST = 20; // choices that can be overlooked without searching

interface ViewSwitcherProps {
  entityId: string;
  offered: readonly View[];
  /** Null: all fields. */
  shown: View | null;
}

/** The ways to look at a record. The choice is in the address, so that it can be sent to a colleague. */
export function ViewSwitcher({ entityId, offered, shown }: ViewSwitcherProps) {
  const { change } = useRecordSearch();
  const current = shown?.slug ?? ALL_FIELDS;
  const choices = [
    ...offered.map(({ slug, name }) => ({ value: slug, label: name })),
    { value: ALL_FIELDS, label: "All fields" },
  ];
  if (choices.length <= SIDE_BY_SIDE) {
    return (
      <nav className={classes.views} aria-label="Views">
        {choices.map(({ value, label }) => (
          <Link
            key={value}
            to="/records/$id"
            params={{ id: entityId }}
            search={{ view: value }}
            replace
            className={classes.view}
            data-current={value === current || undefined}
            aria-current={value === current ? "true" : undefined}
            activeProps={{}}
          >
            {label}
          </Link>
        ))}
      </nav>
    );
  }
  const shared = { "aria-label": "View", data: choices, value: current, maw: 320, mb: "md" };
  return choices.length <= SHORT_LIST ? (
    <NativeSelect {...shared} onChange={(event) => change({ view: event.currentTarget.value })} />
  ) : (
    <Select {...shared} searchable allowDeselect={false} onChange={(view) => view && change({ view })} />
  );
}

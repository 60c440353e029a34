import { Code, Stack, Text } from "@mantine/core";
import type { CriteriaSet, Dimension } from "@/api/types";
import { type Column, DataTable } from "@/ui/table/DataTable";
import { typeRow } from "../lib/dimensionTypes";
import { draftOf } from "../lib/draft";
import classes from "./CriteriaSetEditor.module.css";
import { CriteriaSetPreview } from "./CriteriaSetPreview";

const columns: Column<Dimension>[] = [
  {
    key: "label",
    header: "Dimension",
    cell: ({ label, key, description }) => (
      <Stack gap={2} align="flex-start">
        <Text size="sm" fw={550}>
          {label}
        </Text>
        {description && (
          <Text size="xs" c="dimmed">
            {description}
          </Text>
        )}
        <Code>{key}</Code>
      </Stack>
    ),
  },
  { key: "type", header: "Type", cell: ({ type }) => typeRow(type).label },
  { key: "range", header: "Takes", cell: takes },
  { key: "fieldName", header: "Field", cell: ({ fieldName }) => fieldName || "–" },
];

function takes({ scale, step, options }: Dimension): string {
  if (options) return options.slice(0, 6).join(", ") + (options.length > 6 ? ` … (${options.length})` : "");
  const range = scale ? `${scale[0]} to ${scale[1]}` : "";
  return [range, step ? `steps of ${step}` : ""].filter(Boolean).join(", ") || "–";
}

/** A set that cannot be changed here, or not by whoever looks at it. */
export function CriteriaSetReadOnly({ set }: { set: CriteriaSet }) {
  return (
    <div className={classes.columns}>
      {set.dimensions.length > 0 ? (
        <DataTable label="Dimensions" columns={columns} rows={set.dimensions} rowKey={({ key }) => key} />
      ) : (
        <Text size="sm" c="dimmed">
          No field of the type can be filled in by a form.
        </Text>
      )}
      <div className={classes.preview}>
        <CriteriaSetPreview draft={draftOf(set)} />
      </div>
    </div>
  );
}

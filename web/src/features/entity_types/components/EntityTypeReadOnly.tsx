import { Badge, Code, Group, Stack, Text } from "@mantine/core";
import type { EntityType } from "@/api/types";
import { type Column, DataTable } from "@/ui/table/DataTable";
import { type FieldDraft, KIND_LABEL } from "../lib/fieldDraft";
import { humanize } from "../lib/fields";
import { readFields } from "../lib/typeDraft";

const columns: Column<FieldDraft>[] = [
  {
    key: "name",
    header: "Field",
    cell: ({ label, name, description, required }) => (
      <Stack gap={2} align="flex-start">
        <Group gap={6}>
          <Text size="sm" fw={550}>
            {label || humanize(name)}
          </Text>
          {required && <Badge color="gray">Required</Badge>}
        </Group>
        {description && (
          <Text size="xs" c="dimmed">
            {description}
          </Text>
        )}
        <Code>{name}</Code>
      </Stack>
    ),
  },
  { key: "kind", header: "Type", cell: ({ kind }) => KIND_LABEL[kind] },
];

/** For those who may look and not change. */
export function EntityTypeReadOnly({ type }: { type: EntityType }) {
  const { fields } = readFields({ json_schema: type.json_schema, field_configs: type.field_configs });
  if (fields.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        Records of this type have a title only.
      </Text>
    );
  }
  return <DataTable label="Fields" columns={columns} rows={fields} rowKey={({ name }) => name} />;
}

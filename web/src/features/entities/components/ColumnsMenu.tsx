import { ActionIcon, Button, Checkbox, Group, Popover, Stack, Text } from "@mantine/core";
import { ArrowUpIcon, ViewVerticalIcon } from "@radix-ui/react-icons";
import type { Field } from "@/features/entity_types/lib/fields";
import { MAX_COLUMNS } from "../lib/search";

interface ColumnsMenuProps {
  fields: readonly Field[];
  /** Keys, in order. */
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}

/** Which fields are columns, and in which order: chosen ones come first, each can be moved before the one above. */
export function ColumnsMenu({ fields, chosen, onChange }: ColumnsMenuProps) {
  const first = chosen.flatMap((key) => fields.find((field) => field.key === key) ?? []);
  const ordered = [...first, ...fields.filter(({ key }) => !chosen.includes(key))];
  const toggle = (key: string) =>
    onChange(chosen.includes(key) ? chosen.filter((each) => each !== key) : [...chosen, key]);
  const moveUp = (place: number) => {
    const moved = [...chosen];
    moved.splice(place - 1, 2, ...moved.slice(place - 1, place + 1).reverse());
    onChange(moved);
  };
  return (
    <Popover position="bottom-end" width={260} trapFocus withinPortal={false}>
      <Popover.Target>
        <Button variant="default" size="xs" leftSection={<ViewVerticalIcon />}>
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns" mah={360} style={{ overflowY: "auto" }}>
        <Stack gap={6}>
          {ordered.map(({ key, label }, place) => (
            <Group key={key} justify="space-between" wrap="nowrap" mih={26}>
              <Checkbox
                size="xs"
                label={label}
                checked={chosen.includes(key)}
                disabled={!chosen.includes(key) && chosen.length >= MAX_COLUMNS}
                onChange={() => toggle(key)}
              />
              {place > 0 && place < chosen.length && (
                <ActionIcon size="sm" variant="subtle" color="gray" aria-label={`Move ${label} up`} onClick={() => moveUp(place)}>
                  <ArrowUpIcon />
                </ActionIcon>
              )}
            </Group>
          ))}
          {ordered.length === 0 && (
            <Text size="sm" c="dimmed">
              This type has no fields yet.
            </Text>
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

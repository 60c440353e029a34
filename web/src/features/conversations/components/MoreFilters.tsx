import { Badge, Button, Group, Popover, Stack } from "@mantine/core";
import { MixerHorizontalIcon } from "@radix-ui/react-icons";
import { type ReactNode, useState } from "react";

interface MoreFiltersProps {
  /** How many of them narrow. */
  active: number;
  onClear: () => void;
  children: ReactNode;
}

/** Filters that are not always in sight; how many of them are set is. */
export function MoreFilters({ active, onClear, children }: MoreFiltersProps) {
  const [opened, setOpened] = useState(false);
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" width={300} trapFocus returnFocus shadow="md">
      <Popover.Target>
        <Button
          variant="default"
          fw={500}
          leftSection={<MixerHorizontalIcon aria-hidden />}
          rightSection={active > 0 && <Badge size="sm" color="gold">{active}</Badge>}
          aria-label={active > 0 ? `Filter, ${active} active` : "Filter"}
          onClick={() => setOpened(!opened)}
        >
          Filter
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="sm">
          {children}
          <Group justify="space-between">
            <Button variant="subtle" color="gray" size="xs" disabled={active === 0} onClick={onClear}>
              Clear these
            </Button>
            <Button variant="default" size="xs" onClick={() => setOpened(false)}>
              Done
            </Button>
          </Group>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

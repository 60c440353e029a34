import { Group, Select, type SelectProps, Stack, Text } from "@mantine/core";
import { CheckIcon } from "@radix-ui/react-icons";
import type { Role } from "@/api/types";
import { ROLE_SUMMARY, roleOptions } from "../lib/roles";

interface RoleSelectProps extends Omit<SelectProps, "data" | "value" | "onChange"> {
  roles: readonly Role[];
  value?: Role;
  onChange?: (role: Role) => void;
}

export function RoleSelect({ roles, value, onChange, ...rest }: RoleSelectProps) {
  return (
    <Select
      {...rest}
      data={roleOptions(roles)}
      value={value ?? null}
      onChange={(role) => role && onChange?.(role as Role)}
      allowDeselect={false}
      maxDropdownHeight={360}
      comboboxProps={{ width: 300, position: "bottom-start" }}
      renderOption={({ option, checked }) => (
        <Group justify="space-between" wrap="nowrap" flex={1}>
          <Stack gap={0}>
            <Text size="sm" fw={550}>
              {option.label}
            </Text>
            <Text size="xs" c="dimmed">
              {ROLE_SUMMARY[option.value as Role]}
            </Text>
          </Stack>
          {checked && <CheckIcon aria-hidden />}
        </Group>
      )}
    />
  );
}

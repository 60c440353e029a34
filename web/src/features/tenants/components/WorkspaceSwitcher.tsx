import { Button, Menu, Text } from "@mantine/core";
import { CaretSortIcon } from "@radix-ui/react-icons";
import type { SessionWorkspace } from "@/api/types";
import { chooseWorkspace } from "../lib/workspaceChoice";
import { roleLabel } from "../lib/roles";

interface WorkspaceSwitcherProps {
  current: SessionWorkspace;
  workspaces: readonly SessionWorkspace[];
}

export function WorkspaceSwitcher({ current, workspaces }: WorkspaceSwitcherProps) {
  if (workspaces.length < 2) {
    return (
      <Text size="sm" fw={550} truncate miw={0}>
        {current.name}
      </Text>
    );
  }
  return (
    <Menu position="bottom-start" width={260}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          c="var(--mantine-color-text)"
          size="compact-md"
          px={8}
          fz="sm"
          fw={550}
          miw={0}
          rightSection={<CaretSortIcon aria-hidden />}
          aria-label={`Workspace: ${current.name}. Switch workspace`}
        >
          {current.name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Workspaces</Menu.Label>
        <Menu.RadioGroup value={current.slug} onChange={chooseWorkspace}>
          {workspaces.map((workspace) => (
            <Menu.RadioItem key={workspace.slug} value={workspace.slug} closeMenuOnClick>
              <Text size="sm" fw={550}>
                {workspace.name}
              </Text>
              <Text size="xs" c="dimmed">
                {roleLabel(workspace.role)}
              </Text>
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}

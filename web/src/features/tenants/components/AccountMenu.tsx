import { ActionIcon, Avatar, Menu, Text, VisuallyHidden } from "@mantine/core";
import { ExitIcon, PersonIcon } from "@radix-ui/react-icons";
import { Link } from "@tanstack/react-router";
import { notifyProblem } from "@/ui/notify";
import { useSession, useSignOut } from "../hooks/useSession";

export function AccountMenu() {
  const { user } = useSession();
  const signOut = useSignOut();
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="transparent" size="lg" radius="xl">
          <Avatar size={28} color="gold" name={user.name || user.email} aria-hidden />
          <VisuallyHidden>Account of {user.name || user.email}</VisuallyHidden>
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={550} c="var(--mantine-color-text)" truncate>
            {user.name || user.email}
          </Text>
          <Text size="xs" truncate>
            {user.email}
          </Text>
        </Menu.Label>
        <Menu.Divider />
        <Menu.Item component={Link} to="/settings/account" leftSection={<PersonIcon />}>
          Account and password
        </Menu.Item>
        <Menu.Item
          leftSection={<ExitIcon />}
          onClick={() => signOut.mutate(undefined, { onError: (error) => notifyProblem("Still signed in", error) })}
        >
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

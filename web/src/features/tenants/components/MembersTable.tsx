import { ActionIcon, Badge, Group, Menu, Stack, Text } from "@mantine/core";
import { DotsHorizontalIcon, ExitIcon, Link2Icon, LockClosedIcon, TrashIcon } from "@radix-ui/react-icons";
import { useState } from "react";
import type { Member, Role } from "@/api/types";
import { PagedRows } from "@/ui/PagedRows";
import { RelativeTime } from "@/ui/RelativeTime";
import { confirmDanger } from "@/ui/confirm";
import { notifyDone, notifyProblem } from "@/ui/notify";
import { EmptyState } from "@/ui/states";
import { type Column, DataTable } from "@/ui/table/DataTable";
import type { Sort } from "@/ui/table/sort";
import { useMemberActions, useMembers } from "../hooks/useMembers";
import { useCan, useCurrentWorkspace, useTenant } from "../hooks/useWorkspace";
import { ROLES, grantableRoles, roleLabel } from "../lib/roles";
import { InviteLinkDialog, type InviteLinkProps } from "./InviteLinkDialog";
import { ResetLinkDialog } from "./ResetLinkDialog";
import { RoleSelect } from "./RoleSelect";

export const MEMBER_SORTS = ["name", "role", "status", "created_at"] as const;

interface MembersTableProps {
  sort: Sort;
  onSort: (sort: Sort) => void;
}

export function MembersTable({ sort, onSort }: MembersTableProps) {
  const members = useMembers();
  const { userId } = useTenant();
  const canManage = useCan()("members.team.manage");
  const ownRole = useCurrentWorkspace()?.role ?? "viewer";
  const actions = useMemberActions();
  const [link, setLink] = useState<InviteLinkProps | null>(null);
  const [resetting, setResetting] = useState<Member | null>(null);

  const changeRole = (member: Member, role: Role) =>
    actions.changeRole.mutate(
      { user_id: member.user_id, role },
      {
        onSuccess: () => notifyDone(`${member.name || member.email} is now ${role}.`),
        onError: (error) => notifyProblem("The role was not changed", error),
      },
    );
  const renewInvite = (member: Member) =>
    actions.renewInvite.mutate(member.user_id, {
      onSuccess: ({ invite_token: token, invite_expires_at: expiresAt }) =>
        setLink({ name: member.name || member.email, token, expiresAt }),
      onError: (error) => notifyProblem("No link was made", error),
    });
  const signOut = (member: Member) =>
    confirmDanger({
      title: `Sign ${member.name || member.email} out?`,
      children: "They have to sign in again to enter this workspace, in every browser. Their keys go on working.",
      action: "Sign out",
      onConfirm: () =>
        actions.signOut.mutate(member.user_id, {
          onSuccess: () => notifyDone(`${member.name || member.email} is signed out.`),
          onError: (error) => notifyProblem("Nobody was signed out", error),
        }),
    });
  const remove = (member: Member) =>
    confirmDanger({
      title: `Remove ${member.name || member.email}?`,
      children:
        member.status === "invited"
          ? "Their link stops working."
          : "They lose access at once. What they wrote stays, under their name.",
      action: "Remove",
      onConfirm: () =>
        actions.remove.mutate(member.user_id, {
          onSuccess: () => notifyDone(`${member.name || member.email} was removed.`),
          onError: (error) => notifyProblem("Nobody was removed", error),
        }),
    });

  const columns: Column<Member>[] = [
    {
      key: "name",
      header: "Member",
      sortValue: (member) => member.name || member.email,
      cell: (member) => (
        <Stack gap={0}>
          <Text size="sm" fw={550}>
            {member.name || member.email}
            {member.user_id === userId && (
              <Text span c="dimmed" fw={400}>
                {" "}
                (you)
              </Text>
            )}
          </Text>
          {member.name && (
            <Text size="xs" c="dimmed">
              {member.email}
            </Text>
          )}
        </Stack>
      ),
    },
    {
      key: "role",
      header: "Role",
      sortValue: (member) => ROLES.indexOf(member.role),
      cell: (member) =>
        canManage && grantableRoles(ownRole).includes(member.role) ? (
          <RoleSelect
            w={150}
            size="xs"
            aria-label={`Role of ${member.name || member.email}`}
            roles={grantableRoles(ownRole)}
            value={member.role}
            onChange={(role) => role !== member.role && changeRole(member, role)}
          />
        ) : (
          roleLabel(member.role)
        ),
    },
    {
      key: "status",
      header: "Status",
      sortValue: (member) => member.status,
      cell: (member) => (
        <Badge color={member.status === "active" ? "green" : "gold"}>
          {member.status === "active" ? "Active" : "Invited"}
        </Badge>
      ),
    },
    {
      key: "sign_in",
      header: "Signs in with",
      cell: (member) => <SignInWays member={member} />,
    },
    {
      key: "created_at",
      header: "Added",
      sortValue: (member) => member.created_at,
      cell: (member) => <RelativeTime value={member.created_at} />,
    },
  ];
  if (canManage) {
    columns.push({
      key: "actions",
      header: "Actions",
      hideHeader: true,
      cell: (member) => (
        <MemberMenu
          member={member}
          canReset={grantableRoles(ownRole).includes(member.role)}
          onInvite={renewInvite}
          onReset={setResetting}
          onSignOut={signOut}
          onRemove={remove}
        />
      ),
    });
  }

  return (
    <>
      <PagedRows
        list={members}
        what="members"
        sorted
        empty={<EmptyState title="Nobody here yet">Invite the people you work with.</EmptyState>}
      >
        {(rows) => (
          <DataTable
            label="Members"
            columns={columns}
            rows={rows}
            rowKey={(member) => member.user_id}
            sort={sort}
            onSort={onSort}
          />
        )}
      </PagedRows>
      <InviteLinkDialog invite={link} onClose={() => setLink(null)} />
      <ResetLinkDialog member={resetting} onClose={() => setResetting(null)} />
    </>
  );
}

interface MemberMenuProps {
  member: Member;
  canReset: boolean;
  onInvite: (member: Member) => void;
  onReset: (member: Member) => void;
  onSignOut: (member: Member) => void;
  onRemove: (member: Member) => void;
}

function MemberMenu({ member, canReset, onInvite, onReset, onSignOut, onRemove }: MemberMenuProps) {
  return (
    <Group justify="flex-end">
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${member.name || member.email}`}>
            <DotsHorizontalIcon />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {member.status === "invited" && (
            <Menu.Item leftSection={<Link2Icon />} onClick={() => onInvite(member)}>
              New invitation link
            </Menu.Item>
          )}
          {member.status === "active" && canReset && (
            <>
              <Menu.Item leftSection={<LockClosedIcon />} onClick={() => onReset(member)}>
                Link to a new password
              </Menu.Item>
              <Menu.Item leftSection={<ExitIcon />} onClick={() => onSignOut(member)}>
                Sign out everywhere
              </Menu.Item>
            </>
          )}
          <Menu.Item color="var(--mantine-color-error)" leftSection={<TrashIcon />} onClick={() => onRemove(member)}>
            Remove from workspace
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}

function SignInWays({ member }: { member: Member }) {
  const { password, second_factor: secondFactor, providers } = member.sign_in;
  const ways = [...(password ? [secondFactor ? "Password and code" : "Password"] : []), ...providers];
  return (
    <>
      <Text size="sm">{ways.join(", ") || "–"}</Text>
      {member.role_from && (
        <Text size="xs" c="dimmed">{`Role from ${member.role_from}`}</Text>
      )}
    </>
  );
}

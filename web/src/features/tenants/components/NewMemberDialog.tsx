import { Button, Group, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import type { MemberAdded, Role } from "@/api/types";
import { Modal } from "@/ui/Modal";
import { FormProblem } from "@/ui/states";
import { useProblemForm } from "@/ui/useProblemForm";
import { useMemberActions } from "../hooks/useMembers";
import { useCurrentWorkspace } from "../hooks/useWorkspace";
import { grantableRoles } from "../lib/roles";
import { InviteLink } from "./InviteLinkDialog";
import { RoleSelect } from "./RoleSelect";

interface NewMemberDialogProps {
  opened: boolean;
  onClose: () => void;
}

export function NewMemberDialog({ opened, onClose }: NewMemberDialogProps) {
  const [added, setAdded] = useState<MemberAdded | null>(null);
  const close = () => {
    onClose();
    setAdded(null);
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={added ? `${added.member.name || added.member.email} was invited` : "New member"}
      closeOnClickOutside={added === null}
    >
      {added ? <Added added={added} onDone={close} /> : <NewMemberForm onAdded={setAdded} onCancel={close} />}
    </Modal>
  );
}

function Added({ added, onDone }: { added: MemberAdded; onDone: () => void }) {
  return (
    <>
      <InviteLink
        name={added.member.name || added.member.email}
        token={added.invite_token}
        expiresAt={added.invite_expires_at}
      />
      <Group justify="flex-end" mt="lg">
        <Button onClick={onDone}>Done</Button>
      </Group>
    </>
  );
}

interface NewMemberFormProps {
  onAdded: (added: MemberAdded) => void;
  onCancel: () => void;
}

function NewMemberForm({ onAdded, onCancel }: NewMemberFormProps) {
  const { add } = useMemberActions();
  const roles = grantableRoles(useCurrentWorkspace()?.role ?? "viewer");
  const form = useForm<{ email: string; name: string; role: Role }>({
    initialValues: { email: "", name: "", role: "contributor" },
    validate: { email: (value) => (/^\S+@\S+$/.test(value.trim()) ? null : "Enter an email address") },
  });
  const problem = useProblemForm(form);

  const submit = form.onSubmit(async ({ email, name, role }) => {
    problem.clear();
    try {
      onAdded(await add.mutateAsync({ email: email.trim(), role, ...(name.trim() ? { name: name.trim() } : {}) }));
    } catch (error) {
      problem.place(error);
    }
  });

  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <FormProblem>{problem.head}</FormProblem>
        <TextInput label="Email" type="email" data-autofocus {...form.getInputProps("email")} />
        <TextInput label="Name" description="Optional; they choose their own when they join" {...form.getInputProps("name")} />
        <RoleSelect label="Role" roles={roles} {...form.getInputProps("role")} />
        <Group justify="flex-end" mt="xs">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={add.isPending}>
            Invite
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

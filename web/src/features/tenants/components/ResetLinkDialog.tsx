import { Button, Checkbox, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { toProblem } from "@/api/problem";
import type { Member } from "@/api/types";
import { CopyBox } from "@/ui/CopyBox";
import { Modal } from "@/ui/Modal";
import { RelativeTime } from "@/ui/RelativeTime";
import { FormProblem } from "@/ui/states";
import { useMemberActions } from "../hooks/useMembers";
import { resetLink } from "../lib/invite";

interface ResetLinkDialogProps {
  member: Member | null;
  onClose: () => void;
}

/** A link by which a member sets a new password: asked for, then shown once. */
export function ResetLinkDialog({ member, onClose }: ResetLinkDialogProps) {
  return (
    <Modal opened={member !== null} onClose={onClose} title="Link to a new password" closeOnClickOutside={false}>
      {member && <ResetLink key={member.user_id} member={member} onDone={onClose} />}
    </Modal>
  );
}

function ResetLink({ member, onDone }: { member: Member; onDone: () => void }) {
  const { reset } = useMemberActions();
  const [dropsFactor, setDropsFactor] = useState(false);
  const name = member.name || member.email;
  if (reset.data) {
    return (
      <Stack>
        <Text size="sm">
          Send this link to {name}. Whoever opens it sets a new password and is signed in. It is shown only this once,
          good once, and expires <RelativeTime value={reset.data.reset_expires_at} />.
        </Text>
        <CopyBox label="Link" autoFocus value={resetLink(window.location.origin, reset.data.reset_token)} />
        <Group justify="flex-end">
          <Button onClick={onDone}>Done</Button>
        </Group>
      </Stack>
    );
  }
  return (
    <Stack>
      <FormProblem>{reset.error && toProblem(reset.error).message}</FormProblem>
      <Text size="sm">
        {`With the link ${name} sets a new password for this workspace. They are signed out then, and accounts elsewhere that they signed in with are not linked any more.`}
      </Text>
      {member.sign_in.second_factor && (
        <Checkbox
          label="Take their second factor away as well"
          description="For somebody who has lost their telephone and their recovery codes"
          checked={dropsFactor}
          onChange={(event) => setDropsFactor(event.currentTarget.checked)}
        />
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        <Button
          data-autofocus
          loading={reset.isPending}
          onClick={() => reset.mutate({ user_id: member.user_id, second_factor: dropsFactor })}
        >
          New link
        </Button>
      </Group>
    </Stack>
  );
}

import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { CopyBox } from "@/ui/CopyBox";
import { RelativeTime } from "@/ui/RelativeTime";
import { inviteLink } from "../lib/invite";

export interface InviteLinkProps {
  name: string;
  token: string;
  expiresAt?: string | null;
}

/** The link itself, for wherever an invitation has just been made. */
export function InviteLink({ name, token, expiresAt }: InviteLinkProps) {
  return (
    <Stack>
      <Text size="sm">
        Send this link to {name}. Whoever opens it chooses a name and a password, and is in. It is shown only this
        once{expiresAt ? <> and expires <RelativeTime value={expiresAt} /></> : null}.
      </Text>
      <CopyBox label="Invitation link" value={inviteLink(window.location.origin, token)} />
    </Stack>
  );
}

interface InviteLinkDialogProps {
  invite: InviteLinkProps | null;
  onClose: () => void;
}

export function InviteLinkDialog({ invite, onClose }: InviteLinkDialogProps) {
  return (
    <Modal opened={invite !== null} onClose={onClose} title="Invitation link" closeOnClickOutside={false}>
      {invite && <InviteLink {...invite} />}
      <Group justify="flex-end" mt="lg">
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Modal>
  );
}

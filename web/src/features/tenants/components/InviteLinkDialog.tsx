import { Button, Group, Stack, Text } from "@mantine/core";
import { CopyBox } from "@/ui/CopyBox";
import { Modal } from "@/ui/Modal";
import { RelativeTime } from "@/ui/RelativeTime";
import { inviteLink } from "../lib/invite";

export interface InviteLinkProps {
  name: string;
  token: string;
  expiresAt: string;
}

/** The link itself, for wherever an invitation has just been made. */
export function InviteLink({ name, token, expiresAt }: InviteLinkProps) {
  return (
    <Stack>
      <Text size="sm">
        Send this link to {name}, who joins by opening it: with a name and a password, or signed in if they already
        have an account. Until then they are invited and see nothing. The link is shown only this once and expires{" "}
        <RelativeTime value={expiresAt} />.
      </Text>
      <CopyBox label="Invitation link" autoFocus value={inviteLink(window.location.origin, token)} />
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

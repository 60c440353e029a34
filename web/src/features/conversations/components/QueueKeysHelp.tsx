import { Group, Kbd, Modal, Switch, Table, Text, UnstyledButton } from "@mantine/core";
import { QUEUE_KEYS } from "../lib/queueKeys";
import classes from "./conversations.module.css";

/** The keys that matter most; all of them on demand. */
export function QueueKeysHint({ onClick }: { onClick: () => void }) {
  return (
    <UnstyledButton className={classes.keysHint} aria-label="Settle by keyboard" onClick={onClick}>
      <span className={classes.keysFew}>
        <Kbd size="xs">j</Kbd> <Kbd size="xs">k</Kbd> move
      </span>
      <span className={classes.keysFew}>
        <Kbd size="xs">1</Kbd>–<Kbd size="xs">5</Kbd> choose
      </span>
      <span className={classes.keysFew}>
        <Kbd size="xs">Enter</Kbd> settle
      </span>
      <span>
        <Kbd size="xs">?</Kbd> all keys
      </span>
    </UnstyledButton>
  );
}

interface QueueKeysHelpProps {
  opened: boolean;
  /** Whether the keys work wherever the focus is. */
  anywhere: boolean;
  onAnywhere: (anywhere: boolean) => void;
  onClose: () => void;
}

export function QueueKeysHelp({ opened, anywhere, onAnywhere, onClose }: QueueKeysHelpProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Settle by keyboard" size="sm">
      <Table withRowBorders={false} aria-label="Keys">
        <Table.Tbody>
          {QUEUE_KEYS.map(({ keys, means }) => (
            <Table.Tr key={means}>
              <Table.Td>{means}</Table.Td>
              <Table.Td>
                <Group gap={4} justify="flex-end">
                  {keys.map((key) => (key === "…" ? <span key={key}>{key}</span> : <Kbd key={key}>{key}</Kbd>))}
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Switch
        mt="sm"
        label="Letters and digits work on the whole tab"
        description="Off: only while the focus is in the queue"
        checked={anywhere}
        onChange={(event) => onAnywhere(event.currentTarget.checked)}
      />
      <Text size="xs" c="dimmed" mt="sm">
        Settling cannot be taken back: a digit only goes to the answer, and Enter settles it.
      </Text>
    </Modal>
  );
}

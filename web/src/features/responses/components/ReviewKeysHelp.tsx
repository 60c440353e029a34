import { Button, Group, Kbd, Modal, Switch, Table, Text, UnstyledButton } from "@mantine/core";
import { KeyboardIcon } from "@radix-ui/react-icons";
import { REVIEW_KEYS } from "../lib/keyboard";
import classes from "./responses.module.css";

interface ReviewKeysHintProps {
  /** Whether the keys work wherever the focus is. */
  anywhere: boolean;
  onClick: () => void;
}

/** The keys that matter most, where they work at once; all of them on demand. */
export function ReviewKeysHint({ anywhere, onClick }: ReviewKeysHintProps) {
  if (!anywhere) {
    return (
      <Button variant="subtle" color="gray" leftSection={<KeyboardIcon />} onClick={onClick}>
        Keys
      </Button>
    );
  }
  return (
    <UnstyledButton className={classes.keysHint} aria-label="Keys" title="Review by keyboard" onClick={onClick}>
      <span className={classes.keysFew}>
        <Kbd size="xs">j</Kbd> <Kbd size="xs">k</Kbd> move
      </span>
      <span className={classes.keysFew}>
        <Kbd size="xs">p</Kbd> promote
      </span>
      <span className={classes.keysFew}>
        <Kbd size="xs">r</Kbd> reject
      </span>
      <span>
        <Kbd size="xs">?</Kbd> all keys
      </span>
    </UnstyledButton>
  );
}

interface ReviewKeysHelpProps {
  opened: boolean;
  /** Whether the keys work wherever the focus is; undefined where they cannot. */
  anywhere: boolean | undefined;
  onAnywhere: (anywhere: boolean) => void;
  onClose: () => void;
}

export function ReviewKeysHelp({ opened, anywhere, onAnywhere, onClose }: ReviewKeysHelpProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Review by keyboard" size="sm">
      <Table withRowBorders={false} aria-label="Keys">
        <Table.Tbody>
          {REVIEW_KEYS.map(({ keys, means }) => (
            <Table.Tr key={means}>
              <Table.Td>{means}</Table.Td>
              <Table.Td>
                <Group gap={4} justify="flex-end">
                  {keys.map((key) => (
                    <Kbd key={key}>{key}</Kbd>
                  ))}
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {anywhere !== undefined && (
        <Switch
          mt="sm"
          label="Letters work on the whole tab"
          description="Off: only while the focus is in the list"
          checked={anywhere}
          onChange={(event) => onAnywhere(event.currentTarget.checked)}
        />
      )}
      <Text size="xs" c="dimmed" mt="sm">
        {anywhere
          ? "Arrows work in the list, letters on the whole tab while nothing is typed and no dialog is open. "
          : "The keys work while the focus is in the list of responses. "}
        In the dialogs, Enter confirms and Escape leaves.
      </Text>
    </Modal>
  );
}

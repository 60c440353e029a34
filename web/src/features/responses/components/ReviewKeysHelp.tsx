import { Group, Kbd, Modal, Table, Text } from "@mantine/core";
import { REVIEW_KEYS } from "../lib/keyboard";

interface ReviewKeysHelpProps {
  opened: boolean;
  onClose: () => void;
}

export function ReviewKeysHelp({ opened, onClose }: ReviewKeysHelpProps) {
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
      <Text size="xs" c="dimmed" mt="sm">
        The keys work while the focus is in the list of responses. In the dialogs, Enter confirms and Escape leaves.
      </Text>
    </Modal>
  );
}

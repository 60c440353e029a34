import { Group, Kbd, Switch, Table, Text, UnstyledButton } from "@mantine/core";
import { Fragment, type ReactNode } from "react";
import classes from "./Keys.module.css";
import { Modal } from "./Modal";

/** Some keys and what they do; "…" stands for those between. */
export interface KeyRow {
  keys: readonly string[];
  means: string;
}

interface KeysHintProps {
  label: string;
  title?: string;
  rows: readonly KeyRow[];
  onClick: () => void;
}

/** The keys that matter most; all of them on demand. */
export function KeysHint({ label, title, rows, onClick }: KeysHintProps) {
  return (
    <UnstyledButton className={classes.hint} aria-label={label} title={title} onClick={onClick}>
      {rows.map(({ keys, means }) => (
        <span key={means} className={classes.few}>
          {keys.map((key) => (
            <Fragment key={key}>{isKey(key) ? <Kbd size="xs">{key}</Kbd> : key} </Fragment>
          ))}
          {means}
        </span>
      ))}
      <span>
        <Kbd size="xs">?</Kbd> all keys
      </span>
    </UnstyledButton>
  );
}

interface KeysHelpProps {
  opened: boolean;
  title: string;
  rows: readonly KeyRow[];
  /** Whether the keys work wherever the focus is; undefined where they cannot. */
  anywhere: boolean | undefined;
  anywhereLabel: string;
  /** Where the keys work otherwise. */
  elsewhere: string;
  onAnywhere: (anywhere: boolean) => void;
  onClose: () => void;
  children: ReactNode;
}

export function KeysHelp({
  opened,
  title,
  rows,
  anywhere,
  anywhereLabel,
  elsewhere,
  onAnywhere,
  onClose,
  children,
}: KeysHelpProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={title} size="sm">
      <Table withRowBorders={false} aria-label="Keys">
        <Table.Tbody>
          {rows.map(({ keys, means }) => (
            <Table.Tr key={means}>
              <Table.Td>{means}</Table.Td>
              <Table.Td>
                <Group gap={4} justify="flex-end">
                  {keys.map((key) => (isKey(key) ? <Kbd key={key}>{key}</Kbd> : <span key={key}>{key}</span>))}
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {anywhere !== undefined && (
        <Switch
          mt="sm"
          label={anywhereLabel}
          description={elsewhere}
          checked={anywhere}
          onChange={(event) => onAnywhere(event.currentTarget.checked)}
        />
      )}
      <Text size="xs" c="dimmed" mt="sm">
        {children}
      </Text>
    </Modal>
  );
}

function isKey(key: string): boolean {
  return key !== "…";
}

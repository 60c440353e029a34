import { Anchor, Button, Table, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { memo, useMemo, useState } from "react";
import type { EntityResponse } from "@/api/types";
import { shortValue } from "@/features/entities/lib/values";
import { useConnectionTitles } from "../hooks/useConnections";
import { listAnswers } from "../lib/edgeMatrix";
import { nameOf } from "../lib/matrixView";
import classes from "./Matrix.module.css";

const SHOWN = 5; // rows before one asks for more: a response is one of many on the page

interface MatrixAnswersProps {
  response: EntityResponse;
  fieldKey: string;
}

/** What a response says about each connection through a field. */
export const MatrixAnswers = memo(function MatrixAnswers({ response, fieldKey }: MatrixAnswersProps) {
  const [all, setAll] = useState(false);
  const { dimensions, rows } = useMemo(() => listAnswers(response), [response]);
  const shown = all ? rows : rows.slice(0, SHOWN);
  const titles = useConnectionTitles(response, fieldKey, shown.map(({ id }) => id));
  if (rows.length === 0) return null;
  return (
    <div className={classes.answers}>
      <Table aria-label="Ratings of connections" verticalSpacing={4} horizontalSpacing="sm" fz="sm" mt="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Connected record</Table.Th>
            {dimensions.map(({ key, label }) => (
              <Table.Th key={key} scope="col">
                {label}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map(({ id, values }) => (
            <Table.Tr key={id}>
              <Table.Th scope="row" fw={450}>
                <Answered id={id} title={titles.get(id)} />
              </Table.Th>
              {dimensions.map(({ key }) => (
                <Table.Td key={key}>{values[key] === undefined ? "–" : shortValue(values[key])}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {rows.length > SHOWN && (
        <Button variant="subtle" color="gray" size="compact-xs" mt={4} onClick={() => setAll(!all)}>
          {all ? "Fewer" : `All ${rows.length} connections`}
        </Button>
      )}
    </div>
  );
});

/** Null is a record that is gone; one whose title is not known yet is still there to be opened. */
function Answered({ id, title }: { id: string; title: string | null | undefined }) {
  if (title === null) {
    return (
      <Text size="sm" c="dimmed" fs="italic">
        {nameOf({ title })}
      </Text>
    );
  }
  return (
    <Anchor size="sm" renderRoot={(props) => <Link to="/records/$id" params={{ id }} {...props} />}>
      {title ?? "Connected record"}
    </Anchor>
  );
}

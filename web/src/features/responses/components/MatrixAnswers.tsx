import { Anchor, Button, Table } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { memo, useMemo, useState } from "react";
import type { EntityResponse } from "@/api/types";
import { shortValue } from "@/features/entities/lib/values";
import { useConnectionTitles } from "../hooks/useConnections";
import { listAnswers } from "../lib/edgeMatrix";
import classes from "./responses.module.css";

const SHOWN = 5; // rows before one asks for more: a response is one of many on the page

interface MatrixAnswersProps {
  response: EntityResponse;
  fieldKey: string;
}

/** What a response says about each connection through a field. */
export const MatrixAnswers = memo(function MatrixAnswers({ response, fieldKey }: MatrixAnswersProps) {
  const titles = useConnectionTitles(response, fieldKey);
  const [all, setAll] = useState(false);
  const { dimensions, rows } = useMemo(() => listAnswers(response), [response]);
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
          {(all ? rows : rows.slice(0, SHOWN)).map(({ id, values }) => (
            <Table.Tr key={id}>
              <Table.Th scope="row" fw={450}>
                <Anchor size="sm" renderRoot={(props) => <Link to="/records/$id" params={{ id }} {...props} />}>
                  {titles.get(id) ?? "Removed record"}
                </Anchor>
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

import { Anchor, Paper, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useId } from "react";
import { DimensionInput } from "@/features/criteria/components/DimensionInput";
import type { Connection } from "../lib/edgeMatrix";
import type { MatrixRowsProps } from "./EdgeMatrixGrid";

/** The same rows below each other, where the screen is too narrow for a table. */
export function EdgeMatrixCards({ connections, page, pageSize, ...rows }: MatrixRowsProps) {
  const first = page * pageSize;
  return (
    <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: "none" }} aria-label={rows.label}>
      {connections.slice(first, first + pageSize).map((connection) => (
        <MatrixCard key={connection.id} connection={connection} {...rows} />
      ))}
    </Stack>
  );
}

type MatrixCardProps = Pick<MatrixRowsProps, "dimensions" | "values" | "faults" | "onChange"> & {
  connection: Connection;
};

function MatrixCard({ connection: { id, title }, dimensions, values, faults, onChange }: MatrixCardProps) {
  const heading = useId();
  const own = faults.get(id);
  return (
    <Paper component="li" withBorder radius="lg" p="md">
      <Stack gap="md" role="group" aria-labelledby={heading}>
        <div>
          <Anchor
            id={heading}
            fw={600}
            style={{ overflowWrap: "anywhere" }}
            renderRoot={(props) => <Link to="/records/$id" params={{ id }} {...props} />}
          >
            {title}
          </Anchor>
          {own?.row && (
            <Text size="xs" c="var(--mantine-color-error)" role="alert">
              {own.row}
            </Text>
          )}
        </div>
        {dimensions.map((dimension) => (
          <DimensionInput
            key={dimension.key}
            dimension={dimension}
            clearable // a row that was begun can be left out after all
            value={values[id]?.[dimension.key]}
            error={own?.cells[dimension.key]}
            onChange={(value) => onChange(id, dimension.key, value)}
          />
        ))}
      </Stack>
    </Paper>
  );
}

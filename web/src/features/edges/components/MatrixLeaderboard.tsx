import { Anchor, Button, Group, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Dimension } from "@/api/types";
import { ScoreBadge } from "@/features/entities/components/ScoreBadge";
import { type Column, DataTable } from "@/ui/table/DataTable";
import type { Sort } from "@/ui/table/sort";
import { sortValue } from "../hooks/useMatrixView";
import { SCORE, type Standing, TITLE, formatValue, nameOf } from "../lib/matrixView";

interface MatrixLeaderboardProps {
  /** In the order that `sort` asks for. */
  ranked: readonly Standing[];
  dimensions: readonly Dimension[];
  sort: Sort;
  onSort: (sort: Sort) => void;
  /** How many rows stand there before one asks for more. */
  shown: number;
}

/** Each connection with what came out for it; the same that the chart shows. */
export function MatrixLeaderboard({ ranked, dimensions, sort, onSort, shown }: MatrixLeaderboardProps) {
  const [all, setAll] = useState(false);
  const rows = all ? ranked : ranked.slice(0, shown);
  return (
    <div>
      <DataTable
        label="Connections"
        columns={columnsFor(dimensions)}
        rows={rows}
        rowKey={({ id }) => id}
        sort={sort}
        onSort={onSort}
        isMuted={({ title }) => title === null}
      />
      {ranked.length > shown && (
        <Group justify="space-between" mt="xs">
          <Text size="xs" c="dimmed">
            {all ? `All ${ranked.length} connections` : `The first ${shown} of ${ranked.length} connections`}
          </Text>
          <Button variant="default" size="xs" onClick={() => setAll(!all)}>
            {all ? `Only the first ${shown}` : "Show all"}
          </Button>
        </Group>
      )}
    </div>
  );
}

function columnsFor(dimensions: readonly Dimension[]): Column<Standing>[] {
  const numbers = dimensions.map(
    ({ key, label }): Column<Standing> => ({
      key,
      header: label,
      cell: ({ values }) => <Figure value={values[key] ?? null} />,
      // Score and title are the names of columns of their own.
      ...(key === SCORE || key === TITLE ? {} : { sortValue: sortValue(key), firstDir: "desc" as const }),
    }),
  );
  return [
    { key: TITLE, header: "Connected record", cell: (row) => <Named standing={row} />, sortValue: sortValue(TITLE) },
    ...numbers.map((column) => (column.sortValue ? column : { ...column, key: `dimension:${column.key}` })),
    {
      key: SCORE,
      header: "Score",
      cell: ({ score }) => (score === null ? "–" : <ScoreBadge score={score} />),
      sortValue: sortValue(SCORE),
      firstDir: "desc",
    },
    { key: "responses", header: "Responses", cell: ({ count }) => count },
  ];
}

function Figure({ value }: { value: number | null }) {
  return (
    <span style={{ fontVariantNumeric: "tabular-nums" }} title={value === null ? "Not rated" : String(value)}>
      {formatValue(value)}
    </span>
  );
}

function Named({ standing }: { standing: Standing }) {
  if (standing.title === null) {
    return (
      <Text size="sm" c="dimmed" fs="italic">
        {nameOf(standing)}
      </Text>
    );
  }
  return (
    <Anchor
      size="sm"
      fw={550}
      renderRoot={(props) => <Link to="/records/$id" params={{ id: standing.id }} {...props} />}
    >
      {standing.title}
    </Anchor>
  );
}

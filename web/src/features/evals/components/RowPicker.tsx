import { Button, Checkbox, Group, Text } from "@mantine/core";
import { useState } from "react";
import { useKnowledge } from "@/features/knowledge/hooks/useKnowledge";
import { isMeasurable, valueOf } from "@/features/knowledge/lib/value";
import { STATE_LOOK } from "@/features/knowledge/lib/words";
import { SearchInput } from "@/ui/SearchInput";
import { type ChosenRow, MOST_ROWS } from "../lib/experiments";
import classes from "./evals.module.css";

interface RowPickerProps {
  chosen: readonly ChosenRow[];
  onChange: (chosen: ChosenRow[]) => void;
}

/** Rows of knowledge to tick: those that are chosen on top, whatever is searched for. */
export function RowPicker({ chosen, onChange }: RowPickerProps) {
  const [q, search] = useState("");
  const [first] = useState(chosen); // these stay on top, so that a row does not jump away under the pointer
  const { query, rows = [] } = useKnowledge(q ? { q } : {});
  const isChosen = (id: string) => chosen.some((each) => each.id === id);
  const isFull = chosen.length >= MOST_ROWS;
  const found = rows.filter((row) => isMeasurable(row));
  const known = new Map(found.map((row) => [row.id, `${STATE_LOOK[row.state].label} · ${valueOf(row)}`]));
  const kept = chosen.filter(({ id }) => !known.has(id) && !first.some((each) => each.id === id));
  const others = found.filter(({ id }) => !first.some((each) => each.id === id));
  const listed: ChosenRow[] = [...first, ...kept, ...others.map(({ id, content }) => ({ id, content }))];
  const toggle = (row: ChosenRow) => onChange(isChosen(row.id) ? chosen.filter(({ id }) => id !== row.id) : [...chosen, { id: row.id, content: row.content }]);
  return (
    <div className={classes.picker}>
      <SearchInput label="Search knowledge" maxLength={200} value={q} onChange={search} />
      <div className={classes.pickerRows} role="group" aria-label="Rows to measure">
        {listed.map((row) => (
          <Checkbox
            key={row.id}
            checked={isChosen(row.id)}
            disabled={isFull && !isChosen(row.id)}
            label={<span dir="auto">{row.content}</span>}
            description={known.get(row.id)}
            onChange={() => toggle(row)}
          />
        ))}
        {query.isPending && (
          <Text size="sm" c="dimmed" role="status">
            Loading knowledge…
          </Text>
        )}
        {query.isError && (
          <Text size="sm" c="red" role="alert">
            Knowledge could not be loaded.
          </Text>
        )}
        {!query.isPending && !query.isError && listed.length === 0 && (
          <Text size="sm" c="dimmed">
            {q ? "No knowledge has these words." : "Nothing was learnt yet."}
          </Text>
        )}
        {query.hasNextPage && (
          <Button size="compact-xs" variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Load more
          </Button>
        )}
      </div>
      <Group justify="space-between" gap="xs">
        <Text size="xs" c="dimmed" role="status">
          {chosen.length === 0 ? "Choose at least one." : `${chosen.length} of at most ${MOST_ROWS} chosen.`}
        </Text>
        {chosen.length > 0 && (
          <Button size="compact-xs" variant="subtle" color="gray" onClick={() => onChange([])}>
            Choose none
          </Button>
        )}
      </Group>
    </div>
  );
}

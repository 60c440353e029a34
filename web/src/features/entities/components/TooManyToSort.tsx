import { Button } from "@mantine/core";
import { toProblem } from "@/api/problem";
import { EmptyState } from "@/ui/states";

/** Whether the server refused to sort so long a list by a field. */
export function isTooManyToSort(error: unknown): boolean {
  return error != null && toProblem(error).errors.some(({ code }) => code === "too_many_to_sort");
}

interface TooManyToSortProps {
  onSort: (sort: string | undefined) => void;
}

export function TooManyToSort({ onSort }: TooManyToSortProps) {
  return (
    <EmptyState
      title="Too many to sort by this field"
      action={
        <Button variant="default" mt="xs" onClick={() => onSort(undefined)}>
          Newest first
        </Button>
      }
    >
      Up to 20,000 records are sorted by a field. Search, or choose a score, to make the list shorter; or sort by title, score
      or time, which works for any number.
    </EmptyState>
  );
}

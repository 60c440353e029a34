import { NativeSelect, Text } from "@mantine/core";
import { StarIcon } from "@radix-ui/react-icons";
import type { ReactNode } from "react";
import { useEveryPage } from "@/api/useEveryPage";
import { PagedRows } from "@/ui/PagedRows";
import { EmptyState } from "@/ui/states";
import { useGoldenSets } from "../hooks/useGoldens";
import classes from "./evals.module.css";

interface SetPickerProps {
  /** By name; the first set without it. */
  chosen: string | undefined;
  onChoose: (name: string) => void;
  /** What else narrows it. */
  beside?: ReactNode;
  children: (set: string) => ReactNode;
}

/** What is shown of one set at a time. */
export function SetPicker({ chosen, onChoose, beside, children }: SetPickerProps) {
  const sets = useEveryPage(useGoldenSets());
  return (
    <PagedRows
      list={sets}
      what="sets of goldens"
      empty={
        <EmptyState icon={<StarIcon width={20} height={20} />} title="No goldens yet">
          Promote a session to golden and replay it: then there is something to see here.
        </EmptyState>
      }
    >
      {(rows) => {
        const current = rows.find(({ name }) => name === chosen)?.name ?? rows[0]?.name;
        if (current === undefined) return null;
        return (
          <>
            <div className={classes.filters}>
              <NativeSelect aria-label="Set" value={current} data={rows.map(({ name }) => name)} onChange={(event) => onChoose(event.currentTarget.value)} />
              {beside}
            </div>
            {chosen !== undefined && chosen !== current && (
              <Text size="sm" role="note" mb="xs">
                There is no set called “{chosen}”. This is “{current}”.
              </Text>
            )}
            {children(current)}
          </>
        );
      }}
    </PagedRows>
  );
}

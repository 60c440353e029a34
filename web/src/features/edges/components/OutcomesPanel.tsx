import { Button, NativeSelect, Text, Title } from "@mantine/core";
import { useId, useState } from "react";
import type { CriteriaSet, Entity, EntityType, Outcome } from "@/api/types";
import { useRecordSearch } from "@/features/entities/hooks/useRecordSearch";
import { responseScore } from "@/features/entities/lib/score";
import { PagedRows } from "@/ui/PagedRows";
import { useOutcomes, useTypesAndSets } from "../hooks/useOutcomes";
import { setsAbout } from "../lib/scopedSets";
import { type Ranked, Ranking } from "./Ranking";
import classes from "./Ranking.module.css";

const FIRST = 10; // as many as fit on a screen with the rest of the record

/** On a record that others are rated in connection with: which of them did best with it. */
export function OutcomesPanel({ entity }: { entity: Entity }) {
  const heading = useId();
  const { search, change } = useRecordSearch();
  const known = useTypesAndSets();
  const offered = known ? setsAbout(entity.type, known.types, known.sets) : [];
  const shown = offered.find(({ set }) => set.slug === search.outcomes) ?? offered[0];
  if (!shown) return null;
  return (
    <section aria-labelledby={heading}>
      <Title order={2} mb="sm" id={heading}>
        Outcomes
      </Title>
      <div className={classes.panel}>
        <div className={classes.head}>
          <div className={classes.about}>
            {`Where ${entity.title} did best, by what responses to ${shown.set.name} say. Rejected and withdrawn ones do not count.`}
          </div>
          {offered.length > 1 && (
            <NativeSelect
              aria-label="Outcomes by criteria set"
              size="xs"
              data={offered.map(({ set }) => ({ value: set.slug, label: set.name }))}
              value={shown.set.slug}
              onChange={(event) => change({ outcomes: event.currentTarget.value })}
            />
          )}
        </div>
        <Outcomes key={shown.set.id} entity={entity} set={shown.set} types={shown.types} />
      </div>
    </section>
  );
}

interface OutcomesProps {
  entity: Entity;
  set: CriteriaSet;
  /** Of the records that may have outcomes. */
  types: readonly EntityType[];
}

function Outcomes({ entity, set, types }: OutcomesProps) {
  const outcomes = useOutcomes(entity.id, set.id);
  const names = types.map(({ name }) => name).join(" or ");
  return (
    <PagedRows
      list={outcomes}
      what="outcomes"
      empty={
        <Text size="sm" c="dimmed" className={classes.note}>
          {`No response to ${set.name} says anything about this record yet. Rate it on a record of type ${names} that leads here.`}
        </Text>
      }
    >
      {(rows) => <FirstRows rows={rows.map(toRanked)} more={outcomes.query.hasNextPage} />}
    </PagedRows>
  );
}

/** The first of what is loaded, until more is wanted. */
function FirstRows({ rows, more }: { rows: readonly Ranked[]; more: boolean }) {
  const [all, setAll] = useState(false);
  const isCut = rows.length > FIRST && !all;
  return (
    <>
      <Ranking rows={isCut ? rows.slice(0, FIRST) : rows} label="Outcomes, best first" />
      {isCut && (
        <Button variant="default" size="xs" my="xs" onClick={() => setAll(true)}>
          {more ? `Show the first ${rows.length}` : `Show all ${rows.length}`}
        </Button>
      )}
    </>
  );
}

function toRanked({ entity: { id, title }, normalized_score, count }: Outcome): Ranked {
  return { id, title, score: responseScore(normalized_score), count };
}

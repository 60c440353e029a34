import { Text, Title } from "@mantine/core";
import { useId } from "react";
import type { Entity, EntityType, RankedConnection } from "@/api/types";
import { PagedRows } from "@/ui/PagedRows";
import { useRankedConnections, useTypesAndSets } from "../hooks/useOutcomes";
import { type ScopedSet, setsOf } from "../lib/scopedSets";
import { Ranking } from "./Ranking";
import classes from "./Ranking.module.css";

interface RankedConnectionsProps {
  entity: Entity;
  entityType: EntityType;
}

/** What a record is connected to, best rated first: a list for each criteria set that rates its connections. */
export function RankedConnections({ entity, entityType }: RankedConnectionsProps) {
  const heading = useId();
  const known = useTypesAndSets();
  const scoped = known ? setsOf(entityType, known.sets) : [];
  if (scoped.length === 0) return null;
  return (
    <section aria-labelledby={heading}>
      <Title order={2} mb="sm" id={heading}>
        Ranked connections
      </Title>
      <div className={classes.panel}>
        {scoped.map((each) => (
          <RankedBlock key={each.set.id} entity={entity} scoped={each} />
        ))}
      </div>
    </section>
  );
}

function RankedBlock({ entity, scoped: { set, field } }: { entity: Entity; scoped: ScopedSet }) {
  const ranked = useRankedConnections(entity.id, field.key, set.id);
  return (
    <div className={classes.block}>
      <div className={classes.head}>
        <div className={classes.about}>{`${field.label} by ${set.name}: the mean of all responses that count.`}</div>
      </div>
      <PagedRows
        list={ranked}
        what="connections"
        empty={
          <Text size="sm" c="dimmed" className={classes.note}>
            Not connected yet: there is nothing to rank.
          </Text>
        }
      >
        {(rows) => <Ranking rows={rows.map(toRanked)} label={`${field.label}, best first`} />}
      </PagedRows>
    </div>
  );
}

function toRanked({ target, score, raters, scores }: RankedConnection) {
  const count = scores?.count;
  return { id: target.id, title: target.title, score, raters, count: typeof count === "number" ? count : undefined };
}

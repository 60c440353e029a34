import { Text } from "@mantine/core";
import { useLocation } from "@tanstack/react-router";
import { useEffect, useMemo, useRef } from "react";
import type { Entity, EntityType } from "@/api/types";
import { ValueView } from "@/features/entities/components/ValueView";
import classes from "@/features/entities/components/record.module.css";
import { useProvenance } from "@/features/entities/hooks/useProvenance";
import { useRecordSearch } from "@/features/entities/hooks/useRecordSearch";
import { anchoredField, fieldAnchor } from "@/features/entities/lib/anchor";
import { COUNT_FIELD, shownValue } from "@/features/entities/lib/provenance";
import { isEmpty } from "@/features/entities/lib/values";
import { chooseFields, findFieldRules, labelFields } from "@/features/entity_types/lib/fields";
import { useResponses } from "@/features/responses/hooks/useResponses";
import { EmptyState } from "@/ui/states";
import { alternatesFor } from "../lib/proposals";
import { FieldHistoryDrawer } from "./FieldHistoryDrawer";
import { FieldResponseIndicator } from "./FieldResponseIndicator";

interface FieldListProps {
  entity: Entity;
  entityType: EntityType;
  /** Only these, in this order; all of the type's when absent. */
  fields?: readonly string[] | null;
}

/** The accepted values of a record, each with where it comes from. */
export function FieldList({ entity, entityType, fields: names }: FieldListProps) {
  const { search, change } = useRecordSearch();
  const provenance = useProvenance(entity.id);
  const { rows: responses = [] } = useResponses(entity.id);
  const labels = useMemo(() => labelFields(entityType), [entityType]);
  const fields = chooseFields(entityType, entity.content, names);
  const counted = entity.content[COUNT_FIELD];
  const open = fields.find((field) => field.key === search.history);
  const asked = useAskedField(fields.map(({ key }) => key));
  if (fields.length === 0) {
    return <EmptyState title="No fields">The type {entityType.name} has no fields yet.</EmptyState>;
  }
  return (
    <>
      <dl className={classes.fields}>
        {fields.map((field) => {
          const source = provenance.data?.get(field.key);
          return (
            <div
              key={field.key}
              className={classes.field}
              {...(field.key === asked.key ? { id: fieldAnchor(field.key), "data-asked": true, ref: asked.ref } : {})}
            >
              <dt className={classes.name}>
                {field.label}
                {field.description && (
                  <Text size="xs" c="dimmed" fw={400} mt={2}>
                    {field.description}
                  </Text>
                )}
              </dt>
              <dd className={classes.value}>
                <ValueView value={shownValue(entity.content[field.key], source?.kind)} rich={field.kind === "longtext"} />
                <Unit of={entity.content[field.key]}>{findFieldRules(entityType, field.key)?.unit}</Unit>
                <FieldResponseIndicator
                  entity={entity}
                  field={field}
                  source={source}
                  responses={responses}
                  alternates={alternatesFor(field.key, responses, source)}
                  filled={!isEmpty(entity.content[field.key])}
                  sources={typeof counted === "number" ? counted : undefined}
                  labels={labels}
                  onHistory={() => change({ history: field.key })}
                />
              </dd>
            </div>
          );
        })}
      </dl>
      <FieldHistoryDrawer entity={entity} field={open} onClose={() => change({ history: undefined })} />
    </>
  );
}

/** What a number counts. */
function Unit({ of, children }: { of: unknown; children: string | null | undefined }) {
  if (!children || typeof of !== "number") return null;
  return (
    <Text span size="md" c="dimmed">
      {` ${children}`}
    </Text>
  );
}

/** The field that the address leads to, brought into view once it is drawn. */
function useAskedField(keys: readonly string[]) {
  const hash = useLocation({ select: (location) => location.hash });
  const key = anchoredField(hash, keys);
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (key !== undefined) ref.current?.scrollIntoView({ block: "center" });
  }, [key]);
  return { key, ref };
}

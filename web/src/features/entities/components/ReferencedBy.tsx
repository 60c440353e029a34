import { Anchor, Group, Paper, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useId } from "react";
import type { Entity } from "@/api/types";
import { useEveryPage } from "@/api/useEveryPage";
import { useEntityTypes } from "@/features/entity_types/hooks/useEntityTypes";
import { PagedRows } from "@/ui/PagedRows";
import { useReferences } from "../hooks/useRelations";
import { type ReferringField, listReferringFields } from "../lib/references";
import classes from "./record.module.css";

interface ReferencedByProps {
  entity: Entity;
  /** Whether a field is shown elsewhere on the page. */
  isShown?: (field: ReferringField) => boolean;
}

/** The records that lead to this one, by the field through which they do. */
export function ReferencedBy({ entity, isShown = () => false }: ReferencedByProps) {
  const heading = useId();
  const { rows: types = [] } = useEveryPage(useEntityTypes());
  const fields = listReferringFields(entity.type, types).filter((field) => !isShown(field));
  if (fields.length === 0) return null;
  return (
    <section aria-labelledby={heading}>
      <Title order={2} mb="sm" id={heading}>
        Referenced by
      </Title>
      <dl className={classes.fields}>
        {fields.map((field) => (
          <div key={field.key} className={classes.field}>
            <dt className={classes.name}>
              {field.types.map(({ name }) => name).join(", ")}
              <Text size="xs" c="dimmed" fw={400} mt={2}>
                {`through ${field.label}`}
              </Text>
            </dt>
            <dd className={classes.value}>
              <References entity={entity} field={field} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function References({ entity, field }: { entity: Entity; field: ReferringField }) {
  const nameOf = (slug: string) => field.types.find((type) => type.slug === slug)?.name ?? slug;
  return (
    <PagedRows
      list={useReferences(entity.id, field.key)}
      what="records"
      empty={
        <Text size="sm" c="dimmed">
          None yet
        </Text>
      }
    >
      {(rows) => (
        <Group
          component="ul"
          gap="xs"
          m={0}
          p={0}
          style={{ listStyle: "none" }}
          aria-label={`Referenced through ${field.label}`}
        >
          {rows.map(({ id, source_id, source_title, source_type }) => (
            <Paper key={id} component="li" withBorder px="sm" py={5} radius="md">
              <Anchor
                size="sm"
                fw={550}
                style={{ overflowWrap: "anywhere" }}
                renderRoot={(props) => <Link to="/records/$id" params={{ id: source_id }} {...props} />}
              >
                {source_title}
              </Anchor>
              {field.types.length > 1 && (
                <Text span size="xs" c="dimmed">{` ${nameOf(source_type)}`}</Text>
              )}
            </Paper>
          ))}
        </Group>
      )}
    </PagedRows>
  );
}

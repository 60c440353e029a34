import { Badge, Button, Text } from "@mantine/core";
import { CheckIcon } from "@radix-ui/react-icons";
import type { Dimension, Entity, EntityResponse } from "@/api/types";
import { ValueView } from "@/features/entities/components/ValueView";
import { promotedForm, targetField } from "@/features/entities/lib/proposals";
import { isEmpty, sameValue, shortValue } from "@/features/entities/lib/values";
import { promotableKeys, whyNotPromotable } from "../lib/status";
import { EvidenceView } from "./EvidenceView";
import classes from "./responses.module.css";

const SHORT = 24; // characters that fit in a narrow column

interface DimensionRowProps {
  entity: Entity;
  response: EntityResponse;
  dimension: Dimension;
  canPromote: boolean;
  /** Whether the keys act on this value now. */
  active: boolean;
  onFocus: () => void;
  onPromote: () => void;
}

export function DimensionRow({ entity, response, dimension, canPromote, active, onFocus, onPromote }: DimensionRowProps) {
  const { key, label, scale } = dimension;
  const value = promotedForm(dimension, response.values[key]);
  return (
    <li
      className={classes.dimension}
      data-stop={`${response.id}/${key}`}
      data-active={active || undefined}
      data-row={needsRow(response, dimension) || undefined}
      tabIndex={active ? 0 : -1}
      onFocus={onFocus}
    >
      <Text size="sm" c="dimmed" className={classes.label}>
        {label}
      </Text>
      <div className={classes.proposed}>
        <ValueView value={value} size="sm" rich={dimension.type === "richtext"} none="Nothing found" />
        {scale && !isEmpty(value) && (
          <Text span size="xs" c="dimmed">
            {` of ${scale[1]}`}
          </Text>
        )}
        <NowInRecord entity={entity} response={response} dimension={dimension} />
        <EvidenceView meta={response.field_meta[key]} />
      </div>
      <div className={classes.act}>
        {response.promoted_fields.includes(key) ? (
          <Badge color="green" leftSection={<CheckIcon />}>
            Promoted
          </Badge>
        ) : (
          canPromote &&
          promotableKeys(response).includes(key) && (
            <Button
              size="compact-xs"
              variant="default"
              tabIndex={active ? 0 : -1}
              aria-label={`Promote ${label}`}
              onClick={onPromote}
            >
              Promote
            </Button>
          )
        )}
      </div>
    </li>
  );
}

/** What can be promoted, or is long, has a line of its own; ratings stand side by side. */
function needsRow(response: EntityResponse, { key }: Dimension): boolean {
  const value = response.values[key];
  return response.promotable_fields.includes(key) || (typeof value === "string" && value.length > SHORT);
}

type NowInRecordProps = Pick<DimensionRowProps, "entity" | "response" | "dimension">;

/** What the record holds instead, where a decision is still to be made. */
function NowInRecord({ entity, response, dimension }: NowInRecordProps) {
  const field = targetField(response, dimension);
  if (field === null || response.promoted_fields.includes(dimension.key)) return null;
  if (whyNotPromotable(response, dimension.key) !== null) return null;
  const now = entity.content[field];
  const same = sameValue(now, promotedForm(dimension, response.values[dimension.key]));
  return (
    <Text size="xs" c="dimmed">
      {same ? "Same as in the record" : isEmpty(now) ? "The record has no value" : `The record has ${shortValue(now)}`}
    </Text>
  );
}

import { Badge, Button, Text } from "@mantine/core";
import { CheckIcon, CounterClockwiseClockIcon } from "@radix-ui/react-icons";
import type { Dimension, Entity, EntityResponse, FieldChange } from "@/api/types";
import { withUnit } from "@/features/criteria/lib/asked";
import { typeRow } from "@/features/criteria/lib/dimensionTypes";
import { ValueView } from "@/features/entities/components/ValueView";
import { isEmpty, sameValue, shortValue } from "@/features/entities/lib/values";
import { useFieldUnit } from "@/features/entity_types/hooks/useEntityTypes";
import { EvidenceView } from "@/features/responses/components/EvidenceView";
import { targetField } from "../lib/proposals";
import { promotionOf, whyNotPromotable } from "../lib/status";
import classes from "./review.module.css";

const SHORT = 24; // characters that fit in a narrow column

interface DimensionRowProps {
  entity: Entity;
  response: EntityResponse;
  dimension: Dimension;
  canPromote: boolean;
  /** What each field's present value comes from. */
  sources: ReadonlyMap<string, FieldChange> | undefined;
  /** Whether the keys act on this value now. */
  active: boolean;
  onFocus: () => void;
  onPromote: () => void;
}

export function DimensionRow(props: DimensionRowProps) {
  const { entity, response, dimension, canPromote, sources, active, onFocus, onPromote } = props;
  const { key, label, scale } = dimension;
  const unit = useFieldUnit(entity.type, dimension.fieldName ?? key);
  // A rating is a place on its scale; a number counts something.
  const beside = dimension.type === "rating" && scale ? `of ${scale[1]}` : unit;
  const value = typeRow(dimension.type).inRecord(response.values[key], dimension);
  const promotion = promotionOf(response, dimension, sources);
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
        <ValueView value={value} size="sm" rich={typeRow(dimension.type).isRich} none="Nothing found" />
        {beside && !isEmpty(value) && (
          <Text span size="xs" c="dimmed">
            {` ${beside}`}
          </Text>
        )}
        {promotion !== "current" && <NowInRecord entity={entity} response={response} dimension={dimension} />}
        <EvidenceView meta={response.field_meta[key]} />
      </div>
      <div className={classes.act}>
        {promotion === "current" && (
          <Badge color="green" leftSection={<CheckIcon />}>
            In the record
          </Badge>
        )}
        {promotion === "promoted" && <Badge color="gray">Promoted</Badge>}
        {promotion === "before" && (
          <Badge color="gray" leftSection={<CounterClockwiseClockIcon />}>
            Promoted before
          </Badge>
        )}
        {canPromote && (promotion === null || promotion === "before") && whyNotPromotable(response, key) === null && (
          <Button
            size="compact-xs"
            variant="default"
            tabIndex={active ? 0 : -1}
            aria-label={promotion ? `Promote ${label} again` : `Promote ${label}`}
            onClick={onPromote}
          >
            {promotion ? "Promote again" : "Promote"}
          </Button>
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
  const unit = useFieldUnit(entity.type, dimension.fieldName ?? dimension.key);
  const field = targetField(response, dimension);
  if (field === null || whyNotPromotable(response, dimension.key) !== null) return null;
  const now = entity.content[field];
  const same = sameValue(now, typeRow(dimension.type).inRecord(response.values[dimension.key], dimension));
  return (
    <Text size="xs" c="dimmed">
      {same ? "Same as in the record" : isEmpty(now) ? "The record has no value" : `The record has ${withUnit(shortValue(now), unit)}`}
    </Text>
  );
}

import { Anchor, Checkbox, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Dimension, Entity, EntityResponse, FieldChange } from "@/api/types";
import { typeRow } from "@/features/criteria/lib/dimensionTypes";
import { ValueView } from "@/features/entities/components/ValueView";
import { partyName, sourceText } from "@/features/entities/lib/provenance";
import { isEmpty, sameValue, shortValue } from "@/features/entities/lib/values";
import { alternatesFor, targetField } from "@/features/promotion/lib/proposals";
import { EvidenceView } from "@/features/responses/components/EvidenceView";
import { stopName } from "@/ui/useListKeys";
import classes from "./queue.module.css";

const FEW = 3; // of what others said about one field

interface ProposalValueProps {
  entity: Entity | undefined;
  response: EntityResponse;
  dimension: Dimension;
  /** Where the present value comes from. */
  source: FieldChange | undefined;
  /** All that is said about the record. */
  responses: readonly EntityResponse[];
  isTicked: boolean;
  isActive: boolean;
  onFocus: () => void;
  onToggle: () => void;
}

/** One proposed value beside what the record holds, with its evidence and what others said. */
export function ProposalValue(props: ProposalValueProps) {
  const { entity, response, dimension, source, responses, isTicked, isActive, onFocus, onToggle } = props;
  const { key, label, type } = dimension;
  const field = targetField(response, dimension) ?? key;
  const proposed = typeRow(type).inRecord(response.values[key], dimension);
  const now = entity?.content[field];
  const others = alternatesFor(field, responses, source).filter((other) => other.response.id !== response.id);
  return (
    <li
      className={classes.value}
      data-stop={stopName({ id: response.id, key })}
      data-out={!isTicked || undefined}
      tabIndex={isActive ? 0 : -1}
      onFocus={onFocus}
    >
      <Checkbox size="sm" label={label} checked={isTicked} onChange={onToggle} tabIndex={isActive ? 0 : -1} className={classes.cell} />
      <div className={`${classes.cell} ${classes.proposed}`}>
        <ValueView value={proposed} rich={typeRow(type).isRich} />
        <EvidenceView meta={response.field_meta[key]} />
      </div>
      <div className={classes.cell}>
        <Text span size="xs" c="dimmed" className={classes.tag}>
          In the record:{" "}
        </Text>
        {entity && (
          <ValueView value={now} size="sm" rich={typeRow(type).isRich} none="No value yet" />
        )}
        {entity && !isEmpty(now) && (
          <Text size="xs" c="dimmed">
            {sameValue(now, proposed) ? "The same as proposed" : source && sourceText(source, responses.find(({ id }) => id === source.response_id))}
          </Text>
        )}
      </div>
      {others.length > 0 && (
        <ul className={classes.others} aria-label={`What others said about ${label}`}>
          {others.slice(0, FEW).map((other) => (
            <Text key={`${other.response.id}/${other.dimension.key}`} component="li" size="xs" c="dimmed">
              {partyName(other.response.submitted_by)} said {shortValue(typeRow(other.dimension.type).inRecord(other.value, other.dimension))}
            </Text>
          ))}
          {others.length > FEW && (
            <li>
              <Anchor
                size="xs"
                underline="always"
                renderRoot={(rest) => (
                  <Link to="/records/$id" params={{ id: response.entity_id }} search={{ tab: "responses" }} {...rest} />
                )}
              >
                {others.length - FEW} more
              </Anchor>
            </li>
          )}
        </ul>
      )}
    </li>
  );
}

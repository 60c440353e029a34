import { Anchor, Button } from "@mantine/core";
import { CounterClockwiseClockIcon, ResetIcon } from "@radix-ui/react-icons";
import { Link } from "@tanstack/react-router";
import type { Entity, EntityResponse, FieldChange } from "@/api/types";
import classes from "@/features/entities/components/record.module.css";
import { canUndo, sourceText } from "@/features/entities/lib/provenance";
import type { Field } from "@/features/entity_types/lib/fields";
import { useResponse } from "@/features/responses/hooks/useResponses";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { RelativeTime } from "@/ui/RelativeTime";
import type { Proposal } from "../lib/proposals";
import { ProposalsPopover } from "./ProposalsPopover";
import { UndoButton } from "./UndoButton";

interface FieldResponseIndicatorProps {
  entity: Entity;
  field: Field;
  /** Where the present value comes from. */
  source: FieldChange | undefined;
  /** Those already loaded; the source's own is fetched if it is older. */
  responses: readonly EntityResponse[];
  alternates: readonly Proposal[];
  /** Whether the field has a value. */
  filled: boolean;
  /** How many sources the record is counted from, where it is. */
  sources: number | undefined;
  labels: ReadonlyMap<string, string>;
  onHistory: () => void;
}

/** Beside a value: who says so since when, how it came to be, and what else was proposed. */
export function FieldResponseIndicator(props: FieldResponseIndicatorProps) {
  const { entity, field, source, responses, alternates, filled, sources, labels, onHistory } = props;
  const canUpdate = useCan()("entities.team.update");
  return (
    <div className={classes.source}>
      {source && <SourceLine entityId={entity.id} source={source} responses={responses} sources={sources} />}
      {source && canUndo(source) && canUpdate && (
        <UndoButton
          entityId={entity.id}
          field={field}
          promotion={source}
          className={classes.quiet}
          size="compact-xs"
          variant="subtle"
          color="gray"
          leftSection={<ResetIcon width={12} height={12} />}
          aria-label={`Undo the promotion of ${field.label}`}
        />
      )}
      <Button
        className={classes.quiet}
        size="compact-xs"
        variant="subtle"
        color="gray"
        leftSection={<CounterClockwiseClockIcon width={12} height={12} />}
        aria-label={`History of ${field.label}`}
        onClick={onHistory}
      >
        History
      </Button>
      {source && (
        <Anchor
          className={classes.quiet}
          size="xs"
          c="dimmed"
          underline="always"
          aria-label={`What ${field.label} rests on`}
          renderRoot={(rest) => <Link to="/chain" search={{ from: `field:${entity.id}/${field.key}` }} {...rest} />}
        >
          What it rests on
        </Anchor>
      )}
      {alternates.length > 0 && (
        <ProposalsPopover label={field.label} proposals={alternates} filled={filled} labels={labels} />
      )}
    </div>
  );
}

interface SourceLineProps {
  entityId: string;
  source: FieldChange;
  responses: readonly EntityResponse[];
  sources: number | undefined;
}

function SourceLine({ entityId, source, responses, sources }: SourceLineProps) {
  const id = source.response_id ?? undefined;
  const loaded = responses.find((response) => response.id === id);
  const fetched = useResponse(entityId, loaded ? undefined : id);
  const text = sourceText(source, loaded ?? fetched.data, sources);
  return (
    <span className={classes.quiet}>
      {id ? (
        <Anchor
          size="xs"
          c="dimmed"
          underline="always"
          renderRoot={(rest) => (
            <Link to="/records/$id" params={{ id: entityId }} search={{ tab: "responses", response: id }} {...rest} />
          )}
        >
          {text}
        </Anchor>
      ) : (
        text
      )}
      {", "}
      <RelativeTime value={source.created_at} />
    </span>
  );
}

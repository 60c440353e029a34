import { Anchor, Button, Group, Popover, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { typeRow } from "@/features/criteria/lib/dimensionTypes";
import { ValueView } from "@/features/entities/components/ValueView";
import classes from "@/features/entities/components/record.module.css";
import { partyName } from "@/features/entities/lib/provenance";
import { EvidenceView } from "@/features/responses/components/EvidenceView";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { InitialFocus } from "@/ui/InitialFocus";
import { RelativeTime } from "@/ui/RelativeTime";
import { notifyDone, notifyProblem, notifyUndoable } from "@/ui/notify";
import { useUndoPromoted } from "../hooks/usePromotion";
import type { Proposal } from "../lib/proposals";
import { RESPONSE_STATUS, whyNotPromotable } from "../lib/status";
import { PromotionPreview } from "./PromotionPreview";

interface ProposalsPopoverProps {
  label: string;
  proposals: readonly Proposal[];
  /** Whether the field has a value already, to which these are alternates. */
  filled: boolean;
  /** How the record's type calls its fields. */
  labels: ReadonlyMap<string, string>;
}

/** What else was proposed for a field, and a way to accept it without leaving the record. */
export function ProposalsPopover({ label, proposals, filled, labels }: ProposalsPopoverProps) {
  const [opened, setOpened] = useState(false);
  const [chosen, setChosen] = useState<Proposal | null>(null);
  const undo = useUndoPromoted();
  const close = () => {
    setOpened(false);
    setChosen(null);
  };
  const count = countText(proposals.length, filled);
  return (
    <Popover
      opened={opened}
      onChange={(next) => (next ? setOpened(true) : close())}
      width={360}
      position="bottom-start"
      shadow="md"
      radius="md"
      trapFocus
      returnFocus
      withinPortal={false}
      middlewares={{ shift: { padding: 12 }, flip: true }}
    >
      <Popover.Target>
        <Button
          className={classes.proposed}
          size="compact-xs"
          variant="light"
          aria-label={`${count} for ${label}`}
          onClick={() => (opened ? close() : setOpened(true))}
        >
          {count}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={`Proposals for ${label}`} maw="calc(100vw - 32px)" p="md">
        {chosen ? (
          <InitialFocus>
            <PromotionPreview
              target={{
                entityId: chosen.response.entity_id,
                responseId: chosen.response.id,
                fields: [chosen.dimension.key],
              }}
              labels={labels}
              onCancel={() => setChosen(null)}
              onDone={({ entity_id, response_id, fields }) => {
                const promoted = { entityId: entity_id, responseId: response_id, fields: fields.map(({ dimension }) => dimension) };
                close();
                notifyUndoable(`${label} was promoted.`, () =>
                  void undo.mutateAsync(promoted).then(
                    () => notifyDone(`The promotion of ${label} was undone.`),
                    (error: unknown) => notifyProblem("The promotion was not undone", error),
                  ),
                );
              }}
            />
          </InitialFocus>
        ) : (
          <ProposalList label={label} proposals={proposals} onPromote={setChosen} />
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

interface ProposalListProps {
  label: string;
  proposals: readonly Proposal[];
  onPromote: (proposal: Proposal) => void;
}

function ProposalList({ label, proposals, onPromote }: ProposalListProps) {
  const list = useRef<HTMLDivElement>(null);
  // The focus stays in the popover when one returns from a preview.
  useEffect(() => list.current?.focus(), []);
  return (
    <div ref={list} className={classes.proposals} tabIndex={0} role="region" aria-label={`Proposals for ${label}`}>
      {proposals.map((proposal) => (
        <ProposalView
          key={`${proposal.response.id}/${proposal.dimension.key}`}
          proposal={proposal}
          onPromote={() => onPromote(proposal)}
        />
      ))}
    </div>
  );
}

function countText(count: number, filled: boolean): string {
  const word = filled ? "alternate" : "proposal";
  return `${count} ${count === 1 ? word : `${word}s`}`;
}

interface ProposalViewProps {
  proposal: Proposal;
  onPromote: () => void;
}

function ProposalView({ proposal: { response, dimension, value }, onPromote }: ProposalViewProps) {
  const canPromote = useCan()("entities.team.update");
  const hint = canPromote ? whyNotPromotable(response, dimension.key) : "Reviewers and admins can promote this";
  return (
    <Stack gap={6} className={classes.proposal}>
      <ValueView value={typeRow(dimension.type).inRecord(value, dimension)} size="sm" rich={typeRow(dimension.type).isRich} />
      <EvidenceView meta={response.field_meta[dimension.key]} />
      <Group justify="space-between" gap="xs">
        <Text size="xs" c="dimmed" component="div">
          <Anchor
            size="xs"
            underline="always"
            renderRoot={(props) => (
              <Link
                to="/records/$id"
                params={{ id: response.entity_id }}
                search={{ tab: "responses", response: response.id }}
                {...props}
              />
            )}
          >
            {partyName(response.submitted_by)}
          </Anchor>
          , <RelativeTime value={response.created_at} />
          {response.status === "superseded" && `, ${RESPONSE_STATUS.superseded.label.toLowerCase()}`}
        </Text>
        {hint === null && (
          <Button size="compact-xs" onClick={onPromote} aria-label={`Promote ${dimension.label} from ${partyName(response.submitted_by)}`}>
            Promote
          </Button>
        )}
      </Group>
      {hint !== null && (
        <Text size="xs" c="dimmed">
          {hint}
        </Text>
      )}
    </Stack>
  );
}

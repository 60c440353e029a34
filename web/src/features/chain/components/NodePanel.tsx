import { Badge, Button, Group, Text, Title } from "@mantine/core";
import { useState } from "react";
import type { Chain, ChainNode } from "@/api/types";
import { partyName } from "@/features/entities/lib/provenance";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { RelativeTime } from "@/ui/RelativeTime";
import { KIND, canRetract, stateText, titleOf, unusedText } from "../lib/words";
import { StartLinks } from "./ChainList";
import { PageLink } from "./NodeLink";
import { RetractDialog } from "./RetractDialog";
import classes from "./chain.module.css";

interface NodePanelProps {
  node: ChainNode;
  start: Chain["start"];
}

/** One node closer: what it is, where it leads, and what can be done about it. */
export function NodePanel({ node, start }: NodePanelProps) {
  const [isAsked, setAsked] = useState(false);
  const canSay = useCan()("chain.team.retract") && canRetract(node);
  return (
    <section className={classes.panel} aria-label="The chosen node">
      <Group gap={8}>
        <Badge color={KIND[node.kind].color}>{KIND[node.kind].label}</Badge>
        {node.state && <Badge color="gray">{stateText(node.state)}</Badge>}
        {node.retraction_id && <Badge color="red">Retracted</Badge>}
      </Group>
      <Title order={2} size="h4" mt={6} className={classes.words} dir="auto">
        {titleOf(node)}
      </Title>
      {node.detail && (
        <Text size="sm" className={classes.words} dir="auto">
          {node.detail}
        </Text>
      )}
      {node.seen === "hidden" && (
        <Text size="sm" c="dimmed">
          It is part of this chain, and your role does not include what it says.
        </Text>
      )}
      {(node.by || node.at) && (
        <Text size="xs" c="dimmed" mt={2}>
          {node.by && partyName(node.by)} {node.at && <RelativeTime value={node.at} />}
        </Text>
      )}
      {node.unused_sessions > 0 && (
        <Text size="sm" c="dimmed">
          {unusedText(node.unused_sessions)}
        </Text>
      )}
      <Group gap="md" mt={10}>
        {node.href && <PageLink href={node.href}>Open</PageLink>}
        {node.seen === "shown" && node.ref !== start && <StartLinks node={node} />}
        {node.retraction_id && <PageLink href={`/chain/retractions?show=all&retraction=${node.retraction_id}`}>What to look at again</PageLink>}
        {canSay && (
          <Button size="compact-sm" variant="default" onClick={() => setAsked(true)}>
            Retract
          </Button>
        )}
      </Group>
      <RetractDialog node={isAsked ? node : null} onClose={() => setAsked(false)} />
    </section>
  );
}

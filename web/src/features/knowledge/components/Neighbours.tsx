import { Badge, Button, Text, Title, UnstyledButton } from "@mantine/core";
import { useId } from "react";
import type { KnowledgeDetail, KnowledgeNeighbour } from "@/api/types";
import { notifyDone, notifyProblem } from "@/ui/notify";
import { useNeighbours } from "../hooks/useKnowledge";
import type { KnowledgeDecisions } from "../hooks/useKnowledgeDecisions";
import { LIKENESS_LOOK, likenessText } from "../lib/words";
import { StateBadge } from "./KnowledgeBadges";
import classes from "./knowledge.module.css";

interface NeighboursProps {
  row: KnowledgeDetail;
  decisions: KnowledgeDecisions;
  onGo: (id: string) => void;
}

/** Rows that read alike or contradict each other, side by side; nobody is asked again about those that are both wanted. */
export function Neighbours({ row, decisions, onGo }: NeighboursProps) {
  const { data } = useNeighbours(row.id);
  const heading = useId();
  if (!data || (data.data.length === 0 && !data.truncated)) return null;
  return (
    <section aria-labelledby={heading} className={classes.part}>
      <Title order={4} size="h3" id={heading}>
        Reads like it
      </Title>
      <ul className={classes.neighbours}>
        {data.data.map((other) => (
          <Beside key={other.id} row={row} other={other} decisions={decisions} onGo={onGo} />
        ))}
      </ul>
      {data.truncated && (
        <Text size="xs" c="dimmed">
          There is more than is shown: only the newest rows are compared, and the most alike are listed.
        </Text>
      )}
    </section>
  );
}

function Beside({ row, other, decisions, onGo }: NeighboursProps & { other: KnowledgeNeighbour }) {
  const { keepBoth } = decisions.actions;
  const { label, color, means } = LIKENESS_LOOK[other.likeness];
  const keep = () =>
    keepBoth.mutate(
      { id: row.id, other: other.id },
      { onSuccess: () => notifyDone("Both are kept."), onError: (error) => notifyProblem("This was not saved", error) },
    );
  return (
    <li className={classes.neighbour}>
      <div className={classes.sides}>
        <div>
          <Text size="xs" c="dimmed" mb={2}>
            This one
          </Text>
          <Text size="sm" className={classes.words} dir="auto">
            {row.content}
          </Text>
        </div>
        <div>
          <Text size="xs" c="dimmed" mb={2} component="div">
            The other <StateBadge state={other.state} />
          </Text>
          <UnstyledButton className={classes.other} onClick={() => onGo(other.id)}>
            <Text size="sm" className={classes.words} dir="auto">
              {other.content}
            </Text>
          </UnstyledButton>
          {other.context && (
            <Text size="xs" c="dimmed" className={classes.words} dir="auto">
              {other.context}
            </Text>
          )}
        </div>
      </div>
      <div className={classes.sidesFoot}>
        <Badge component="span" size="sm" color={color} title={means} miw="max-content">
          {label}
        </Badge>
        <Text size="xs" c="dimmed">
          {likenessText(other)}
        </Text>
        {other.kept ? (
          <Text size="xs" c="dimmed" ml="auto">
            Both are wanted
          </Text>
        ) : (
          <Button size="compact-xs" variant="default" ml="auto" loading={keepBoth.isPending} onClick={keep}>
            Keep both
          </Button>
        )}
      </div>
    </li>
  );
}

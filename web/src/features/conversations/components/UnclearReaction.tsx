import { Anchor, Button, Group, Kbd, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { CandidateTurn, UnsettledReaction } from "@/api/types";
import { RelativeTime } from "@/ui/RelativeTime";
import type { Settlement } from "../hooks/useUnsettled";
import { excerpt } from "../lib/excerpts";
import { confidenceFigure, likeness, sureness } from "../lib/reactions";
import { LongText } from "./LongText";
import { ReactionBadge } from "./ReactionBadge";
import { TurnLink } from "./TurnLink";
import classes from "./conversations.module.css";

const SHOWN = 280; // characters of an answer: enough to tell two apart

interface UnclearReactionProps {
  row: UnsettledReaction;
  isCurrent: boolean;
  maySettle: boolean;
  onFocus: () => void;
  onSettle: (turn: Settlement["turn"]) => void;
}

/** One message, and the answers that it may be about. */
export function UnclearReaction({ row, isCurrent, maySettle, onFocus, onSettle }: UnclearReactionProps) {
  const [figures, { toggle }] = useDisclosure(false);
  return (
    <li
      className={classes.unclear}
      data-stop={row.id}
      data-current={isCurrent || undefined}
      tabIndex={-1}
      aria-label={`Message: ${row.message ?? row.evidence}`}
      onFocus={onFocus}
    >
      <Group gap={8}>
        <ReactionBadge reaction={row.reaction} />
        <Text span size="xs" c="dimmed">
          {sureness(row.confidence)}
          {figures && ` (${confidenceFigure(row.confidence)})`}
        </Text>
        <Text span size="xs" className={classes.id}>
          {row.user_id ?? "User"}
        </Text>
        <Text span size="xs" c="dimmed">
          <RelativeTime value={row.ts} />
        </Text>
        <span className={classes.place}>
          <TurnLink project={row.project} conversation={row.conversation_id} turn={row.turn_id}>
            {row.project} · {row.conversation_id}
          </TurnLink>
        </span>
      </Group>
      <blockquote className={classes.quote}>
        <LongText text={row.message ?? row.evidence} shown={600} />
      </blockquote>
      <Text size="sm" fw={550} mb={6}>
        Which answer did the customer mean?
      </Text>
      <ol className={classes.candidates}>
        {row.candidates.map((candidate, place) => (
          <Candidate
            key={`${candidate.conversation_id}/${candidate.turn_id}`}
            row={row}
            candidate={candidate}
            number={place + 1}
            maySettle={maySettle}
            figures={figures}
            onChoose={() => onSettle({ conversation_id: candidate.conversation_id, turn_id: candidate.turn_id })}
          />
        ))}
      </ol>
      <Group justify="space-between" mt={8}>
        <Anchor component="button" type="button" size="xs" c="dimmed" aria-pressed={figures} onClick={toggle}>
          {figures ? "Hide figures" : "Show figures"}
        </Anchor>
        {maySettle && (
          <Button
            size="xs"
            variant="default"
            data-choice="0"
            leftSection={<Kbd size="xs">0</Kbd>}
            onClick={() => onSettle(null)}
          >
            None of these
          </Button>
        )}
      </Group>
    </li>
  );
}

interface CandidateProps {
  row: UnsettledReaction;
  candidate: CandidateTurn;
  number: number;
  maySettle: boolean;
  figures: boolean;
  onChoose: () => void;
}

function Candidate({ row, candidate, number, maySettle, figures, onChoose }: CandidateProps) {
  const { turn_id, conversation_id, user, assistant, score, similarity, recency } = candidate;
  const isGone = candidate.ts === null;
  return (
    <li className={classes.candidate}>
      <div>
        {user && (
          <Text size="xs" c="dimmed" className={classes.written} dir="auto" mb={2}>
            {user.length > SHOWN ? `${user.slice(0, SHOWN)}…` : user}
          </Text>
        )}
        <LongText text={isGone ? "This turn is not there any more." : (assistant ?? "No answer was given.")} shown={SHOWN} />
        <Text size="xs" c="dimmed" mt={2} component="div">
          {likeness(similarity)}
          {" · "}
          <TurnLink project={row.project} conversation={conversation_id} turn={turn_id}>
            {conversation_id === row.conversation_id ? "Open in the conversation" : "Open in another conversation"}
          </TurnLink>
          {figures &&
            ` · score ${score.toFixed(2)}, of similarity ${similarity.toFixed(2)} and recency ${recency.toFixed(2)}`}
        </Text>
      </div>
      {maySettle && !isGone && (
        <Button
          size="xs"
          variant="default"
          data-choice={number}
          leftSection={<Kbd size="xs">{number}</Kbd>}
          data-turn={turn_id}
          aria-label={`This one: ${excerpt(assistant ?? "no answer")}`}
          onClick={onChoose}
        >
          This one
        </Button>
      )}
    </li>
  );
}

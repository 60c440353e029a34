import { Anchor, Group, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import type { Reaction, ReactionRow, TranscriptTurn } from "@/api/types";
import { RelativeTime } from "@/ui/RelativeTime";
import { useAnswerName } from "../hooks/useAnswers";
import { turnExcerpt } from "../lib/excerpts";
import { REACTION_LOOK, isOwn, ownReaction } from "../lib/reactions";
import { LongText } from "./LongText";
import { ReactionList } from "./ReactionList";
import { Thumbs } from "./Thumbs";
import { TurnLink } from "./TurnLink";
import { TurnLog } from "./TurnLog";
import { TurnMenu } from "./TurnMenu";
import classes from "./conversations.module.css";

/** What other features bring to a turn. */
export interface TurnExtra {
  acts: (turnId: string) => ReactNode;
  notes: (turnId: string) => ReactNode;
}

interface TurnProps {
  project: string;
  conversation: string;
  turn: TranscriptTurn;
  userId: string;
  /** A link led here. */
  isLinked: boolean;
  /** What this turn's message was read as. */
  read: readonly ReactionRow[];
  whyNot: string | null;
  extra?: TurnExtra | undefined;
  nameOf: (row: ReactionRow) => string;
  onReact: (turnId: string, reaction: Reaction | null, text?: string | null) => void;
  onFocus: () => void;
}

/** What the user said, what the agent answered, and what was thought of that. */
export function Turn(props: TurnProps) {
  const { project, conversation, turn, userId, isLinked, read, whyNot, extra, nameOf, onReact, onFocus } = props;
  const [asWritten, setAsWritten] = useState(false);
  const own = ownReaction(turn, userId);
  const others = turn.reactions.filter((row) => !isOwn(row, userId));
  return (
    <article
      className={classes.turn}
      data-turn={turn.turn_id}
      data-stop={turn.turn_id}
      data-linked={isLinked || undefined}
      tabIndex={-1}
      aria-label={`Turn: ${turnExcerpt(turn)}`}
      onFocus={onFocus}
    >
      <Group justify="flex-end" gap={8} className={classes.turnHead}>
        <Text size="xs" c="dimmed">
          <RelativeTime value={turn.ts} />
        </Text>
        {isSessionId(turn.session_id) && <SessionLink id={turn.session_id} />}
        {extra?.acts(turn.turn_id)}
        <TurnMenu
          project={project}
          conversation={conversation}
          turnId={turn.turn_id}
          asWritten={asWritten}
          onAsWritten={setAsWritten}
        />
      </Group>
      {turn.user !== null && (
        <Message by="user" name={turn.user_id ?? "User"} text={turn.user} asWritten={asWritten}>
          {read.map((row) => (
            <ReadAs key={row.id} project={project} row={row} />
          ))}
          {turn.unsettled.map((row) => (
            <Unclear key={row.id} project={project} row={row} />
          ))}
        </Message>
      )}
      {turn.assistant !== null && (
        <Message by="assistant" name={turn.agent ?? "Agent"} text={turn.assistant} asWritten={asWritten} />
      )}
      <div className={classes.thoughts}>
        {(turn.assistant !== null || own) && (
          <Thumbs
            label="Your reaction"
            own={own}
            whyNot={whyNot}
            onReact={(reaction, text) => onReact(turn.turn_id, reaction, text)}
          />
        )}
        <ReactionList project={project} conversation={conversation} rows={others} nameOf={nameOf} />
        {extra?.notes(turn.turn_id)}
        {turn.has_log && <TurnLog project={project} conversation={conversation} turnId={turn.turn_id} />}
      </div>
    </article>
  );
}

/** A program may call a session as it likes; those that are recorded here have ids of this shape. */
export function isSessionId(id: string | null): id is string {
  return id !== null && UUID.test(id);
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** What the agent did for the turn, step by step. */
function SessionLink({ id }: { id: string }) {
  return (
    <Anchor size="xs" underline="always" renderRoot={(props) => <Link to="/sessions/$id" params={{ id }} {...props} />}>
      Session
    </Anchor>
  );
}

interface MessageProps {
  by: "user" | "assistant";
  name: string;
  text: string;
  asWritten: boolean;
  children?: ReactNode;
}

function Message({ by, name, text, asWritten, children }: MessageProps) {
  return (
    <div className={classes.message} data-by={by}>
      <Text size="xs" c="dimmed" fw={550} className={classes.id}>
        {name}
      </Text>
      <LongText text={text} asWritten={asWritten} />
      {children}
    </div>
  );
}

function ReadAs({ project, row }: { project: string; row: ReactionRow }) {
  const nameOfAnswer = useAnswerName();
  const { label } = REACTION_LOOK[row.payload.reaction.reaction];
  return (
    <Text size="xs" c="dimmed" mt={4}>
      Read by machine as {label} for{" "}
      <TurnLink project={project} conversation={row.payload.conversation_id} turn={row.turn_id}>
        {nameOfAnswer(row.payload.conversation_id, row.turn_id)}
      </TurnLink>
    </Text>
  );
}

function Unclear({ project, row }: { project: string; row: ReactionRow }) {
  const { label } = REACTION_LOOK[row.payload.reaction.reaction];
  return (
    <Text size="xs" c="dimmed" mt={4}>
      Read by machine as {label}, but not clear for which answer.{" "}
      <Anchor
        size="xs"
        underline="always"
        renderRoot={(props) => <Link to="/admin/agent-review/conversations/unclear" search={{ project }} {...props} />}
      >
        Say which was meant
      </Anchor>
    </Text>
  );
}

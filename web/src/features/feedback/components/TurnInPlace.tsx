import { Text } from "@mantine/core";
import type { FeedbackDetail, TranscriptTurn } from "@/api/types";
import { LongText } from "@/features/conversations/components/LongText";
import { TurnLink } from "@/features/conversations/components/TurnLink";
import { useTranscript } from "@/features/conversations/hooks/useConversations";
import { excerpt } from "@/features/conversations/lib/excerpts";
import { PlaceHead } from "./PlaceHead";
import classes from "./feedback.module.css";

const SHOWN = 900; // characters of an answer, until somebody wants all of it
const AROUND = 140; // of what was said before and after

/** The turn that is meant, with what was said before and after it. */
export function TurnInPlace({ turn }: { turn: NonNullable<FeedbackDetail["about"]["turn"]> }) {
  const { project, conversation_id: conversation, turn_id } = turn;
  const turns = useTranscript({ project, conversation }, turn_id).data?.pages.flatMap((page) => page.turns) ?? [];
  const place = turns.findIndex((each) => each.turn_id === turn_id);
  return (
    <section className={classes.place} aria-label="The turn">
      <PlaceHead title="In the conversation">
        <TurnLink project={project} conversation={conversation} turn={turn_id}>
          {project} · {conversation}
        </TurnLink>
      </PlaceHead>
      {place > 0 && <Aside turn={turns[place - 1]} />}
      <div className={classes.meant}>
        {turn.user && (
          <div className={classes.asked}>
            <LongText text={turn.user} shown={SHOWN} />
          </div>
        )}
        <LongText text={turn.assistant ?? "No answer was given."} shown={SHOWN} />
      </div>
      {place !== -1 && <Aside turn={turns[place + 1]} />}
    </section>
  );
}

function Aside({ turn }: { turn: TranscriptTurn | undefined }) {
  if (!turn) return null;
  return (
    <Text size="xs" c="dimmed" className={classes.aside} dir="auto">
      {excerpt(turn.user ?? turn.assistant ?? "", AROUND)}
    </Text>
  );
}

import { Text } from "@mantine/core";
import type { SessionEvent } from "@/api/types";
import { usePayload } from "../hooks/useSessionEvents";
import { readInstructions, readMessages } from "../lib/payloads";
import { PayloadPart } from "./PayloadPart";
import classes from "./sessions.module.css";

/** The prompt as it was sent: instructions, and the messages that were new in the request. */
export function Prompt({ request }: { request: SessionEvent }) {
  const { payload: told } = usePayload(request);
  const messages = readMessages(told.messages);
  const instructions = readInstructions(told);
  const isKnown = instructions !== null || messages.length > 0;
  return (
    <section className={classes.prompt} aria-label="The prompt as it was sent">
      <Text size="xs" fw={600} component="h3">
        The prompt as it was sent
      </Text>
      {instructions !== null && (
        <PayloadPart label="Instructions" event={request} pick={readInstructions} />
      )}
      {messages.map(({ role }, place) => (
        <PayloadPart
          key={place}
          label={`Message ${place + 1}, ${role}`}
          event={request}
          pick={(payload) => readMessages(payload.messages)[place]?.text}
        />
      ))}
      {!isKnown && (
        <>
          <Text size="xs" c="dimmed">
            Instructions and messages were not recorded. This is what was.
          </Text>
          <PayloadPart label="Request" event={request} pick={(payload) => payload} />
        </>
      )}
    </section>
  );
}

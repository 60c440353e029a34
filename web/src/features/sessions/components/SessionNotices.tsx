import { Alert, Anchor, Button, Group, Text, Textarea } from "@mantine/core";
import { ChatBubbleIcon, ExclamationTriangleIcon, InfoCircledIcon } from "@radix-ui/react-icons";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { AgentSession } from "@/api/types";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { Markdown } from "@/ui/Markdown";
import { RelativeTime } from "@/ui/RelativeTime";
import { notifyDone, notifyProblem } from "@/ui/notify";
import { useSessionActions } from "../hooks/useSessions";
import { adviceFor } from "../lib/problems";
import classes from "./sessions.module.css";

/** What somebody must know, or do, before they read on. */
export function SessionNotices({ session }: { session: AgentSession }) {
  return (
    <>
      {session.error && <Failure {...session.error} agentId={session.agent_id} />}
      {session.status === "stalled" && (
        <Alert color="orange" icon={<InfoCircledIcon />} title="It has not been heard of" mb="md">
          It runs elsewhere, and its last event came <RelativeTime value={session.last_at} />. It goes on as soon as it
          sends another one; if nothing runs any more, cancel it.
        </Alert>
      )}
      {session.status === "waiting" && <Question session={session} />}
    </>
  );
}

interface FailureProps {
  code: string;
  message: string;
  agentId: string | null;
}

function Failure({ code, message, agentId }: FailureProps) {
  const { title, advice, isAboutAgent } = adviceFor(code);
  return (
    <Alert color="red" icon={<ExclamationTriangleIcon />} title={title} mb="md" role="note">
      {message && <Text size="sm" className={classes.words}>{message}</Text>}
      <Text size="sm" mt={6}>
        {advice}{" "}
        {isAboutAgent && agentId !== null && (
          <Anchor size="sm" underline="always" renderRoot={(props) => <Link to="/settings/agents/$id" params={{ id: agentId }} {...props} />}>
            Go to the agent
          </Anchor>
        )}
      </Text>
      <Text size="xs" c="dimmed" mt={6}>
        Code {code}
      </Text>
    </Alert>
  );
}

/** What the agent asks a person, and where the answer is given. */
function Question({ session }: { session: AgentSession }) {
  const can = useCan()("sessions.team.create");
  const { answer } = useSessionActions(session.id);
  const [text, setText] = useState("");
  const send = () =>
    answer.mutate(text.trim(), {
      onSuccess: () => {
        setText("");
        notifyDone("Answered. The session goes on.");
      },
      onError: (error) => notifyProblem("Your answer was not taken", error),
    });
  return (
    <Alert color="gold" icon={<ChatBubbleIcon />} title="The agent asks" mb="md" role="note">
      <Markdown>{session.question?.text ?? "It waits for an answer."}</Markdown>
      {can ? (
        <form
          className={classes.answer}
          onSubmit={(event) => {
            event.preventDefault();
            if (text.trim()) send();
          }}
        >
          <Textarea label="Answer" autosize minRows={2} maxRows={10} maxLength={20_000} value={text} onChange={(event) => setText(event.currentTarget.value)} />
          <Group justify="flex-end" mt="xs">
            <Button type="submit" loading={answer.isPending} disabled={text.trim() === ""}>
              Answer
            </Button>
          </Group>
        </form>
      ) : (
        <Text size="sm" c="dimmed" mt={6}>
          Contributors, reviewers and admins can answer.
        </Text>
      )}
    </Alert>
  );
}

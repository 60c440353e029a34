import { Anchor, Button, Group, Text, TextInput } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { toProblem } from "@/api/problem";
import type { Golden } from "@/api/types";
import { titleOf } from "@/features/sessions/components/SessionHeader";
import { useAgentSession } from "@/features/sessions/hooks/useSessions";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { confirmDanger } from "@/ui/confirm";
import { notifyDone, notifyProblem } from "@/ui/notify";
import { useGoldenActions } from "../hooks/useGoldens";
import { sessionIdOf } from "../lib/alternatives";
import classes from "./evals.module.css";

/** Sessions that reach the same goal in another way: a replay passes where it does what any of them did. */
export function Alternatives({ golden }: { golden: Golden }) {
  const may = useCan()("evals.team.manage");
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs">
        Where many ways lead to the goal: a replay passes if it does what the golden or any of these did.
      </Text>
      {golden.alternatives.length === 0 ? (
        <Text size="sm" className={classes.none}>
          No other session is accepted.
        </Text>
      ) : (
        <ul className={classes.alternatives} aria-label="Accepted alternatives">
          {golden.alternatives.map((id) => (
            <li key={id}>
              <Alternative goldenId={golden.sessionId} id={id} may={may} />
            </li>
          ))}
        </ul>
      )}
      {may && <AcceptForm golden={golden} />}
    </>
  );
}

function Alternative({ goldenId, id, may }: { goldenId: string; id: string; may: boolean }) {
  const { data } = useAgentSession(id);
  const { acceptNoMore } = useGoldenActions();
  const askToRemove = () =>
    confirmDanger({
      title: "Accept this session no more?",
      children: "Replays are compared without it from now on, so the golden's noise floor is measured again.",
      action: "Remove",
      onConfirm: () =>
        acceptNoMore.mutate(
          { id: goldenId, sessionId: id },
          { onSuccess: () => notifyDone("It is accepted no more."), onError: (error) => notifyProblem("It is accepted still", error) },
        ),
    });
  const title = data ? titleOf(data) : `Session ${id.slice(-8)}`;
  return (
    <Group gap="sm" justify="space-between" wrap="nowrap">
      <Anchor size="sm" dir="auto" lineClamp={2} renderRoot={(props) => <Link to="/sessions/$id" params={{ id }} {...props} />}>
        {title}
      </Anchor>
      {may && (
        <Button size="compact-xs" variant="default" aria-label={`Remove ${title}`} loading={acceptNoMore.isPending} onClick={askToRemove}>
          Remove
        </Button>
      )}
    </Group>
  );
}

function AcceptForm({ golden }: { golden: Golden }) {
  const { accept } = useGoldenActions();
  const [pasted, setPasted] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const submit = () => {
    const sessionId = sessionIdOf(pasted);
    if (sessionId === null) return setProblem("Paste the address or the id of one session.");
    setProblem(null);
    accept.mutate(
      { id: golden.sessionId, sessionId },
      {
        onSuccess: () => {
          setPasted("");
          notifyDone("It is accepted as well. Replays are compared with both from now on.");
        },
        onError: (error) => setProblem(toProblem(error).message),
      },
    );
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!accept.isPending) submit();
      }}
    >
      <Group gap="xs" mt="sm" align="flex-start" wrap="nowrap" maw={640}>
        <TextInput
          aria-label="Another session that is as good"
          placeholder="Address or id of a completed session"
          flex={1}
          value={pasted}
          error={problem}
          onChange={(event) => setPasted(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" disabled={pasted.trim() === ""} loading={accept.isPending}>
          Accept
        </Button>
      </Group>
    </form>
  );
}

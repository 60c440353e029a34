import { Anchor, Badge, Button, Group, Paper, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useId, useState } from "react";
import type { GoldenCandidate } from "@/api/types";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { Loaded } from "@/ui/Loaded";
import { confirmDanger } from "@/ui/confirm";
import { notifyDone, notifyProblem } from "@/ui/notify";
import { RelativeTime } from "@/ui/RelativeTime";
import { useCandidates, useGoldenActions } from "../hooks/useGoldens";
import { plural } from "../lib/words";
import { PromoteDialog } from "./PromoteDialog";
import classes from "./evals.module.css";

const VISIBLE = 5; // cards: the goldens below stay in sight

/** What users asked where agents did badly: each may become a golden. */
export function Candidates({ set }: { set: string | undefined }) {
  const query = useCandidates();
  const heading = useId();
  return (
    <section aria-labelledby={heading} className={classes.section}>
      <Title order={2} size="h3" id={heading}>
        Candidates
        {query.data && query.data.length > 0 && (
          <Text span size="sm" c="dimmed" ml={8} fw={400}>
            {query.data.length.toLocaleString("en")}
          </Text>
        )}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        What users asked where they were not content. Promote those that agents should be held to once they do it right.
      </Text>
      <Loaded query={query} what="candidates">
        {(candidates) => <Cards candidates={candidates} set={set} />}
      </Loaded>
    </section>
  );
}

function Cards({ candidates, set }: { candidates: GoldenCandidate[]; set: string | undefined }) {
  const [isWhole, setWhole] = useState(false);
  const [promoted, setPromoted] = useState<GoldenCandidate | null>(null);
  const { resolve } = useGoldenActions();
  const shown = isWhole ? candidates : candidates.slice(0, VISIBLE);
  if (candidates.length === 0) {
    return (
      <Text size="sm" className={classes.none}>
        No candidates. They come from feedback that waits: a bad rating of a session or a response with a question in it.
      </Text>
    );
  }
  const settle = async ({ feedbackIds }: GoldenCandidate) => {
    try {
      await resolve.mutateAsync({ feedbackIds, action: "applied" });
    } catch (error) {
      notifyProblem("It is golden, but its feedback still waits", error);
    }
  };
  return (
    <>
      <ul className={classes.cards} aria-label="Candidates">
        {shown.map((candidate) => (
          <li key={candidate.feedbackIds[0]}>
            <Card candidate={candidate} onPromote={() => setPromoted(candidate)} />
          </li>
        ))}
      </ul>
      {candidates.length > VISIBLE && (
        <Button variant="subtle" size="compact-sm" mt={6} aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? "Show fewer" : `View all ${candidates.length.toLocaleString("en")}`}
        </Button>
      )}
      <PromoteDialog
        sessionId={promoted?.representativeSessionId ?? null}
        set={set}
        onClose={() => setPromoted(null)}
        onPromoted={() => (promoted ? settle(promoted) : undefined)}
      />
    </>
  );
}

function Card({ candidate, onPromote }: { candidate: GoldenCandidate; onPromote: () => void }) {
  const { resolve } = useGoldenActions();
  const may = useCan()("evals.team.manage");
  const { prompt, occurrenceCount, agentName, agentSlug, comment, lastFeedbackAt, representativeSessionId, feedbackIds } = candidate;
  const askToDismiss = () =>
    confirmDanger({
      title: "Dismiss this candidate?",
      children: `${plural(occurrenceCount, "piece")} of feedback will be dismissed. No golden is made of it.`,
      action: "Dismiss",
      onConfirm: () =>
        resolve.mutate(
          { feedbackIds, action: "dismissed" },
          {
            onSuccess: ({ updated }) => notifyDone(updated === 0 ? "Somebody settled it before. Nothing changed." : "Dismissed."),
            onError: (error) => notifyProblem("This was not dismissed", error),
          },
        ),
    });
  return (
    <Paper withBorder radius="md" px="md" py="sm" className={classes.card}>
      <div className={classes.cardWords}>
        <Text size="sm" fw={550} lineClamp={3} dir="auto" className={classes.words}>
          {prompt}
        </Text>
        {comment && (
          <Text size="sm" lineClamp={2} dir="auto" className={classes.words}>
            “{comment}”
          </Text>
        )}
        <Group gap={8} mt={4}>
          {occurrenceCount > 1 && (
            <Badge component="span" size="sm" color="orange">
              {occurrenceCount.toLocaleString("en")} times
            </Badge>
          )}
          <Text size="xs" c="dimmed">
            <bdi>{agentName ?? agentSlug ?? "An agent"}</bdi> · <RelativeTime value={lastFeedbackAt} /> ·{" "}
            <Anchor size="xs" underline="always" renderRoot={(props) => <Link to="/sessions/$id" params={{ id: representativeSessionId }} {...props} />}>
              Session
            </Anchor>
          </Text>
        </Group>
      </div>
      {may && (
        <div className={classes.cardActs}>
          <Button size="xs" onClick={onPromote}>
            Promote to golden
          </Button>
          <Button size="xs" variant="default" loading={resolve.isPending} onClick={askToDismiss}>
            Dismiss
          </Button>
        </div>
      )}
    </Paper>
  );
}

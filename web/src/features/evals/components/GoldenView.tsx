import { Anchor, Button, Text, Title } from "@mantine/core";
import { Pencil1Icon, PlayIcon } from "@radix-ui/react-icons";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useId, useState } from "react";
import type { GoldenDetail } from "@/api/types";
import { useCriteriaSet } from "@/features/criteria/hooks/useCriteriaSets";
import { ChainLinks } from "@/features/entities/components/ChainLinks";
import { partyName } from "@/features/entities/lib/provenance";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { PageHeader } from "@/ui/PageHeader";
import { RelativeTime } from "@/ui/RelativeTime";
import { EFFECTS_LOOK, plural } from "../lib/words";
import { Alternatives } from "./Alternatives";
import { FloorLine } from "./FloorLine";
import { goldenTitle } from "./GoldensTable";
import { EditGoldenDialog } from "./PromoteDialog";
import { ReplayDialog } from "./ReplayDialog";
import { useRevoke } from "../hooks/useRevoke";
import classes from "./evals.module.css";

/** One golden: what its replays are held to, what else is as good, how steady it is, and what was frozen of it. */
export function GoldenView({ golden, onRevoked }: { golden: GoldenDetail; onRevoked: () => void }) {
  return (
    <>
      <PageHeader title={goldenTitle(golden)} description={<About golden={golden} />} actions={<Acts golden={golden} onRevoked={onRevoked} />} />
      <Section heading="Noise floor">
        <FloorLine golden={golden} explains />
      </Section>
      <Section heading="What a replay must do">
        <HeldTo golden={golden} />
      </Section>
      <Section heading="As good as it">
        <Alternatives golden={golden} />
      </Section>
      <Section heading="What was frozen">
        <Frozen golden={golden} />
      </Section>
    </>
  );
}

function Section({ heading, children }: { heading: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={classes.section}>
      <Title order={2} size="h3" id={id} mb="xs">
        {heading}
      </Title>
      {children}
    </section>
  );
}

function About({ golden }: { golden: GoldenDetail }) {
  return (
    <>
      Golden in{" "}
      <Anchor size="sm" underline="always" renderRoot={(props) => <Link to="/admin/agent-review/evals" search={{ set: golden.set }} {...props} />}>
        {golden.set}
      </Anchor>{" "}
      · <bdi>{golden.agent ?? "an agent elsewhere"}</bdi>
      {golden.agentVersion !== null && `, version ${golden.agentVersion}`} · promoted <RelativeTime value={golden.promotedAt} />, by {partyName(golden.promotedBy)} · revision{" "}
      {golden.revision} ·{" "}
      <Anchor size="sm" underline="always" renderRoot={(props) => <Link to="/sessions/$id" params={{ id: golden.sessionId }} {...props} />}>
        Its session
      </Anchor>{" "}
      · <ChainLinks of={`golden:${golden.sessionId}`} name="this golden" />
      {golden.note && (
        <Text size="sm" mt={6} dir="auto" className={classes.words}>
          {golden.note}
        </Text>
      )}
    </>
  );
}

function Acts({ golden, onRevoked }: { golden: GoldenDetail; onRevoked: () => void }) {
  const may = useCan()("evals.team.manage");
  const [isReplaying, setReplaying] = useState(false);
  const [isEdited, setEdited] = useState(false);
  const { askToRevoke, isPending } = useRevoke(golden.sessionId, onRevoked);
  if (!may) return null;
  return (
    <>
      <Button variant="default" color="red" loading={isPending} onClick={askToRevoke}>
        Revoke…
      </Button>
      <Button variant="default" leftSection={<Pencil1Icon />} onClick={() => setEdited(true)}>
        Edit…
      </Button>
      <Button leftSection={<PlayIcon />} onClick={() => setReplaying(true)}>
        Replay…
      </Button>
      <ReplayDialog target={isReplaying ? { golden } : null} onClose={() => setReplaying(false)} />
      <EditGoldenDialog golden={isEdited ? golden : null} onClose={() => setEdited(false)} />
    </>
  );
}

function HeldTo({ golden: { effects, facts, criteriaSetId, minPass } }: { golden: GoldenDetail }) {
  return (
    <dl className={classes.frozen}>
      <dt>Effects</dt>
      <dd>
        {EFFECTS_LOOK[effects].label}. {EFFECTS_LOOK[effects].means}
      </dd>
      <dt>Required facts</dt>
      <dd>
        {facts.length === 0 ? (
          "None"
        ) : (
          <ul className={classes.plainList}>
            {facts.map((fact) => (
              <li key={fact} dir="auto">
                {fact}
              </li>
            ))}
          </ul>
        )}
      </dd>
      <dt>Rubric</dt>
      <dd>{criteriaSetId === null ? "None" : <Rubric id={criteriaSetId} />}</dd>
      <dt>Repeats that must pass</dt>
      <dd>{minPass === null ? "No least share" : `At least ${Math.round(minPass * 100)}%`}</dd>
    </dl>
  );
}

function Rubric({ id }: { id: string }) {
  const { data } = useCriteriaSet(id);
  return (
    <Anchor size="sm" underline="always" renderRoot={(props) => <Link to="/criteria-sets/$id" params={{ id }} {...props} />}>
      {data?.name ?? "A criteria set"}
    </Anchor>
  );
}

/** What its replays begin with. */
function Frozen({ golden: { snapshot } }: { golden: GoldenDetail }) {
  const tools = Object.entries(snapshot.tools);
  return (
    <dl className={classes.frozen}>
      <dt>Message</dt>
      <dd dir="auto" className={classes.words}>
        {snapshot.message || "None"}
      </dd>
      {snapshot.messages.length > 0 && (
        <>
          <dt>Before it</dt>
          <dd>{plural(snapshot.messages.length, "message")} of its conversation</dd>
        </>
      )}
      <dt>Agent</dt>
      <dd>
        <bdi>{snapshot.agent.slug ?? "An agent elsewhere"}</bdi>
        {snapshot.agent.version !== null && `, version ${snapshot.agent.version}`}
      </dd>
      {snapshot.entity && (
        <>
          <dt>Record</dt>
          <dd>
            <span dir="auto">{snapshot.entity.title}</span> ({snapshot.entity.type}), {snapshot.entity.recorded ? "as the session read it" : "as it was at promotion"}
          </dd>
        </>
      )}
      <dt>Tools</dt>
      <dd>
        {tools.length === 0
          ? "None"
          : tools.map(([name, { writes, foreign }], place) => (
              <span key={name}>
                {place > 0 && ", "}
                <code>{name}</code>
                {(writes || foreign) && ` (${[writes && "writes", foreign && "not ours"].filter(Boolean).join(", ")})`}
              </span>
            ))}
        {snapshot.guessed.length > 0 && (
          <Text size="xs" c="dimmed">
            Whether these write was guessed by their names: {snapshot.guessed.join(", ")}
          </Text>
        )}
      </dd>
      <dt>Knowledge</dt>
      <dd>
        {snapshot.knowledge ? (
          <details className={classes.result}>
            <summary>What was in its prompt</summary>
            <div className={classes.spoken} dir="auto">
              {snapshot.knowledge.text}
            </div>
          </details>
        ) : (
          "None"
        )}
      </dd>
    </dl>
  );
}

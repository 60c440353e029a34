import { Alert, Anchor, List, Paper, Stack, Switch, Text, Title } from "@mantine/core";
import { InfoCircledIcon } from "@radix-ui/react-icons";
import { Link } from "@tanstack/react-router";
import type { KnowledgeSettings } from "@/api/types";
import { useEveryPage } from "@/api/useEveryPage";
import { useAgentsOverview } from "@/features/agents/hooks/useAgentActivity";
import { useAgentDefaults } from "@/features/agents/hooks/useAgentConfig";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { Loaded } from "@/ui/Loaded";
import { notifyDone, notifyProblem } from "@/ui/notify";
import { useKnowledgeSettings } from "../hooks/useKnowledge";

const REVIEWER = "feedback-review-agent"; // the slug that every workspace has it under

/** Whether an agent reads feedback that waits every hour, and what becomes of what it writes. */
export function ReviewAgent() {
  const { query } = useKnowledgeSettings();
  return (
    <Loaded query={query} what="the settings of the review agent">
      {(settings) => <Settings settings={settings} />}
    </Loaded>
  );
}

function Settings({ settings }: { settings: KnowledgeSettings }) {
  const { change } = useKnowledgeSettings();
  const mayChange = useCan()("tasks.team.manage");
  const set = (part: Partial<KnowledgeSettings>, message: string) =>
    change.mutate(
      { ...settings, ...part },
      { onSuccess: () => notifyDone(message), onError: (error) => notifyProblem("This was not saved", error) },
    );
  const busy = change.isPending || !mayChange;
  return (
    <Stack data-wide maw={720} gap="md">
      <Paper withBorder radius="lg" p="lg">
        <Stack>
          <Switch
            label="Review feedback every hour"
            description="A task starts the review agent in every hour in which groups of feedback wait. Off, nothing runs: groups are still proposed, in their own words."
            checked={settings.review}
            disabled={busy}
            onChange={(event) => {
              const { checked } = event.currentTarget;
              set({ review: checked }, checked ? "The review agent works from the next hour on." : "The review agent does not work any more.");
            }}
          />
          <Switch
            label="What it writes is active without a person"
            description="Only what passes every check: two or more signals of distinct origin, given by two people or agents of whom one is a member, no number, name or address that its feedback does not have, and no words that read like an order to a model. Off, a person approves."
            checked={settings.activates}
            disabled={busy}
            onChange={(event) => {
              const { checked } = event.currentTarget;
              set({ activates: checked }, checked ? "What passes every check is active at once." : "A person approves what it writes.");
            }}
          />
          {!mayChange && (
            <Text size="sm" c="dimmed">
              Only an admin or the owner can change this.
            </Text>
          )}
        </Stack>
      </Paper>
      <Model />
      <section aria-labelledby="review-agent-may">
        <Title order={3} id="review-agent-may">
          What it may do
        </Title>
        <List size="sm" mt={6} spacing={4}>
          <List.Item>It reads groups of feedback that wait, at most ten and fifty notes at a time, and the records that they are about.</List.Item>
          <List.Item>For each it decides: a pattern, one-offs, not actionable, or contradictory. It prefers to dismiss.</List.Item>
          <List.Item>A pattern takes the place of the extract as a proposal, with every quote that it rests on.</List.Item>
          <List.Item>It may tune an agent's instructions within limits, as a new version that can be restored.</List.Item>
          <List.Item>It deletes nothing, and makes no agents and no types. All that it does is in its sessions.</List.Item>
        </List>
      </section>
    </Stack>
  );
}

/** On which model it works; without one its runs propose what a run without it would. */
function Model() {
  const { rows = [] } = useEveryPage(useAgentsOverview());
  const { data: defaults } = useAgentDefaults();
  const agent = rows.find(({ slug }) => slug === REVIEWER);
  if (!agent || defaults === undefined) return null;
  const model = agent.runs_with?.model ?? defaults.model;
  const itsPage = (
    <Anchor size="sm" underline="always" renderRoot={(props) => <Link to="/settings/agents/$id" params={{ id: agent.id }} {...props} />}>
      {agent.name}
    </Anchor>
  );
  const itsSessions = (
    <Anchor size="sm" underline="always" renderRoot={(props) => <Link to="/admin/agent-review/sessions" search={{ agent: REVIEWER }} {...props} />}>
      its sessions
    </Anchor>
  );
  if (model) {
    return (
      <Text size="sm">
        It is the agent {itsPage}, and works on <code>{model}</code>. What it decided is in {itsSessions}.
      </Text>
    );
  }
  return (
    <Alert color="gray" icon={<InfoCircledIcon />} title="No model is configured" role="note">
      <Text size="sm">
        It works without one: each run puts groups into proposals in the words of the note that is most like the others, for a person to put into a rule. With a
        model it also words them and dismisses what is noise. Name one on the page of the agent {itsPage}; what it decided is in {itsSessions}.
      </Text>
    </Alert>
  );
}

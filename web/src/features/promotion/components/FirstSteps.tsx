import { ActionIcon, Button, Group, Paper, Text, Title, VisuallyHidden } from "@mantine/core";
import { CheckIcon, Cross2Icon } from "@radix-ui/react-icons";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { FirstSteps as Facts } from "@/api/types";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { useFirstSteps } from "../hooks/useFirstSteps";
import { type StepKey, listSteps, nextStep } from "../lib/firstSteps";
import classes from "./firstSteps.module.css";

interface FirstStepsProps {
  /** The way to a new record, for those who may. */
  newRecord: ReactNode;
}

/** What leads from an empty workspace to its first promoted value; gone once that is there, or put away. */
export function FirstSteps({ newRecord }: FirstStepsProps) {
  const { facts, dismiss } = useFirstSteps();
  const steps = facts ? listSteps(facts) : [];
  const next = nextStep(steps);
  if (!facts || next === undefined) return null;
  return (
    <Paper component="section" withBorder radius="lg" p="lg" mb="xl" aria-labelledby="first-steps">
      <Group justify="space-between" wrap="nowrap" align="flex-start" mb="sm">
        <div>
          <Title order={2} id="first-steps">
            First steps
          </Title>
          <Text size="sm" c="dimmed" mt={2}>
            {`From nothing to the first promoted value: ${steps.filter(({ isDone }) => isDone).length} of ${steps.length} done`}
          </Text>
        </div>
        <ActionIcon variant="subtle" color="gray" aria-label="Put the first steps away" onClick={dismiss}>
          <Cross2Icon />
        </ActionIcon>
      </Group>
      <ol className={classes.steps}>
        {steps.map(({ key, title, text, isDone }, place) => (
          <li key={key} className={classes.step} data-done={isDone || undefined} aria-current={key === next ? "step" : undefined}>
            <span className={classes.mark} aria-hidden>
              {isDone ? <CheckIcon /> : place + 1}
            </span>
            <div className={classes.words}>
              <span className={classes.title}>
                {title}
                {isDone && <VisuallyHidden>, done</VisuallyHidden>}
              </span>
              {!isDone && <span className={classes.text}>{text}</span>}
            </div>
            {key === next && <StepActs step={key} facts={facts} newRecord={newRecord} />}
          </li>
        ))}
      </ol>
    </Paper>
  );
}

interface StepActsProps extends FirstStepsProps {
  step: StepKey;
  facts: Facts;
}

function StepActs({ step, facts, newRecord }: StepActsProps) {
  const can = useCan();
  const id = facts.record_id;
  const responses = (label: string) =>
    id && (
      <Button renderRoot={(props) => <Link to="/records/$id" params={{ id }} search={{ tab: "responses" }} {...props} />}>{label}</Button>
    );
  switch (step) {
    case "type":
      return (
        can("entity_types.team.manage") && (
          <Button renderRoot={(props) => <Link to="/build/types" {...props} />}>New type</Button>
        )
      );
    case "record":
      return newRecord;
    case "response":
      return (
        <Group gap="xs">
          {can("responses.team.create") && responses("Propose a value")}
          {can("members.team.manage") && (
            <Button variant="default" renderRoot={(props) => <Link to="/settings/members" {...props} />}>
              New member
            </Button>
          )}
          {can("agents.team.manage") && (
            <Button variant="default" renderRoot={(props) => <Link to="/settings/agents" {...props} />}>
              New agent
            </Button>
          )}
        </Group>
      );
    case "promotion":
      return responses("Review");
  }
}

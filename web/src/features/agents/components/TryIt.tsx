import { Button, Group, Stack, Text, Textarea } from "@mantine/core";
import { useForm } from "@mantine/form";
import { PlayIcon } from "@radix-ui/react-icons";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Agent, AgentVersion } from "@/api/types";
import { Modal } from "@/ui/Modal";
import { FormProblem } from "@/ui/states";
import { useProblemForm } from "@/ui/useProblemForm";
import { useStartRun } from "../hooks/useAgentActivity";
import { SESSION_PAGE } from "../lib/addresses";

interface TryItProps {
  agent: Agent;
  version: AgentVersion;
  /** Why it cannot run now; null when it can. */
  whyNot: string | null;
}

/** Starts a run with a message of one's own, and leads to what it does. */
export function TryIt({ agent, version, whyNot }: TryItProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button leftSection={<PlayIcon />} onClick={() => setOpen(true)}>
        Try it
      </Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={`Try ${agent.name}`} size="lg">
        <RunForm agent={agent} version={version} whyNot={whyNot} onClose={() => setOpen(false)} />
      </Modal>
    </>
  );
}

function RunForm({ agent, version, whyNot, onClose }: TryItProps & { onClose: () => void }) {
  const navigate = useNavigate();
  const start = useStartRun();
  const form = useForm({
    initialValues: { input: "" },
    validate: { input: (value) => (value.trim() ? null : "Write what the agent is to do") },
  });
  const problem = useProblemForm(form);
  const submit = form.onSubmit(async ({ input }) => {
    problem.clear();
    try {
      const { id } = await start.mutateAsync({ agent: agent.slug, message: input.trim() });
      await navigate({ to: SESSION_PAGE, params: { id } as never });
    } catch (error) {
      problem.place(error);
    }
  });
  return (
    <form onSubmit={submit} noValidate aria-label={`Try ${agent.name}`}>
      <Stack>
        <FormProblem>{problem.head}</FormProblem>
        <Textarea
          label="Message"
          description="What you would say to it"
          data-autofocus
          autosize
          minRows={4}
          maxRows={14}
          {...form.getInputProps("input")}
        />
        <Text size="xs" c={whyNot ? "var(--mantine-color-error)" : "dimmed"}>
          {whyNot ?? `Runs version ${version.version}, as it is saved. What it proposes is real, and waits for review.`}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={start.isPending} disabled={whyNot !== null}>
            Run
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

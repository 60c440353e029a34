import { Button, Group, Stack, TextInput, Textarea } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import type { Agent } from "@/api/types";
import { Modal } from "@/ui/Modal";
import { notifyDone } from "@/ui/notify";
import { FormProblem } from "@/ui/states";
import { useProblemForm } from "@/ui/useProblemForm";
import { useAgentActions } from "../hooks/useAgents";
import { SLUG_RULE, isSlug, slugify } from "../lib/slug";

interface AgentDialogProps {
  /** "new" adds one; null is closed. */
  agent: Agent | "new" | null;
  onClose: () => void;
}

export function AgentDialog({ agent, onClose }: AgentDialogProps) {
  return (
    <Modal opened={agent !== null} onClose={onClose} title={agent === "new" ? "New agent" : "Edit agent"}>
      {agent && <AgentForm agent={agent === "new" ? null : agent} onClose={onClose} />}
    </Modal>
  );
}

function AgentForm({ agent, onClose }: { agent: Agent | null; onClose: () => void }) {
  const { create, change } = useAgentActions();
  const [slugTouched, setSlugTouched] = useState(false);
  const form = useForm({
    initialValues: { name: agent?.name ?? "", slug: agent?.slug ?? "", description: agent?.description ?? "" },
    validate: {
      name: (value) => (value.trim() ? null : "Give the agent a name"),
      slug: (value) => (isSlug(value.trim()) ? null : SLUG_RULE),
    },
  });
  const problem = useProblemForm(form);

  const submit = form.onSubmit(async ({ name, slug, description }) => {
    problem.clear();
    const texts = { name: name.trim(), description: description.trim() };
    try {
      if (agent) await change.mutateAsync({ id: agent.id, ...texts });
      else await create.mutateAsync({ slug: slug.trim(), ...texts });
      notifyDone(`${texts.name} was saved.`);
      onClose();
    } catch (error) {
      problem.place(error);
    }
  });

  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <FormProblem>{problem.head}</FormProblem>
        <TextInput
          label="Name"
          data-autofocus
          {...form.getInputProps("name")}
          onChange={(event) => {
            const name = event.currentTarget.value;
            form.setFieldValue("name", name);
            if (!agent && !slugTouched) form.setFieldValue("slug", slugify(name));
          }}
        />
        <TextInput
          label="Slug"
          description={agent ? "Fixed: programs refer to it" : "How programs refer to it; cannot be changed later"}
          disabled={agent !== null}
          {...form.getInputProps("slug")}
          onChange={(event) => {
            setSlugTouched(true);
            form.setFieldValue("slug", event.currentTarget.value);
          }}
        />
        <Textarea
          label="Description"
          description="Optional"
          autosize
          minRows={2}
          maxRows={6}
          {...form.getInputProps("description")}
        />
        <Group justify="flex-end" mt="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending || change.isPending}>
            Save agent
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

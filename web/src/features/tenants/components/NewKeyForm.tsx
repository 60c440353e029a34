import { Button, Group, MultiSelect, NativeSelect, Radio, Select, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { KeyCreated, NewKey, Role } from "@/api/types";
import { FormProblem } from "@/ui/states";
import { useProblemForm } from "@/ui/useProblemForm";
import { useAgents } from "../hooks/useAgents";
import { useKeyActions } from "../hooks/useKeys";
import { useCurrentWorkspace, usePermissions } from "../hooks/useWorkspace";
import { EXPIRY_CHOICES, EXPIRY_LABEL, type ExpiryChoice, checkCustomDate, expiresAt } from "../lib/expiry";
import { grantableRoles } from "../lib/roles";
import { RoleSelect } from "./RoleSelect";

interface Values extends Record<string, unknown> {
  name: string;
  role: Role;
  holder: "me" | "agent";
  agent_id: string | null;
  scopes: string[];
  expires_at: ExpiryChoice;
  custom_date: string;
}

export function newKeyBody(values: Values, now: Date): NewKey {
  return {
    name: values.name.trim(),
    role: values.role,
    ...(values.holder === "agent" ? { agent_id: values.agent_id } : {}),
    ...(values.scopes.length > 0 ? { scopes: values.scopes } : {}),
    expires_at: expiresAt(values.expires_at, values.custom_date, now),
  };
}

interface NewKeyFormProps {
  /** The agent that it is for, where that is settled. */
  agentId?: string | undefined;
  onCreated: (created: KeyCreated) => void;
  onCancel: () => void;
}

export function NewKeyForm({ agentId, onCreated, onCancel }: NewKeyFormProps) {
  const { create } = useKeyActions();
  const agents = useAgents();
  const permissions = usePermissions();
  const roles = grantableRoles(useCurrentWorkspace()?.role ?? "viewer");
  const form = useForm<Values>({
    initialValues: {
      name: "",
      role: "contributor",
      holder: agentId === undefined ? "me" : "agent",
      agent_id: agentId ?? null,
      scopes: [],
      expires_at: "90",
      custom_date: "",
    },
    validate: {
      name: (value) => (value.trim() ? null : "Give the key a name"),
      agent_id: (value, values) => (values.holder === "agent" && !value ? "Choose an agent" : null),
      custom_date: (value, values) => (values.expires_at === "custom" ? checkCustomDate(value, new Date()) : null),
    },
  });
  const problem = useProblemForm(form);
  const activeAgents = (agents.rows ?? []).filter((agent) => agent.active);

  const submit = form.onSubmit(async (values) => {
    problem.clear();
    try {
      onCreated(await create.mutateAsync(newKeyBody(values, new Date())));
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
          description="Say what will use it, such as “Support bot, production”"
          data-autofocus
          maxLength={200}
          {...form.getInputProps("name")}
        />
        {agentId === undefined && (
          <Radio.Group label="Belongs to" {...form.getInputProps("holder")}>
            <Group mt={6}>
              <Radio value="me" label="Me" />
              <Radio value="agent" label="An agent" />
            </Group>
          </Radio.Group>
        )}
        {agentId === undefined && form.values.holder === "agent" && (
          <Select
            label="Agent"
            placeholder={activeAgents.length > 0 ? "Choose an agent" : "No active agent yet: New agent, under Agents"}
            data={activeAgents.map((agent) => ({ value: agent.id, label: agent.name }))}
            searchable
            {...form.getInputProps("agent_id")}
          />
        )}
        <RoleSelect label="Role" roles={roles} {...form.getInputProps("role")} />
        <MultiSelect
          label="Scopes"
          description="Leave empty for everything the role allows"
          placeholder={form.values.scopes.length === 0 ? "All of the role" : undefined}
          data={(permissions.data?.scopes ?? []).map(({ scope }) => scope)}
          renderOption={({ option }) => (
            <ScopeOption
              scope={option.value}
              description={permissions.data?.scopes.find(({ scope }) => scope === option.value)?.description ?? ""}
            />
          )}
          searchable
          clearable
          clearButtonProps={{ "aria-label": "Clear scopes" }}
          {...form.getInputProps("scopes")}
        />
        <Group grow align="flex-start">
          <NativeSelect
            label="Expires"
            data={EXPIRY_CHOICES.map((choice) => ({ value: choice, label: EXPIRY_LABEL[choice] }))}
            {...form.getInputProps("expires_at")}
          />
          {form.values.expires_at === "custom" && (
            <TextInput label="Last day" type="date" {...form.getInputProps("custom_date")} />
          )}
        </Group>
        <Group justify="flex-end" mt="xs">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Save key
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function ScopeOption({ scope, description }: { scope: string; description: string }) {
  return (
    <Stack gap={0}>
      <span>{scope}</span>
      {description && <span style={{ fontSize: 12, color: "var(--mantine-color-dimmed)" }}>{description}</span>}
    </Stack>
  );
}

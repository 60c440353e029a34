import { Alert, Button, Code, Group, NativeSelect, Stack, Text } from "@mantine/core";
import { PlusIcon } from "@radix-ui/react-icons";
import { useState } from "react";
import type { KeyCreated } from "@/api/types";
import { useAgents } from "@/features/tenants/hooks/useAgents";
import { useKeyActions } from "@/features/tenants/hooks/useKeys";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { expiresAt } from "@/features/tenants/lib/expiry";
import { notifyProblem } from "@/ui/notify";
import { KEY_PLACEHOLDER, type Receives, type Snippet } from "../lib/snippets";

const MAY: Record<Receives, string> = {
  spans: "It may record sessions and read nothing",
  sessions: "It may record sessions, and read what a contributor reads",
  calls: "It may do what a contributor may: read records and propose values",
};

interface ConnectKeyProps {
  snippet: Snippet;
  created: KeyCreated | undefined;
  onCreated: (created: KeyCreated) => void;
}

/** The key that the lines need: a new one, shown once, or a word about who can give one. */
export function ConnectKey({ snippet, created, onCreated }: ConnectKeyProps) {
  const canManage = useCan()("keys.team.manage");
  if (!canManage) return <AskAnAdmin snippet={snippet} />;
  if (!created) return <NewKey snippet={snippet} onCreated={onCreated} />;
  return (
    <Alert color="gold" title="Copy the lines now: the new key is in them">
      It is shown as long as this page is open. It is stored only as a hash, so it cannot be shown again.
    </Alert>
  );
}

function AskAnAdmin({ snippet: { receives, scopes } }: { snippet: Snippet }) {
  return (
    <Alert color="blue" title="Ask an admin for a key">
      An admin or the owner can save one for you, with the role Contributor
      {scopes && (
        <>
          {" and "}
          {scopes.length === 1 ? "the scope " : "the scopes "}
          {scopes.map((scope, place) => (
            <span key={scope}>
              {place > 0 && " and "}
              <Code>{scope}</Code>
            </span>
          ))}
        </>
      )}
      . {MAY[receives]}. Put it where the lines say <Code>{KEY_PLACEHOLDER}</Code>.
    </Alert>
  );
}

function NewKey({ snippet, onCreated }: Omit<ConnectKeyProps, "created">) {
  const { create } = useKeyActions();
  const [agentId, setAgentId] = useState("");
  const agents = (useAgents().rows ?? []).filter(({ active }) => active);
  const save = () =>
    create.mutate(
      {
        name: `Connect: ${snippet.name}`,
        role: "contributor",
        ...(snippet.scopes ? { scopes: snippet.scopes } : {}),
        ...(agentId ? { agent_id: agentId } : {}),
        expires_at: expiresAt("90", "", new Date()),
      },
      { onSuccess: onCreated, onError: (error) => notifyProblem("The key was not saved", error) },
    );
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {`The lines say ${KEY_PLACEHOLDER} until there is a key. ${MAY[snippet.receives]}; it lasts 90 days and is shown once.`}
      </Text>
      <Group align="flex-end" gap="sm">
        <NativeSelect
          label="Belongs to"
          value={agentId}
          onChange={(event) => setAgentId(event.currentTarget.value)}
          data={[{ value: "", label: "Me" }, ...agents.map(({ id, name }) => ({ value: id, label: name }))]}
        />
        <Button leftSection={<PlusIcon />} loading={create.isPending} onClick={save}>
          New key
        </Button>
      </Group>
    </Stack>
  );
}

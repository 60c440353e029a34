import { Badge, Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { AgentSecret } from "@/api/types";
import { partyName } from "@/features/entities/lib/provenance";
import { Loaded } from "@/ui/Loaded";
import { RelativeTime } from "@/ui/RelativeTime";
import { confirmDanger } from "@/ui/confirm";
import { notifyDone, notifyProblem } from "@/ui/notify";
import { type SecretName, useSecretActions, useSecrets } from "../hooks/useAgentConfig";
import { AgentSection } from "./AgentSection";
import { SecretDialog } from "./SecretDialog";

const SECRETS: readonly { name: SecretName; label: string; what: string }[] = [
  { name: "model_key", label: "Model key", what: "The API key for the model's provider" },
  { name: "http_secret", label: "HTTP secret", what: "Sent to an agent that is called over HTTP, so that it knows who calls" },
];

/** Which secrets an agent has. What they are is never shown. */
export function Secrets({ agentId }: { agentId: string }) {
  const [setting, setSetting] = useState<SecretName | null>(null);
  const chosen = SECRETS.find(({ name }) => name === setting);
  const { remove } = useSecretActions(agentId);
  const confirmRemove = (name: SecretName, label: string) =>
    confirmDanger({
      title: `Remove the ${label.toLowerCase()}?`,
      children: "Runs that need it fail until it is set again. It cannot be brought back from here.",
      action: "Remove",
      onConfirm: () =>
        remove.mutate(name, {
          onSuccess: () => notifyDone(`The ${label.toLowerCase()} was removed.`),
          onError: (error) => notifyProblem("The secret was not removed", error),
        }),
    });
  return (
    <AgentSection title="Secrets">
      <Text size="xs" c="dimmed" mb="sm">
        Encrypted with the installation's key, and never shown again.
      </Text>
      <Loaded query={useSecrets(agentId)} what="secrets">
        {({ data }) => (
          <Stack gap="md">
            {SECRETS.map(({ name, label, what }) => {
              const kept = data.find((secret) => secret.name === name);
              return (
                <Group key={name} justify="space-between" gap="sm" align="flex-start">
                  <div style={{ flex: "1 1 240px" }}>
                    <Group gap={8}>
                      <Text size="sm" fw={550}>
                        {label}
                      </Text>
                      <Badge color={kept ? "green" : "gray"}>{kept ? "Set" : "Not set"}</Badge>
                    </Group>
                    <Text size="xs" c="dimmed" component="div">
                      {kept ? <SetBy secret={kept} /> : what}
                    </Text>
                  </div>
                  <Group gap="xs">
                    <Button
                      size="xs"
                      variant="default"
                      aria-label={`${kept ? "Replace" : "Set"} ${label.toLowerCase()}`}
                      onClick={() => setSetting(name)}
                    >
                      {kept ? "Replace" : "Set"}
                    </Button>
                    {kept && (
                      <Button
                        size="xs"
                        variant="default"
                        aria-label={`Remove ${label.toLowerCase()}`}
                        onClick={() => confirmRemove(name, label)}
                      >
                        Remove
                      </Button>
                    )}
                  </Group>
                </Group>
              );
            })}
          </Stack>
        )}
      </Loaded>
      <SecretDialog agentId={agentId} secret={chosen ?? null} onClose={() => setSetting(null)} />
    </AgentSection>
  );
}

function SetBy({ secret }: { secret: AgentSecret }) {
  return (
    <>
      By {partyName(secret.updated_by)}, <RelativeTime value={secret.updated_at} />
    </>
  );
}

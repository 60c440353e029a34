import { Anchor, Button, Paper, Stack, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Agent } from "@/api/types";
import { CopyBox } from "@/ui/CopyBox";
import { fillLines } from "../lib/snippets";

interface RunsElsewhereProps {
  agent: Agent;
  /** Absent for those who may not configure it. */
  onConfigure?: (() => void) | undefined;
}

/** An agent without a configuration: how what it does comes here. */
export function RunsElsewhere({ agent, onConfigure }: RunsElsewhereProps) {
  const filled = { origin: window.location.origin, key: null, agent: agent.slug };
  return (
    <Paper withBorder radius="lg" p="lg">
      <Stack gap="md" align="stretch">
        <div>
          <Title order={3}>This agent runs elsewhere</Title>
          <Text size="sm" c="dimmed" mt={4} maw={640}>
            It has no configuration here. Whoever runs it records its sessions with one of its keys; they are then read,
            searched and reviewed like those that run here.
          </Text>
        </div>
        <CopyBox label="Environment" value={fillLines("goldloop.sh", filled)} />
        <CopyBox label="Record a session from Python" value={fillLines("client.py", filled)} />
        <CopyBox label="Record a session by HTTP" value={fillLines("http.sh", filled)} />
        <Text size="sm">
          It may also speak OpenTelemetry or MCP:{" "}
          <Anchor underline="always" renderRoot={(props) => <Link to="/settings/agents/connect" {...props} />}>
            connect an agent
          </Anchor>
          .
        </Text>
        {onConfigure && (
          <div>
            <Text size="sm" mb="xs">
              Or let Goldloop run it: give it a model, instructions and tools.
            </Text>
            <Button onClick={onConfigure}>Configure it to run here</Button>
          </div>
        )}
      </Stack>
    </Paper>
  );
}

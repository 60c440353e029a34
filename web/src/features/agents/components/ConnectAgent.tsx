import { Chip, Group, Stack } from "@mantine/core";
import { useState } from "react";
import type { KeyCreated } from "@/api/types";
import { CopyBox } from "@/ui/CopyBox";
import { Markdown } from "@/ui/Markdown";
import { type Receives, SNIPPETS, type Snippet, fillLines } from "../lib/snippets";
import { AgentSection } from "./AgentSection";
import { ConnectKey } from "./ConnectKey";
import { ReceivedNow } from "./ReceivedNow";
import classes from "./agents.module.css";

interface ConnectAgentProps {
  snippet: Snippet;
  onChoose: (id: string) => void;
}

/** From nothing to the first thing received: what one uses, a key, the lines, and what comes of them. */
export function ConnectAgent({ snippet, onChoose }: ConnectAgentProps) {
  // What a key may do hangs on what it is for; one serves all lines of its kind.
  const [keys, setKeys] = useState<Partial<Record<Receives, KeyCreated>>>({});
  const created = keys[snippet.receives];
  return (
    <Stack gap="md">
      <AgentSection title="What do you use?">
        <Chip.Group value={snippet.id} onChange={(id) => onChoose(String(id))}>
          <Group gap={8} role="radiogroup" aria-label="What do you use?">
            {SNIPPETS.map(({ id, name }) => (
              <Chip key={id} value={id} variant="outline">
                {name}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
      </AgentSection>
      <div className={classes.columns}>
        <div className={classes.column}>
          <AgentSection title="Key">
            <ConnectKey
              key={snippet.receives}
              snippet={snippet}
              created={created}
              onCreated={(made) => setKeys((before) => ({ ...before, [snippet.receives]: made }))}
            />
          </AgentSection>
          <AgentSection title="Lines to copy">
            <Stack gap="md">
              <Markdown>{snippet.about}</Markdown>
              {snippet.blocks.map(({ label, file }) => (
                <CopyBox
                  key={file}
                  label={label}
                  value={fillLines(file, { origin: window.location.origin, key: created?.key ?? null })}
                />
              ))}
            </Stack>
          </AgentSection>
        </div>
        <div className={classes.beside}>
          <ReceivedNow receives={snippet.receives} keyId={created?.id ?? null} />
        </div>
      </div>
    </Stack>
  );
}

import { Button, Checkbox, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { StarterSet } from "@/api/types";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { notifyDone, notifyProblem } from "@/ui/notify";
import { useGoldenActions, useStarters } from "../hooks/useGoldens";
import { plural } from "../lib/words";
import classes from "./evals.module.css";

/** Sets of goldens to begin with, for whoever may load one. */
export function Starters() {
  const may = useCan()("evals.team.manage");
  const { data: starters = [] } = useStarters();
  const { load } = useGoldenActions();
  const [trials, setTrials] = useState(true);
  if (!may || starters.length === 0) return null;
  const begin = ({ name, title }: StarterSet) =>
    load.mutate(
      { name, trials },
      {
        onSuccess: () => notifyDone(`“${title}” is being loaded.`),
        onError: (error) => notifyProblem(`“${title}” was not loaded`, error),
      },
    );
  return (
    <Stack gap="sm" mt="md">
      <span>Or begin with a set that is ready. Its agent follows a script, so it runs without a model.</span>
      <ul className={classes.starters} aria-label="Sets to begin with">
        {starters.map((starter) => (
          <Starter key={starter.name} starter={starter} isSent={load.isPending && load.variables.name === starter.name} onLoad={() => begin(starter)} />
        ))}
      </ul>
      <Checkbox
        size="sm"
        checked={trials}
        onChange={(event) => setTrials(event.currentTarget.checked)}
        label="Try other versions of its agent too: a worse one, one of which it is hard to tell, and the first one restored"
        ta="start"
      />
    </Stack>
  );
}

interface StarterProps {
  starter: StarterSet;
  isSent: boolean;
  onLoad: () => void;
}

function Starter({ starter: { name, title, description, goldens, promoted, state }, isSent, onLoad }: StarterProps) {
  return (
    <li className={classes.starter}>
      <div>
        <Text size="sm" fw={550} c="var(--mantine-color-text)">
          {title}
        </Text>
        <Text size="xs" c="dimmed">
          {description}
        </Text>
      </div>
      {state === "absent" ? (
        <Button size="xs" variant="default" loading={isSent} onClick={onLoad} aria-label={`Load ${name}, ${plural(goldens, "golden")}`}>
          Load {plural(goldens, "golden")}
        </Button>
      ) : (
        <Text size="xs" c="dimmed" role="status">
          {state === "loading" ? `Its sessions run: ${promoted} of ${goldens}` : "Loaded"}
        </Text>
      )}
    </li>
  );
}

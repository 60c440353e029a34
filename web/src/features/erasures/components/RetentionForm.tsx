import { Button, Group, List, NumberInput, Stack, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import type { Retention, RetentionDue } from "@/api/types";
import { Loaded } from "@/ui/Loaded";
import { notifyDone } from "@/ui/notify";
import { FormProblem } from "@/ui/states";
import { useProblemForm } from "@/ui/useProblemForm";
import { useChangeRetention, useRetentionDue } from "../hooks/useErasures";
import { countKept, readDays } from "../lib/words";

type Values = Record<keyof Retention, string | number>;

const FIELDS: { name: keyof Retention; label: string; description: string }[] = [
  { name: "traces_days", label: "Raw traces", description: "Spans as they came; sessions made of them stay" },
  { name: "sessions_days", label: "Sessions", description: "After their last event" },
  { name: "conversations_days", label: "Conversations", description: "After their last turn" },
  { name: "events_days", label: "Event log", description: "Who did what; what tells of deletions stays" },
];

const WHY: Record<string, string> = {
  golden: "replays are held to them",
  promoted: "records have values from them",
  knowledge: "knowledge in prompts rests on feedback about them",
  open_feedback: "feedback about them waits for a review",
  waiting_delivery: "receivers of webhooks wait for them",
};

function read(values: Values): Retention {
  return {
    traces_days: Number(values.traces_days),
    sessions_days: readDays(values.sessions_days),
    conversations_days: readDays(values.conversations_days),
    events_days: readDays(values.events_days),
  };
}

/** How many days each kind is kept; an empty field is for ever. */
export function RetentionForm({ retention }: { retention: Retention }) {
  const change = useChangeRetention();
  const form = useForm<Values>({
    initialValues: {
      traces_days: retention.traces_days,
      sessions_days: retention.sessions_days ?? "",
      conversations_days: retention.conversations_days ?? "",
      events_days: retention.events_days ?? "",
    },
  });
  const problem = useProblemForm(form);
  const [looked, setLooked] = useState<Retention | null>(null);
  const submit = form.onSubmit(async (values) => {
    problem.clear();
    try {
      await change.mutateAsync(read(values));
      form.resetDirty();
      notifyDone("Saved. What is due goes within the next hours, in batches.");
    } catch (error) {
      problem.place(error);
    }
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack maw={480}>
        <FormProblem>{problem.head}</FormProblem>
        {FIELDS.map(({ name, label, description }) => (
          <NumberInput
            key={name}
            label={label}
            description={description}
            placeholder="For ever"
            suffix={Number(form.values[name]) === 1 ? " day" : " days"}
            min={1}
            max={36500}
            allowDecimal={false}
            required={name === "traces_days"}
            {...form.getInputProps(name)}
          />
        ))}
        <Group>
          <Button type="submit" loading={change.isPending} disabled={!form.isDirty()}>
            Save
          </Button>
          <Button variant="default" onClick={() => setLooked(read(form.values))}>
            Show what would go
          </Button>
        </Group>
        {looked && <DueList wanted={looked} />}
      </Stack>
    </form>
  );
}

function DueList({ wanted }: { wanted: Retention }) {
  return (
    <Loaded query={useRetentionDue(wanted, true)} what="what would go">
      {(due) => <Due due={due} />}
    </Loaded>
  );
}

function Due({ due: { traces, sessions, conversations, events, kept } }: { due: RetentionDue }) {
  return (
    <div role="status">
      <Text size="sm">
        {`Now ${countKept("conversations", conversations)}, ${countKept("sessions", sessions)}, ${countKept("events", events)} and ${countKept("bodies of traces", traces, "body of a trace")} would go.`}
      </Text>
      {kept.length > 0 && (
        <>
          <Text size="sm" mt="xs">
            These stay, though their time is over:
          </Text>
          <List size="sm">
            {kept.map(({ what, why, count }) => (
              <List.Item key={`${what} ${why}`}>{`${countKept(what, count)}: ${WHY[why] ?? why}`}</List.Item>
            ))}
          </List>
        </>
      )}
    </div>
  );
}

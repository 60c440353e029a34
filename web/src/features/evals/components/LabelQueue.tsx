import { Button, Group, Kbd, Paper, Stack, Text, Textarea, Title, VisuallyHidden } from "@mantine/core";
import { CheckCircledIcon } from "@radix-ui/react-icons";
import { Link } from "@tanstack/react-router";
import { type KeyboardEvent, type Ref, useRef, useState } from "react";
import type { LabelItem, QueuedSample } from "@/api/types";
import { DimensionInput } from "@/features/criteria/components/DimensionInput";
import { KeysHelp, KeysHint } from "@/ui/Keys";
import { Loaded } from "@/ui/Loaded";
import { PagedRows } from "@/ui/PagedRows";
import { RelativeTime } from "@/ui/RelativeTime";
import { notifyProblem } from "@/ui/notify";
import { EmptyState } from "@/ui/states";
import { type Column, DataTable } from "@/ui/table/DataTable";
import { useListKeys } from "@/ui/useListKeys";
import { useLabel, useLabelItem, useQueuedSamples } from "../hooks/useJudges";
import { PART_LABEL, type Ratings, SAID_AS, type Said, maySay, partText, saidOf } from "../lib/judges";
import { plural } from "../lib/words";
import classes from "./evals.module.css";

/** Samples that wait for somebody's labels. */
export function LabelSamples() {
  return (
    <PagedRows
      list={useQueuedSamples()}
      what="samples"
      empty={
        <EmptyState icon={<CheckCircledIcon width={20} height={20} />} title="Nothing waits for your labels">
          Where somebody draws a sample of what a judge judged, people say here what they think of it, before they see what the judge said.
        </EmptyState>
      }
    >
      {(rows) => <DataTable label="Samples" columns={COLUMNS} rows={rows} rowKey={({ id }) => id} />}
    </PagedRows>
  );
}

const COLUMNS: Column<QueuedSample>[] = [
  { key: "rubric", header: "Rubric", cell: ({ rubric }) => <bdi>{rubric}</bdi> },
  { key: "left", header: "Wait for you", cell: ({ left, size }) => `${left} of ${size}` },
  { key: "drawn", header: "Drawn", cell: ({ createdAt }) => <RelativeTime value={createdAt} /> },
  {
    key: "open",
    header: "",
    cell: ({ id, left, mine }) => (
      <Button
        size="xs"
        variant={left > 0 ? "filled" : "default"}
        renderRoot={(props) => <Link to="/admin/agent-review/evals/labelling" search={{ sample: id }} {...props} />}
      >
        {left > 0 ? (mine > 0 ? "Go on" : "Begin") : "Look again"}
      </Button>
    ),
  },
];

interface LabelQueueProps {
  sample: string;
}

/** One replay after the other, by keyboard: what it did and the rubric, and nothing of what anybody says of it. */
export function LabelQueue({ sample }: LabelQueueProps) {
  const [back, setBack] = useState<string>();
  const [last, setLast] = useState<string>();
  const [said, setSaid] = useState("");
  const query = useLabelItem(sample, back);
  const label = useLabel(sample);
  /** Only of the replay itself: the next one may be there before all that the label changed is read again. */
  const isKept = ({ replayId }: LabelItem) => label.isPending && label.variables.replayId === replayId;
  const decide = (item: LabelItem, choice: Said, values: Ratings, note: string) => {
    if (isKept(item)) return;
    label.mutate(
      { replayId: item.replayId, body: { passed: SAID_AS[choice], values, note } },
      {
        onSuccess: ({ left }) => {
          setSaid(left === 0 ? "Nothing waits for you in this sample any more" : `Labelled; ${left} left`);
          setLast(item.replayId);
          setBack(undefined);
        },
        onError: (error) => notifyProblem("The label was not kept", error),
      },
    );
  };
  const goBack = last === undefined ? null : () => setBack(last);
  return (
    <>
      <VisuallyHidden role="status">{said}</VisuallyHidden>
      <Loaded query={query} what="the replay">
        {(item) =>
          item === null ? (
            <Done onBack={goBack} />
          ) : (
            <Item key={item.replayId} item={item} isBusy={isKept(item)} onDecide={(choice, values, note) => decide(item, choice, values, note)} onBack={goBack} />
          )
        }
      </Loaded>
    </>
  );
}

function Done({ onBack }: { onBack: (() => void) | null }) {
  return (
    <EmptyState
      icon={<CheckCircledIcon width={20} height={20} />}
      title="You have labelled all of it"
      action={
        <Group mt="xs">
          {onBack && (
            <Button variant="default" onClick={onBack}>
              Back to the last one
            </Button>
          )}
          <Button variant="default" renderRoot={(props) => <Link to="/admin/agent-review/evals/labelling" {...props} />}>
            Other samples
          </Button>
        </Group>
      }
    >
      What all of you say is told once the whole sample is labelled.
    </EmptyState>
  );
}

const CHOICES = [
  { choice: "passed", key: "p", label: "Meets it", color: "green" },
  { choice: "failed", key: "f", label: "Does not", color: "red" },
  { choice: "cannot_tell", key: "c", label: "Cannot tell", color: "gray" },
] as const;
type Act = Said | "note" | "rate";
const ACTS: Readonly<Record<string, Act>> = { p: "passed", f: "failed", c: "cannot_tell", n: "note", r: "rate" };
const KEYS = [
  { keys: ["p"], means: "it meets the rubric" },
  { keys: ["f"], means: "it does not" },
  { keys: ["c"], means: "one cannot tell" },
  { keys: ["r"], means: "rate it; arrows choose, Tab goes on" },
  { keys: ["n"], means: "write a note" },
  { keys: ["Esc"], means: "leave the ratings or the note" },
  { keys: ["u"], means: "back to the last one" },
];

interface ItemProps {
  item: LabelItem;
  isBusy: boolean;
  onDecide: (choice: Said, values: Ratings, note: string) => void;
  onBack: (() => void) | null;
}

function Item({ item, isBusy, onDecide, onBack }: ItemProps) {
  const [note, setNote] = useState(item.mine?.note ?? "");
  const [values, setValues] = useState<Ratings>(() => (item.mine?.values ?? {}) as Ratings);
  const field = useRef<HTMLTextAreaElement>(null);
  const ratings = useRef<HTMLDivElement>(null);
  const say = (choice: Said) => maySay(choice, values, item.ratings) && onDecide(choice, values, note);
  const keys = useListKeys<HTMLDivElement, Act>({
    stops: [{ id: item.replayId, keys: [] }],
    acts: ACTS,
    always: onBack ? { u: onBack } : {},
    leavesArrows: true,
    mayWorkAnywhere: true,
    isEntered: true,
    onAct: (act) => {
      if (act === "note") field.current?.focus();
      else if (act === "rate") firstInput(ratings.current)?.focus();
      else say(act);
    },
  });
  const before = item.mine && saidOf(item.mine.passed);
  return (
    <div ref={keys.list}>
      <Group justify="space-between" mb="sm">
        <Text size="sm" c="dimmed">
          {plural(item.sample.left, "replay")} left of {item.sample.size}
        </Text>
        <KeysHint label="Label by keyboard" rows={KEYS.slice(0, 3)} onClick={keys.openHelp} />
      </Group>
      <div className={classes.labelling} data-stop={item.replayId} tabIndex={-1} onFocus={() => keys.onFocus({ id: item.replayId, key: null })}>
        <Transcript item={item} />
        <aside className={classes.labelSide} aria-label="Your label">
          <Paper withBorder radius="lg" p="md">
            <Title order={2} size="h3">
              <bdi>{item.rubric}</bdi>
            </Title>
            {item.description && (
              <Text size="sm" c="dimmed">
                {item.description}
              </Text>
            )}
            <RatingInputs ref={ratings} item={item} values={values} onChange={setValues} />
            <Stack gap="xs">
              {CHOICES.map(({ choice, key, label, color }) => (
                <Button
                  key={choice}
                  color={color}
                  variant={before === choice ? "filled" : "light"}
                  aria-pressed={before === choice}
                  disabled={isBusy || !maySay(choice, values, item.ratings)}
                  justify="space-between"
                  rightSection={<Kbd size="xs">{key}</Kbd>}
                  onClick={() => say(choice)}
                >
                  {label}
                </Button>
              ))}
              <Textarea
                ref={field}
                label="Note"
                description="What decides it, for whoever reads where you and the judge differ."
                autosize
                minRows={2}
                maxLength={2000}
                value={note}
                onChange={(event) => setNote(event.currentTarget.value)}
                onKeyDown={(event) => event.key === "Escape" && field.current?.blur()}
              />
              {onBack && (
                <Button variant="subtle" size="xs" rightSection={<Kbd size="xs">u</Kbd>} onClick={onBack}>
                  Back to the last one
                </Button>
              )}
            </Stack>
          </Paper>
        </aside>
      </div>
      <KeysHelp title="Label by keyboard" rows={KEYS} anywhereLabel="Letters work on the whole page" elsewhere="Off: only while the focus is on the replay" {...keys.help}>
        A label is kept at once; whoever labels again replaces it.
      </KeysHelp>
    </div>
  );
}

function firstInput(within: HTMLElement | null): HTMLInputElement | null {
  return within?.querySelector<HTMLInputElement>("input:checked") ?? within?.querySelector<HTMLInputElement>("input") ?? null;
}

interface RatingsProps {
  item: LabelItem;
  values: Ratings;
  onChange: (values: Ratings) => void;
  ref: Ref<HTMLDivElement>;
}

/** What the rubric asks for, each to be rated by who wants to: what is rated leaves only what it comes to, to be said. */
function RatingInputs({ item, values, onChange, ref }: RatingsProps) {
  const change = (key: string, value: unknown) => {
    const { [key]: _, ...rest } = values;
    onChange(typeof value === "number" ? { ...rest, [key]: value } : rest);
  };
  const leave = ({ key, target }: KeyboardEvent<HTMLDivElement>) => key === "Escape" && target instanceof HTMLElement && target.blur();
  return (
    <Stack ref={ref} gap="sm" my="sm" onKeyDown={leave}>
      {item.ratings.map(({ key, label, description, scale }) => (
        <DimensionInput
          key={key}
          dimension={{ key, label, description, type: "rating", scale: scale ?? [1, 5], required: false }}
          value={values[key]}
          onChange={(value) => change(key, value)}
        />
      ))}
      <Text size="xs" c="dimmed">
        Ratings are for who wants to give them. It meets the rubric where each reaches three quarters of its scale.
      </Text>
    </Stack>
  );
}

function Transcript({ item }: { item: LabelItem }) {
  return (
    <section aria-label="What happened">
      {item.lost && (
        <Text size="sm" c="dimmed" role="note" mb="sm">
          Some of it is not there any more.
        </Text>
      )}
      <ol className={classes.labelParts}>
        {item.parts.map((part, place) => (
          <li key={place} data-kind={part.kind}>
            <Text size="xs" c="dimmed">
              {PART_LABEL[part.kind]} {part.name && <bdi>{part.name}</bdi>}
            </Text>
            <Text size="sm" component="div" className={classes.words} ff={part.text === null || part.text === undefined ? "monospace" : undefined}>
              {partText(part)}
              {part.cut && " …"}
            </Text>
          </li>
        ))}
      </ol>
      <Title order={2} size="h3" mt="md" mb="xs">
        What it changed
      </Title>
      {item.effects.length === 0 ? (
        <Text size="sm" c="dimmed" className={classes.none}>
          Nothing.
        </Text>
      ) : (
        <ul className={classes.labelParts}>
          {item.effects.map(({ tool, arguments: given }, place) => (
            <li key={place} data-kind="call">
              <Text size="xs" c="dimmed">
                <bdi>{tool}</bdi>
              </Text>
              <Text size="sm" component="div" className={classes.words} ff="monospace">
                {JSON.stringify(given, null, 2)}
              </Text>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

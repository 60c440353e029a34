import { Anchor, Badge, Text } from "@mantine/core";
import {
  CheckCircledIcon,
  Component1Icon,
  CrossCircledIcon,
  DotFilledIcon,
  GearIcon,
  LightningBoltIcon,
  Pencil2Icon,
} from "@radix-ui/react-icons";
import { memo } from "react";
import type { SessionEvent } from "@/api/types";
import { LongText } from "@/features/conversations/components/LongText";
import { excerpt } from "@/features/conversations/lib/excerpts";
import { usePayload } from "../hooks/useSessionEvents";
import { formatCost, formatCount, formatDuration, plural } from "../lib/figures";
import { argumentsLine, errorText, oneLine, readText } from "../lib/payloads";
import { adviceFor } from "../lib/problems";
import { type EffectStep, type LifeStep, type MessageStep, type ModelStep, type OtherStep, type Step, type ToolStep, countSteps, hasFailed, tookMs, usageOf } from "../lib/steps";
import { PayloadPart, ShowAll } from "./PayloadPart";
import { Prompt } from "./Prompt";
import { RecordLink } from "./SessionHeader";
import { StepLine, type StepPlace, TimeLink } from "./StepLine";
import classes from "./sessions.module.css";

interface StepRowProps {
  step: Step;
  place: StepPlace;
  /** Whether what a sub-agent did is left out of the list. */
  isFolded: boolean;
  /** Whether the session still runs: then what has no end is under way. */
  isRunning: boolean;
  onFold: (seq: number) => void;
}

/** One step of a session, as people read it. */
export const StepRow = memo(function StepRow({ step, place, isFolded, isRunning, onFold }: StepRowProps) {
  switch (step.kind) {
    case "message":
      return <Message step={step} place={place} />;
    case "tool":
      return <Tool step={step} place={place} isFolded={isFolded} isRunning={isRunning} onFold={onFold} />;
    case "model":
      return <Model step={step} place={place} isRunning={isRunning} />;
    case "effect":
      return <Effect step={step} place={place} />;
    case "life":
      return <Life step={step} place={place} />;
    case "other":
      return <Other step={step} place={place} />;
  }
});

interface PartProps<Of> {
  step: Of;
  place: StepPlace;
}

function Message({ step, place }: PartProps<MessageStep>) {
  const whole = usePayload(step.event);
  const text = readText(whole.payload, "text") ?? "";
  const isAnswer = step.event.type === "session.answered";
  const name = step.by === "agent" ? (step.agent ?? "Agent") : isAnswer ? "Answer of a person" : "User";
  return (
    <article
      className={classes.message}
      data-by={step.by}
      data-linked={place.isLinked || undefined}
      data-stop={String(step.seq)}
      tabIndex={-1}
      aria-label={`${name}: ${excerpt(text)}`}
      onFocus={() => place.onFocus(step.seq)}
    >
      <div className={classes.messageHead}>
        <Text size="xs" c="dimmed" fw={550} component="bdi">
          {name}
        </Text>
        <TimeLink seq={step.seq} at={step.at} began={place.began} />
      </div>
      {text === "" ? <Text size="sm" c="dimmed">Nothing was said.</Text> : <LongText text={text} />}
      <ShowAll of={whole} />
    </article>
  );
}

interface ToolProps extends PartProps<ToolStep> {
  isFolded: boolean;
  isRunning: boolean;
  onFold: (seq: number) => void;
}

function Tool({ step, place, isFolded, isRunning, onFold }: ToolProps) {
  const { call, result, name } = step;
  const failed = hasFailed(step);
  const took = tookMs(step);
  const inner = countSteps(step.steps);
  const error = failed ? errorText(result?.payload.error) : null;
  const isUnderWay = result === null && isRunning;
  return (
    <StepLine
      seq={step.seq}
      at={step.at}
      place={place}
      tone={failed ? "error" : "plain"}
      icon={inner > 0 ? <Component1Icon /> : failed ? <CrossCircledIcon /> : <GearIcon />}
      name={<code>{name}</code>}
      line={argumentsLine(call?.payload.arguments)}
      aside={isUnderWay ? <span className={classes.beat} /> : took === null ? null : formatDuration(took)}
      label={`Tool ${name}${failed ? ", failed" : isUnderWay ? ", under way" : result === null ? ", without a result" : ""}`}
      below={
        (error !== null || step.effects.length > 0 || inner > 0 || (result === null && !isRunning)) && (
          <div className={classes.below}>
            {error !== null && <div className={classes.errorText}>{oneLine(error)}</div>}
            {result === null && !isRunning && <div className={classes.dimText}>No result was recorded</div>}
            {step.effects.map((effect) => (
              <EffectLine key={effect.seq} event={effect} />
            ))}
            {inner > 0 && (
              <Anchor component="button" type="button" size="xs" underline="always" aria-expanded={!isFolded} onClick={() => onFold(step.seq)}>
                {isFolded ? `Show ${plural(inner, "step")} of the sub-agent` : `Hide ${plural(inner, "step")} of the sub-agent`}
              </Anchor>
            )}
          </div>
        )
      }
    >
      {() => (
        <div className={classes.sides}>
          {call && <PayloadPart label="Arguments" event={call} pick={(payload) => payload.arguments} />}
          {result && (
            <PayloadPart
              label={failed ? "Error" : "Result"}
              event={result}
              isError={failed}
              pick={(payload) => (failed ? payload.error : payload.result)}
            />
          )}
        </div>
      )}
    </StepLine>
  );
}

function Model({ step, place, isRunning }: PartProps<ModelStep> & { isRunning: boolean }) {
  const { input, output, cost } = usageOf(step);
  const took = tookMs(step);
  const said = [
    input !== null && `${formatCount(input)} in`,
    output !== null && `${formatCount(output)} out`,
    cost !== null && formatCost(cost),
  ].filter(Boolean);
  const finish = step.response && readText(step.response.payload, "finish_reason");
  const isUnderWay = isRunning && step.response === null && input === null && output === null;
  return (
    <StepLine
      seq={step.seq}
      at={step.at}
      place={place}
      tone="quiet"
      icon={<LightningBoltIcon />}
      name={step.model}
      line={said.join(" · ")}
      aside={isUnderWay ? <span className={classes.beat} /> : took === null ? null : formatDuration(took)}
      label={`Model ${step.model}`}
    >
      {() => (
        <>
          {finish && (
            <Text size="xs" c="dimmed" mb={8}>
              It stopped with {finish}.
            </Text>
          )}
          {step.request && <Prompt request={step.request} />}
          {step.response && <PayloadPart label="What the model told" event={step.response} pick={(payload) => payload} />}
        </>
      )}
    </StepLine>
  );
}

function Effect({ step, place }: PartProps<EffectStep>) {
  return (
    <StepLine
      seq={step.seq}
      at={step.at}
      place={place}
      icon={<CheckCircledIcon />}
      name={EFFECT[step.event.type] ?? step.event.type}
      label={EFFECT[step.event.type] ?? step.event.type}
      below={<div className={classes.below}><EffectLine event={step.event} /></div>}
    >
      {() => <PayloadPart label="Event" event={step.event} pick={(payload) => payload} />}
    </StepLine>
  );
}

const EFFECT: Readonly<Record<string, string>> = {
  "response.submitted": "Response submitted",
  "entity.created": "New record",
  "entity.updated": "Record changed",
  "entity.deleted": "Record deleted",
};

/** What was changed, and the way to it. */
function EffectLine({ event: { type, payload } }: { event: SessionEvent }) {
  const record = readText(payload, "entity_id");
  const response = readText(payload, "response_id");
  return (
    <div className={classes.effect}>
      <Pencil2Icon aria-hidden />
      <span>
        {EFFECT[type] ?? type}
        {record && (
          <>
            : <RecordLink id={record} {...(response ? { response } : {})} />
          </>
        )}
      </span>
    </div>
  );
}

const LIFE: Readonly<Record<string, string>> = {
  "session.created": "Began",
  "session.claimed": "Taken up",
  "session.waiting": "Asked a person",
  "session.stalled": "Not heard of any more",
  "session.completed": "Completed",
  "session.failed": "Failed",
  "session.cancelled": "Cancelled",
  "session.dismissed": "Dismissed",
};

function lifeLine({ type, payload }: SessionEvent): string {
  if (type === "session.failed") return readText(payload, "message") ?? "";
  if (type === "session.waiting") return readText(payload, "question") ?? "";
  if (type === "session.claimed") return [readText(payload, "runtime"), readText(payload, "model")].filter(Boolean).join(" · ");
  if (type === "session.completed") return oneLine(payload.output);
  return readText(payload, "agent") ?? "";
}

function Life({ step, place }: PartProps<LifeStep>) {
  const { type, payload } = step.event;
  const failed = type === "session.failed";
  const name = LIFE[type] ?? type;
  return (
    <StepLine
      seq={step.seq}
      at={step.at}
      place={place}
      tone={failed ? "error" : "quiet"}
      icon={failed ? <CrossCircledIcon /> : type === "session.completed" ? <CheckCircledIcon /> : <DotFilledIcon />}
      name={failed ? adviceFor(readText(payload, "code") ?? "").title : name}
      line={lifeLine(step.event)}
      label={failed ? `Failed: ${adviceFor(readText(payload, "code") ?? "").title}` : name}
    >
      {() => <PayloadPart label="Event" event={step.event} pick={(all) => all} />}
    </StepLine>
  );
}

function Other({ step, place }: PartProps<OtherStep>) {
  return (
    <StepLine
      seq={step.seq}
      at={step.at}
      place={place}
      tone="quiet"
      icon={<DotFilledIcon />}
      name={<Badge color="gray" size="sm">{step.event.type}</Badge>}
      line={oneLine(step.event.payload)}
      label={step.event.type}
    >
      {() => <PayloadPart label="Event" event={step.event} pick={(payload) => payload} />}
    </StepLine>
  );
}

import { Text } from "@mantine/core";
import { useMemo } from "react";
import { EmptyState } from "@/ui/states";
import { useNow } from "../hooks/useNow";
import { formatDuration } from "../lib/figures";
import { findStep, hasFailed } from "../lib/steps";
import { isOpen } from "../lib/status";
import { type Bar, type Timeline, buildTimeline, isMeasured, makeScale, ticksOf, timeSpent } from "../lib/timeline";
import { EventList, StillRunning, type ViewProps } from "./EventList";
import { StepRow } from "./StepRow";
import type { StepPlace } from "./StepLine";
import classes from "./sessions.module.css";

const HEIGHT = 32; // pixels of a row, about
const DEEPEST = 6; // levels that are indented
const nothing = () => {};

/** When models and tools were at work, each in a row of its own. */
export function TimelineView({ session, steps, linked, loaded: _loaded, ...list }: ViewProps) {
  const isRunning = isOpen(session);
  const now = useNow(isRunning);
  const end = isRunning ? now : Date.parse(session.last_at);
  const timeline = useMemo(() => buildTimeline(steps, end, isRunning), [steps, end, isRunning]);
  const scale = useMemo(() => makeScale(timeline), [timeline]);
  const rows = useMemo(
    () => timeline.bars.map((bar) => ({ seq: bar.step.seq, depth: 0, bar })),
    [timeline],
  );
  const found = linked === undefined ? null : findStep(steps, linked);
  if (rows.length === 0) {
    return (
      <EmptyState title="Nothing to draw over time">
        Neither a model nor a tool was at work among the events that are loaded.
      </EmptyState>
    );
  }
  return (
    <>
      <Legend timeline={timeline} />
      <div className={classes.waterfall}>
        <Axis timeline={timeline} scale={scale} />
        <EventList
          {...list}
          label="Timeline"
          rows={rows}
          linked={found?.step.seq ?? linked}
          estimate={() => HEIGHT}
          after={isRunning && <StillRunning />}
        >
          {({ bar }, place) => <BarRow bar={bar} place={place} scale={scale} timeline={timeline} isRunning={isRunning} />}
        </EventList>
      </div>
    </>
  );
}

function Legend({ timeline }: { timeline: Timeline }) {
  const { model, tool } = timeSpent(timeline.bars);
  return (
    <Text size="xs" c="dimmed" component="div" className={classes.legend}>
      <span>
        <i className={classes.swatch} data-kind="model" aria-hidden /> Models {spentText(model)}
      </span>
      <span>
        <i className={classes.swatch} data-kind="tool" aria-hidden /> Tools {spentText(tool)}
      </span>
      <span>From first to last {formatDuration(timeline.end - timeline.start)}</span>
      {timeline.rests.length > 0 && (
        <span>
          <i className={classes.swatch} data-kind="rest" aria-hidden /> Rests are cut short
        </span>
      )}
    </Text>
  );
}

function spentText(milliseconds: number | null): string {
  return milliseconds === null ? "not recorded" : formatDuration(milliseconds);
}

interface AxisProps {
  timeline: Timeline;
  scale: (moment: number) => number;
}

function Axis({ timeline, scale }: AxisProps) {
  return (
    <div className={classes.axis} aria-hidden>
      <div className={classes.axisTrack}>
        {ticksOf(timeline).map((tick) => (
          <span key={tick} className={classes.tick} style={{ left: percent(scale(timeline.start + tick)) }}>
            {formatDuration(tick)}
          </span>
        ))}
      </div>
    </div>
  );
}

function percent(share: number): string {
  return `${(share * 100).toFixed(3)}%`;
}

interface BarRowProps extends AxisProps {
  bar: Bar;
  place: StepPlace;
  isRunning: boolean;
}

function BarRow({ bar, place, scale, timeline, isRunning }: BarRowProps) {
  const { step, start, end } = bar;
  const name = step.kind === "tool" ? step.name : step.model;
  const failed = step.kind === "tool" && hasFailed(step);
  const [from, to] = [scale(start), scale(end)];
  const took = isMeasured(bar) ? formatDuration(end - start) : "not recorded";
  return (
    <div className={classes.barRow} data-linked={place.isLinked || undefined}>
      <button
        type="button"
        className={classes.barLine}
        data-stop={String(step.seq)}
        aria-expanded={place.isOpen}
        aria-label={`${step.kind === "tool" ? "Tool" : "Model"} ${name}, ${took}${failed ? ", failed" : ""}, from ${formatDuration(start - timeline.start)}`}
        onClick={() => place.onToggle(step.seq)}
        onFocus={() => place.onFocus(step.seq)}
      >
        <span className={classes.barName} style={{ paddingInlineStart: `calc(${Math.min(bar.depth, DEEPEST)} * 14px)` }}>
          {name}
        </span>
        <span className={classes.track}>
          {ticksOf(timeline).map((tick) => (
            <i key={tick} className={classes.grid} style={{ left: percent(scale(timeline.start + tick)) }} />
          ))}
          {timeline.rests.map((rest) => (
            <i key={rest.start} className={classes.rest} style={{ left: percent(scale(rest.start)), width: percent(scale(rest.end) - scale(rest.start)) }} />
          ))}
          <i
            className={classes.bar}
            data-kind={step.kind}
            data-failed={failed || undefined}
            data-open={bar.isOpen || undefined}
            style={{ left: percent(from), width: percent(Math.max(0, to - from)) }}
          />
        </span>
        <span className={classes.barTook}>{took}</span>
      </button>
      {place.isOpen && (
        <div className={classes.barInside}>
          <StepRow step={step} place={place} isFolded isRunning={isRunning} onFold={nothing} />
        </div>
      )}
    </div>
  );
}

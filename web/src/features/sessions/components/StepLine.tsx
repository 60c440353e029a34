import { UnstyledButton } from "@mantine/core";
import { ChevronRightIcon } from "@radix-ui/react-icons";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useId } from "react";
import { formatAbsolute } from "@/ui/time";
import { useSessionId } from "../hooks/useSessionId";
import { formatDuration } from "../lib/figures";
import classes from "./sessions.module.css";

/** How a step takes part in the list that it is in. */
export interface StepPlace {
  isOpen: boolean;
  isLinked: boolean;
  /** When the session began, in milliseconds. */
  began: number;
  onToggle: (seq: number) => void;
  onFocus: (seq: number) => void;
}

interface StepLineProps {
  seq: number;
  at: string;
  place: StepPlace;
  tone?: "plain" | "error" | "quiet";
  icon: ReactNode;
  name: ReactNode;
  /** What it is about, in one line. */
  line?: ReactNode;
  aside?: ReactNode;
  /** What is read out for the whole line. */
  label: string;
  /** What stands below the line, also while it is folded. */
  below?: ReactNode;
  children: () => ReactNode;
}

/** A step in one line that opens to all of it. */
export function StepLine({ seq, at, place, tone = "plain", icon, name, line, aside, label, below, children }: StepLineProps) {
  const id = useId();
  const { isOpen, isLinked, began, onToggle, onFocus } = place;
  return (
    <div className={classes.step} data-tone={tone} data-linked={isLinked || undefined}>
      <div className={classes.lineHead}>
        <UnstyledButton
          className={classes.line}
          data-stop={String(seq)}
          aria-expanded={isOpen}
          aria-controls={id}
          aria-label={label}
          onClick={() => onToggle(seq)}
          onFocus={() => onFocus(seq)}
        >
          <ChevronRightIcon className={classes.chevron} aria-hidden />
          <span className={classes.icon} aria-hidden>
            {icon}
          </span>
          <span className={classes.lineName}>{name}</span>
          <span className={classes.lineText}>{line}</span>
          {aside && <span className={classes.aside}>{aside}</span>}
        </UnstyledButton>
        <TimeLink seq={seq} at={at} began={began} />
      </div>
      {below}
      <div id={id} className={isOpen ? classes.inside : undefined}>
        {isOpen && children()}
      </div>
    </div>
  );
}

interface TimeLinkProps {
  seq: number;
  at: string;
  began: number;
}

/** How long after the beginning; leads to the event itself, so that it can be sent to somebody. */
export function TimeLink({ seq, at, began }: TimeLinkProps) {
  const id = useSessionId();
  const after = Date.parse(at) - began;
  return (
    <Link
      to="/sessions/$id"
      params={{ id }}
      search={(before: object) => ({ ...before, event: seq })}
      state={true}
      replace
      resetScroll={false}
      className={classes.time}
      title={`${formatAbsolute(at)}, event ${seq}`}
      aria-label={`Event ${seq}, ${formatDuration(after)} after the beginning`}
    >
      {after < 0 ? formatAbsolute(at).split(", ").at(-1) : `+${formatDuration(after)}`}
    </Link>
  );
}

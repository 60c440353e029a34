import { ActionIcon, Anchor, Text, Tooltip, VisuallyHidden } from "@mantine/core";
import { CheckIcon, CopyIcon } from "@radix-ui/react-icons";
import { useEffect, useId, useState } from "react";
import { toProblem } from "@/api/problem";
import type { SessionEvent } from "@/api/types";
import { copyText } from "@/ui/copy";
import { notifyProblem } from "@/ui/notify";
import { type EventPayload, usePayload } from "../hooks/useSessionEvents";
import { type Payload, asText } from "../lib/payloads";
import classes from "./sessions.module.css";

const SHOWN = 40_000; // characters that are drawn; all of them are copied
const COPIED_MS = 2000;

interface PayloadPartProps {
  label: string;
  event: SessionEvent;
  pick: (payload: Payload) => unknown;
  isError?: boolean;
}

/** A part of a payload as it was sent. Of a large one the beginning, until all of it is asked for. */
export function PayloadPart({ label, event, pick, isError = false }: PayloadPartProps) {
  const id = useId();
  const whole = usePayload(event);
  const text = asText(pick(whole.payload));
  return (
    <div className={classes.part} data-error={isError || undefined}>
      <div className={classes.partHead}>
        <span id={id}>{label}</span>
        <CopyButton label={label} text={text} />
      </div>
      {text === "" ? (
        <Text size="xs" c="dimmed" px={10} pb={8}>
          Nothing
        </Text>
      ) : (
        <pre className={classes.json} tabIndex={0} role="region" aria-labelledby={id} dir="auto">
          {text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text}
        </pre>
      )}
      {text.length > SHOWN && (
        <Text size="xs" c="dimmed" px={10} pb={8}>
          The first {SHOWN.toLocaleString("en")} of {text.length.toLocaleString("en")} characters. Copy takes all.
        </Text>
      )}
      <ShowAll of={whole} />
    </div>
  );
}

/** Asks for all of a large payload. */
export function ShowAll({ of }: { of: EventPayload }) {
  if (!of.isPreview) return null;
  return (
    <Text size="xs" c="dimmed" px={10} pb={8} role={of.error ? "alert" : undefined}>
      {of.error ? toProblem(of.error).message : "This is only its beginning."}{" "}
      <Anchor component="button" type="button" size="xs" underline="always" disabled={of.isLoading} onClick={of.load}>
        {of.isLoading ? "Loading…" : "Show all"}
      </Anchor>
    </Text>
  );
}

function CopyButton({ label, text }: { label: string; text: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    if (await copyText(text)) setCopied(true);
    else notifyProblem("This could not be copied", new Error("clipboard"));
  };
  return (
    <Tooltip label="Copy" withinPortal={false}>
      <ActionIcon variant="subtle" color="gray" size={22} aria-label={`Copy ${label.toLowerCase()}`} onClick={() => void copy()}>
        {copied ? <CheckIcon aria-hidden /> : <CopyIcon aria-hidden />}
        <VisuallyHidden role="status">{copied ? `${label} copied` : ""}</VisuallyHidden>
      </ActionIcon>
    </Tooltip>
  );
}

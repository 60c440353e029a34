import { useMemo } from "react";
import { isOpen } from "../lib/status";
import { oneLine } from "../lib/payloads";
import { EventList, StillRunning, type ViewProps } from "./EventList";
import { PayloadPart } from "./PayloadPart";
import { StepLine } from "./StepLine";
import classes from "./sessions.module.css";

const HEIGHT = 40; // pixels of a row, about

/** Every event as it was stored, in order. */
export function EventsView({ session, steps: _steps, loaded, ...list }: ViewProps) {
  const rows = useMemo(() => loaded.map((event) => ({ seq: event.seq, depth: 0, event })), [loaded]);
  return (
    <EventList {...list} label="Events" rows={rows} estimate={() => HEIGHT} after={isOpen(session) && <StillRunning />}>
      {({ event }, place) => (
        <StepLine
          seq={event.seq}
          at={event.at}
          place={place}
          tone={event.type === "session.failed" || "error" in event.payload ? "error" : "plain"}
          icon={<span className={classes.seq}>{event.seq}</span>}
          name={<code>{event.type}</code>}
          line={oneLine(event.payload)}
          label={`Event ${event.seq}, ${event.type}`}
        >
          {() => <PayloadPart label="Payload" event={event} pick={(payload) => payload} />}
        </StepLine>
      )}
    </EventList>
  );
}

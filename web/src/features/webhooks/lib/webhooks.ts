/** What a webhook and a delivery are called, and what a form makes of them. */
import type { DeliveryStatus, NewWebhook, Webhook, WebhookEvent } from "@/api/types";

export const ALL = "*";

export const DELIVERY_STATUSES = ["waiting", "delivered", "failed"] as const satisfies readonly DeliveryStatus[];

export const DELIVERY_STATUS: Record<DeliveryStatus, { label: string; color: string }> = {
  waiting: { label: "Waiting", color: "blue" },
  delivered: { label: "Delivered", color: "green" },
  failed: { label: "Failed", color: "red" },
};

export interface State {
  label: string;
  color: string;
}

/** How a webhook fares, in a word. */
export function stateOf({ enabled, switched_off, failing_since }: Webhook): State {
  if (switched_off) return { label: "Switched off", color: "red" };
  if (!enabled) return { label: "Off", color: "gray" };
  if (failing_since) return { label: "Failing", color: "orange" };
  return { label: "On", color: "green" };
}

/** Why the server switched it off, in a sentence. */
export function whyOff({ switched_off }: Webhook): string | null {
  if (switched_off === "gone") return "The receiver answered 410: it is gone.";
  if (switched_off === "failing") return "All attempts of five days failed.";
  return null;
}

const MOST_COUNTED = 1000;

export function waitingText(waiting: number): string {
  if (waiting > MOST_COUNTED) return "More than 1,000 wait";
  return waiting === 1 ? "1 waits" : `${waiting} wait`;
}

export function eventsText(events: readonly string[]): string {
  if (events.includes(ALL)) return "All events";
  return events.length <= 2 ? events.join(", ") : `${events.slice(0, 2).join(", ")} and ${events.length - 2} more`;
}

export interface Draft {
  url: string;
  description: string;
  all: boolean;
  events: string[];
}

export function draftOf(webhook: Webhook | null): Draft {
  const events = webhook?.events ?? [ALL];
  return {
    url: webhook?.url ?? "",
    description: webhook?.description ?? "",
    all: events.includes(ALL),
    events: events.filter((name) => name !== ALL),
  };
}

export function checkDraft({ url, all, events }: Draft): Record<string, string> {
  return {
    ...(/^https?:\/\/[^\s/?#]/.test(url.trim()) ? {} : { url: "An address begins with https:// or http://" }),
    ...(all || events.length > 0 ? {} : { events: "Choose at least one event" }),
  };
}

export function bodyOf({ url, description, all, events }: Draft): Pick<NewWebhook, "url" | "description" | "events"> {
  return { url: url.trim(), description: description.trim(), events: all ? [ALL] : events };
}

export interface EventGroup {
  topic: string;
  events: WebhookEvent[];
}

/** Those whose name or meaning has every word that was typed, under what they are about. */
export function groupEvents(events: readonly WebhookEvent[], typed: string): EventGroup[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const groups = new Map<string, WebhookEvent[]>();
  for (const event of events) {
    const text = `${event.name} ${event.when}`.toLowerCase();
    if (!words.every((word) => text.includes(word))) continue;
    groups.set(event.subject, [...(groups.get(event.subject) ?? []), event]);
  }
  return [...groups].map(([topic, found]) => ({ topic, events: found }));
}

/** A body as people read it; as it is where it is no JSON. */
export function printed(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

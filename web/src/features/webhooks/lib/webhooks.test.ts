import { expect, test } from "vitest";
import type { Webhook, WebhookEvent } from "@/api/types";
import { bodyOf, checkDraft, draftOf, eventsText, groupEvents, printed, stateOf, waitingText, whyOff } from "./webhooks";

const WELL = { enabled: true, switched_off: null, failing_since: null } as Webhook;

test.each([
  [{}, "On"],
  [{ failing_since: "2026-11-18T00:00:00Z" }, "Failing"],
  [{ enabled: false }, "Off"],
  [{ enabled: false, switched_off: "gone" as const }, "Switched off"],
])("a webhook with %o is %s", (part, label) => {
  expect(stateOf({ ...WELL, ...part }).label).toBe(label);
});

test("why the server switched it off is said, and nothing where it did not", () => {
  expect(whyOff({ ...WELL, switched_off: "failing" })).toContain("five days");
  expect(whyOff({ ...WELL, switched_off: "gone" })).toContain("410");
  expect(whyOff(WELL)).toBeNull();
});

test.each([
  [0, "0 wait"],
  [1, "1 waits"],
  [1000, "1000 wait"],
  [1001, "More than 1,000 wait"],
])("%d that wait", (count, text) => {
  expect(waitingText(count)).toBe(text);
});

test.each([
  [["*"], "All events"],
  [["a.b"], "a.b"],
  [["a.b", "c.d"], "a.b, c.d"],
  [["a.b", "c.d", "e.f", "g.h"], "a.b, c.d and 2 more"],
])("events %o in short", (events, text) => {
  expect(eventsText(events)).toBe(text);
});

test("a draft goes to a body and back", () => {
  const fresh = draftOf(null);
  expect(fresh).toEqual({ url: "", description: "", all: true, events: [] });
  expect(Object.keys(checkDraft({ ...fresh, all: false }))).toEqual(["url", "events"]);
  const filled = { url: " https://x.example/ ", description: " CRM ", all: false, events: ["a.b"] };
  expect(checkDraft(filled)).toEqual({});
  const body = bodyOf(filled);
  expect(body).toEqual({ url: "https://x.example/", description: "CRM", events: ["a.b"] });
  expect(draftOf({ ...WELL, ...body } as Webhook)).toEqual({ ...filled, url: "https://x.example/", description: "CRM" });
  expect(bodyOf({ ...filled, all: true }).events).toEqual(["*"]);
});

const event = (name: string, subject: string, when = "") => ({ name, subject, when }) as WebhookEvent;

test("events are found by all words of their name and meaning, under their subject", () => {
  const all = [event("entity.created", "record", "Somebody saved a record"), event("key.created", "key"), event("entity.edited", "record")];
  expect(groupEvents(all, "").map(({ topic, events }) => [topic, events.length])).toEqual([["record", 2], ["key", 1]]);
  expect(groupEvents(all, "CREATED saved").map(({ events }) => events.map(({ name }) => name))).toEqual([["entity.created"]]);
  expect(groupEvents(all, "nothing")).toEqual([]);
  expect(groupEvents([], "")).toEqual([]);
});

test("a body is printed as JSON, or as it is", () => {
  expect(printed('{"a":1}')).toBe('{\n  "a": 1\n}');
  expect(printed("nope")).toBe("nope");
});

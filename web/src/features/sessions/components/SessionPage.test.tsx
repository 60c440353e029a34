import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { AgentSession, SessionEvent } from "@/api/types";
import { type Call, fakeServer } from "@/testing/fakeServer";
import { northwind } from "@/testing/records";
import { renderSessions } from "@/testing/renderSessions";
import { agentSession, event, sessionEvents } from "@/testing/sessions";

const ID = agentSession.id;
const PATH = `/sessions/${ID}`;
const CREATE = ["sessions.team.create"];

interface Given {
  session?: Partial<AgentSession>;
  events?: SessionEvent[];
  permissions?: string[];
  routes?: Parameters<typeof fakeServer>[0];
}

/** Pages of events as the server gives them. */
function serve(events: SessionEvent[]) {
  return ({ query }: Call) => {
    const [after, limit] = [Number(query.get("after") ?? 0), Number(query.get("limit") ?? 50)];
    const rest = events.filter(({ seq }) => seq > after);
    return { body: { data: rest.slice(0, limit), next_cursor: rest.length > limit ? "more" : null } };
  };
}

async function open(path: string, { session = {}, events = sessionEvents, permissions = CREATE, routes = {} }: Given = {}) {
  const told = { ...agentSession, events: events.length, ...session };
  const calls = fakeServer({
    [`GET /api/sessions/${ID}`]: () => ({ body: told }),
    [`GET /api/sessions/${ID}/events`]: (call) => serve(events)(call),
    "GET /api/sessions": { body: { data: [], next_cursor: null } },
    [`GET /api/entities/${northwind.id}`]: { body: northwind },
    ...routes,
  });
  const view = await renderSessions(path, permissions);
  return { ...view, calls, told, user: userEvent.setup() };
}

const posted = (calls: Call[]) => calls.filter(({ method }) => method === "POST").map(({ path, body }) => [path, body]);

test("the head says what it is, what it took and what it belongs to", async () => {
  await open(PATH);
  expect(await screen.findByRole("heading", { level: 1, name: "Is the revenue right?" })).toBeTruthy();
  const page = document.body.textContent ?? "";
  for (const part of ["Completed", "Ran here", "4.2 s", "1.2k in · 88 out", "$0.0021", "filing-reader, version 3", "by Ada"]) {
    expect(page).toContain(part);
  }
  expect((await screen.findByRole("link", { name: "Northwind" })).getAttribute("href")).toBe(`/records/${northwind.id}`);
});

test("it reads as a conversation, and a tool opens to its arguments and its result", async () => {
  const { user, router } = await open(PATH);
  const said = await screen.findByRole("article", { name: "User: Is the revenue right?" });
  expect(within(said).getByText("revenue").tagName).toBe("STRONG");
  const tool = screen.getByRole("button", { name: "Tool readFiling" });
  expect(tool.textContent).toContain("year: 2025");
  expect(screen.queryByRole("region", { name: "Arguments" })).toBeNull();
  await user.click(tool);
  expect(screen.getByRole("region", { name: "Arguments" }).textContent).toBe('{\n  "year": 2025\n}');
  expect(screen.getByRole("region", { name: "Result" }).textContent).toContain("43.2");
  await waitFor(() => expect(router.state.location.search).toEqual({ event: 5 }));
  await user.click(tool);
  expect(screen.queryByRole("region", { name: "Arguments" })).toBeNull();
  await waitFor(() => expect(router.state.location.search).toEqual({}));
});

test("the prompt is shown as it was sent", async () => {
  const { user } = await open(PATH);
  await user.click(await screen.findByRole("button", { name: "Model gpt-6" }));
  const prompt = within(screen.getByRole("region", { name: "The prompt as it was sent" }));
  expect(prompt.getByRole("region", { name: "Instructions" }).textContent).toBe("Be brief.");
  expect(prompt.getByRole("region", { name: "Message 1, user" }).textContent).toBe("Is the revenue right?");
});

test("a link leads to an event, opened, also where that is part of a step", async () => {
  await open(`${PATH}?event=6`);
  expect((await screen.findByRole("region", { name: "Result" })).textContent).toContain("43.2");
  expect(document.activeElement?.getAttribute("aria-label")).toBe("Tool readFiling");
});

test("an event that is not there is said to be gone", async () => {
  await open(`${PATH}?event=99`);
  expect(await screen.findByText("The event that the link leads to is not there.")).toBeTruthy();
  expect(screen.getByRole("article", { name: "User: Is the revenue right?" })).toBeTruthy();
});

test("j and k go from step to step, Enter opens", async () => {
  const { user } = await open(PATH);
  await screen.findByRole("article", { name: /^User/ });
  await user.keyboard("jj");
  expect(document.activeElement?.getAttribute("aria-label")).toBe("User: Is the revenue right?");
  await user.keyboard("jj");
  expect(document.activeElement?.getAttribute("aria-label")).toBe("Tool readFiling");
  await user.keyboard("{Enter}");
  expect(screen.getByRole("region", { name: "Arguments" })).toBeTruthy();
  await user.keyboard("k");
  expect(document.activeElement?.getAttribute("aria-label")).toBe("Model gpt-6");
});

test("what a sub-agent did stands below its call and can be left out", async () => {
  const events = [
    event(1, "tool.call", { id: "a", name: "askResearcher", arguments: {} }),
    event(2, "agent.message", { text: "I look into it.", agent: "researcher", parent_call_id: "a" }),
    event(3, "tool.result", { id: "a", result: "Done" }),
  ];
  const { user } = await open(PATH, { events });
  expect(await screen.findByRole("article", { name: "researcher: I look into it." })).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Hide 1 step of the sub-agent" }));
  expect(screen.queryByRole("article")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Show 1 step of the sub-agent" }));
  expect(screen.getByRole("article", { name: "researcher: I look into it." })).toBeTruthy();
});

test("an error stands where it happened, and an effect leads to what was changed", async () => {
  const response = "0190a000-0000-7000-8000-000000000051";
  const events = [
    event(1, "tool.call", { id: "a", name: "fetchPage", arguments: {} }),
    event(2, "tool.result", { id: "a", error: "HTTP 503" }),
    event(3, "tool.call", { id: "b", name: "submitResponse", arguments: {} }),
    event(4, "response.submitted", { response_id: response, entity_id: northwind.id, call_id: "b" }),
    event(5, "tool.result", { id: "b", result: {} }),
  ];
  await open(PATH, { events, session: { entity_id: null } });
  expect(await screen.findByRole("button", { name: "Tool fetchPage, failed" })).toBeTruthy();
  expect(screen.getByText("HTTP 503")).toBeTruthy();
  const link = await screen.findByRole("link", { name: "Northwind" });
  expect(link.getAttribute("href")).toBe(`/records/${northwind.id}?tab=responses&response=${response}`);
});

test("of a large payload the beginning, and all of it on demand", async () => {
  const events = [{ ...event(1, "tool.call", { id: "a", name: "readLogs", arguments: { lines: "first…" } }), whole: false }];
  const { user, calls } = await open(`${PATH}?event=1`, {
    events,
    routes: { [`GET /api/sessions/${ID}/events/1/payload`]: { body: { id: "a", name: "readLogs", arguments: { lines: "first and last" } } } },
  });
  expect((await screen.findByRole("region", { name: "Arguments" })).textContent).toContain("first…");
  expect(calls.some(({ path }) => path.endsWith("/payload"))).toBe(false);
  await user.click(screen.getByRole("button", { name: "Show all" }));
  await waitFor(() => expect(screen.getByRole("region", { name: "Arguments" }).textContent).toContain("first and last"));
  expect(screen.queryByRole("button", { name: "Show all" })).toBeNull();
});

test("of many events a page is read, the number of all is said, and more come on demand", async () => {
  const events = Array.from({ length: 450 }, (_, place) => event(place + 1, "note.taken", { n: place + 1 }));
  const { user, calls } = await open(`${PATH}?view=events`, { events });
  expect(await screen.findByText(/Showing 200 of 450 events/)).toBeTruthy();
  const drawn = screen.getAllByRole("button", { name: /^Event \d+, note.taken/ }).length;
  expect(drawn).toBeGreaterThan(10);
  expect(drawn).toBeLessThan(100);
  await user.click(screen.getByRole("button", { name: "Load later events" }));
  expect(await screen.findByText(/Showing 400 of 450 events/)).toBeTruthy();
  await user.click(screen.getByRole("link", { name: "Go to the end" }));
  expect(await screen.findByText(/Showing 251 to 450 of 450 events/)).toBeTruthy();
  const pages = calls.filter(({ path }) => path.endsWith("/events")).map(({ query }) => [query.get("after"), query.get("limit")]);
  expect(pages).toEqual([["0", "200"], ["200", "200"], ["250", "200"]]);
  await user.click(screen.getByRole("button", { name: "Load earlier events" }));
  expect(await screen.findByText(/Showing 51 to 450 of 450 events/)).toBeTruthy();
});

test("what happens next is added by itself, and nothing is read twice", async () => {
  const events = sessionEvents.slice(0, 5);
  const { queryClient, calls, told } = await open(PATH, { events, session: { status: "running", ended_at: null } });
  expect(await screen.findByRole("button", { name: "Tool readFiling, under way" })).toBeTruthy();
  events.push(...sessionEvents.slice(5), event(7, "agent.message", { text: "It is right." }));
  told.events = 7;
  await act(() => queryClient.invalidateQueries({ queryKey: ["sessions"] }));
  expect(await screen.findByRole("article", { name: "Agent: It is right." })).toBeTruthy();
  expect(screen.getByRole("button", { name: "Tool readFiling" })).toBeTruthy();
  expect(calls.filter(({ path }) => path.endsWith("/events")).map(({ query }) => query.get("after"))).toEqual(["0", "5"]);
});

test("over time each model and tool has its bar", async () => {
  const { user } = await open(`${PATH}?view=timeline`);
  expect(await screen.findByRole("button", { name: "Model gpt-6, 1.5 s, from 0 ms" })).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Tool readFiling, 600 ms, from 1.7 s" }));
  expect(screen.getByRole("region", { name: "Result" }).textContent).toContain("43.2");
});

test.each([
  ["no_model", "No model is set", "GOLDLOOP_MODEL"],
  ["limit_seconds", "It reached its limit of time", "raise the limit"],
])("a failure by %s says what to do", async (code, title, advice) => {
  await open(PATH, { session: { status: "failed", error: { code, message: "Told by the server" } } });
  const why = await screen.findByRole("note", { name: title });
  for (const part of [title, advice, "Told by the server", code]) expect(why.textContent).toContain(part);
});

test("a question is answered where it is asked", async () => {
  const { user, calls } = await open(PATH, {
    session: { status: "waiting", ended_at: null, question: { call_id: "c", text: "Which **year**?" } },
    routes: { [`POST /api/sessions/${ID}/answer`]: { body: agentSession } },
  });
  const question = within(await screen.findByRole("note", { name: "The agent asks" }));
  expect(question.getByText("year").tagName).toBe("STRONG");
  await user.type(question.getByRole("textbox", { name: "Answer" }), " 2025 ");
  await user.click(question.getByRole("button", { name: "Answer" }));
  await waitFor(() => expect(posted(calls)).toEqual([[`/api/sessions/${ID}/answer`, { text: "2025" }]]));
});

test("a failed run is dismissed or run again, which leads to the new one", async () => {
  const again = "0190a000-0000-7000-8000-000000000299";
  const { user, calls, router } = await open(PATH, {
    session: { status: "failed", error: { code: "job_ended", message: "" } },
    routes: {
      [`POST /api/sessions/${ID}/dismiss`]: { body: agentSession },
      [`POST /api/sessions/${ID}/run-again`]: { status: 201, body: { ...agentSession, id: again } },
    },
  });
  await user.click(await screen.findByRole("button", { name: "Dismiss" }));
  await waitFor(() => expect(posted(calls)).toHaveLength(1));
  await user.click(screen.getByRole("button", { name: "Run again" }));
  await waitFor(() => expect(router.state.location.pathname).toBe(`/sessions/${again}`));
  expect(posted(calls).map(([path]) => path)).toEqual([`/api/sessions/${ID}/dismiss`, `/api/sessions/${ID}/run-again`]);
});

test("a session is cancelled only after a question, and only by those who may", async () => {
  const running = { session: { status: "running", ended_at: null } as const, routes: { [`POST /api/sessions/${ID}/cancel`]: { body: agentSession } } };
  const { user, calls, unmount } = await open(PATH, running);
  await user.click(await screen.findByRole("button", { name: "Cancel" }));
  expect(posted(calls)).toEqual([]);
  await user.click(await screen.findByRole("button", { name: "Cancel session" }));
  await waitFor(() => expect(posted(calls)).toEqual([[`/api/sessions/${ID}/cancel`, undefined]]));
  unmount();
  await open(PATH, { ...running, permissions: [] });
  await screen.findByRole("heading", { level: 1 });
  expect(screen.queryByRole("button", { name: "Cancel" })).toBeNull();
});

test("a session that is not there is said to be none", async () => {
  await open(PATH, { routes: { [`GET /api/sessions/${ID}`]: { status: 404, body: { code: "session_not_found" } } } });
  expect(await screen.findByText("There is no such session")).toBeTruthy();
});

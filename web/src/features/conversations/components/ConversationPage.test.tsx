import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { byUser, conversation, laterTurn, transcript, turn } from "@/testing/conversations";
import { type Call, fakeServer } from "@/testing/fakeServer";
import { session } from "@/testing/render";
import { renderAgentReview } from "@/testing/renderAgentReview";
import { draftReaction } from "../lib/ownReaction";

const at = "/admin/agent-review/conversations/Support/order-1";
const api = "/api/conversations/Support/order-1";
const feedback = "POST /conversations/engines/Support/order-1/turns/turn_2/feedback";
const REACTS = ["reactions.own.create"];

/** A server that keeps this person's reaction to the second turn. */
function serve(routes: Parameters<typeof fakeServer>[0] = {}) {
  let mine: ReturnType<typeof draftReaction> | null = null;
  const react = ({ body }: Call) => {
    const { reaction, text } = body as { reaction: "ok" | null; text?: string };
    mine = reaction && draftReaction({ id: "1", at: turn.ts, conversationId: "order-1", turnId: "turn_2", userId: session.workspaces[0]?.user_id ?? "", reaction, text: text ?? null });
    return { body: { outcome: "added", artifact: null, replaced_rn: null } };
  };
  return fakeServer({
    "GET /api/members": { body: { data: [], next_cursor: null } },
    [`GET ${api}`]: () => ({ body: { ...transcript, turns: [turn, { ...laterTurn, reactions: mine ? [mine] : [] }] } }),
    [feedback]: react,
    ...routes,
  });
}

async function open(permissions: string[], routes = {}, search = "") {
  const calls = serve(routes);
  const view = await renderAgentReview(`${at}${search}`, permissions);
  const second = within(await screen.findByRole("article", { name: "Turn: It never came." }));
  return { ...view, calls, second, user: userEvent.setup() };
}

const sent = (calls: Call[]) => calls.filter(({ method }) => method === "POST").map(({ body }) => body);
const pressed = (name: string, within_: { getByRole: typeof screen.getByRole }) =>
  within_.getByRole("button", { name, pressed: true });

test("a thumb is set, replaced, given words and cleared", async () => {
  const { calls, second, user } = await open(REACTS);
  await user.click(second.getByRole("button", { name: "OK" }));
  expect(pressed("OK", second)).toBeTruthy();
  await user.click(second.getByRole("button", { name: "Not OK" }));
  expect(pressed("Not OK", second)).toBeTruthy();
  expect(second.queryByRole("button", { name: "OK", pressed: true })).toBeNull();

  await user.click(second.getByRole("button", { name: "New comment" }));
  await user.type(second.getByRole("textbox", { name: "Comment" }), "Too late");
  await user.click(second.getByRole("button", { name: "Save comment" }));
  expect(await second.findByText("Too late")).toBeTruthy();

  await user.click(second.getByRole("button", { name: "Not OK" }));
  await waitFor(() => expect(second.queryByRole("button", { pressed: true })).toBeNull());
  await waitFor(() =>
    expect(sent(calls)).toEqual([
      { reaction: "ok" },
      { reaction: "not_ok" },
      { reaction: "not_ok", text: "Too late" },
      { reaction: null },
    ]),
  );
});

test("a click that the server refuses is taken back, with its reason", async () => {
  const refusal = { status: 404, body: { code: "turn_not_found", title: "There is no such turn in this workspace" } };
  const { second, user } = await open(REACTS, { [feedback]: refusal });
  await user.click(second.getByRole("button", { name: "OK" }));
  expect(await screen.findByText("Your reaction was not saved")).toBeTruthy();
  expect(screen.getByText("There is no such turn in this workspace")).toBeTruthy();
  await waitFor(() => expect(second.queryByRole("button", { pressed: true })).toBeNull());
});

test("whoever may not react sees why, and nothing is sent", async () => {
  const { calls, second, user } = await open([]);
  expect(screen.getByRole("note").textContent).toContain("Your role, viewer, may see reactions but not give any");
  await user.click(second.getByRole("button", { name: "OK" }));
  expect(sent(calls)).toEqual([]);
  expect(second.queryByRole("button", { pressed: true })).toBeNull();
});

test("what a machine read is marked, with its confidence, its words, where they were said and the candidates", async () => {
  const { second, user } = await open(REACTS);
  const first = within(screen.getByRole("article", { name: "Turn: Where is my order?" }));
  const [byUser, byMachine] = within(first.getByRole("list", { name: "Reactions" })).getAllByRole("listitem");
  expect(byUser?.textContent).toContain("cust-mina");
  expect(byUser?.textContent).toContain("That was quick.");
  expect(byMachine?.textContent).toContain("Read by machineQuite sure");
  expect(first.getByRole("link", { name: "Said in a later message" }).getAttribute("href")).toContain("turn=turn_2");
  await user.click(first.getByRole("button", { name: "Why this turn?" }));
  const candidates = within(await first.findByRole("table", { name: "Candidates" })).getAllByRole("row");
  expect(candidates[1]?.textContent).toBe("“It arrives on Monday.”0.680.621.00");
  expect(first.getByText(/91 % sure/)).toBeTruthy();
  expect(second.getByText(/Read by machine as Not OK for/).textContent).toContain("“It arrives on Monday.”");
});

test("an answer that many reacted to does not push the next turn away", async () => {
  const many = Array.from({ length: 9 }, (_, n) => ({ ...byUser, id: `many-${n}`, user_id: `cust-${n}` }));
  const { user } = await open(REACTS, { [`GET ${api}`]: { body: { ...transcript, turns: [{ ...turn, reactions: many }, laterTurn] } } });
  const listed = () => within(screen.getByRole("list", { name: "Reactions" })).getAllByRole("listitem");
  expect(listed()).toHaveLength(5);
  await user.click(screen.getByRole("button", { name: "Show all 9 reactions" }));
  expect(listed()).toHaveLength(9);
});

test("the log is read only when somebody wants to see it", async () => {
  const log = { body: { turn_log: { steps: 3 }, hosted_uri: null } };
  const { calls, user } = await open(REACTS, { [`GET ${api}/turns/turn_1/log`]: log });
  const asked = () => calls.filter(({ path }) => path.endsWith("/log")).length;
  expect(asked()).toBe(0);
  await user.click(screen.getByRole("button", { name: "Show log" }));
  expect((await screen.findByRole("region", { name: "Log of turn_1" })).textContent).toContain('"steps": 3');
  expect(asked()).toBe(1);
});

test("a log that the store does not give says so", async () => {
  const away = { status: 503, body: { code: "blob_store_failed", detail: "The blob store does not answer" } };
  const { user } = await open(REACTS, { [`GET ${api}/turns/turn_1/log`]: away });
  await user.click(screen.getByRole("button", { name: "Show log" }));
  expect((await screen.findByRole("alert")).textContent).toContain("The blob store does not answer");
});

test("a long conversation is read on in both directions from the turn that a link names", async () => {
  const other = (turn_id: string) => ({ ...laterTurn, turn_id });
  const part = ({ query }: Call) => {
    if (query.get("before") === "back") return { body: { ...transcript, turns: [other("turn_0")] } };
    if (query.get("cursor") === "on") return { body: { ...transcript, turns: [other("turn_3")] } };
    return { body: { ...transcript, previous_cursor: "back", next_cursor: "on" } };
  };
  const { calls, user } = await open(REACTS, { [`GET ${api}`]: part }, "?turn=turn_2");
  expect(calls.find(({ path }) => path === api)?.query.get("turn_id")).toBe("turn_2");
  await waitFor(() => expect(document.activeElement?.getAttribute("aria-label")).toBe("Turn: It never came."));
  await user.click(screen.getByRole("button", { name: "Load earlier turns" }));
  await user.click(screen.getByRole("button", { name: "Load later turns" }));
  await waitFor(() => expect(screen.getAllByRole("article")).toHaveLength(4));
  const order = screen.getAllByRole("article").map((each) => each.dataset.turn);
  expect(order).toEqual(["turn_0", "turn_1", "turn_2", "turn_3"]);
});

test("a link to a turn that is gone shows the conversation, and says so", async () => {
  const gone = { status: 404, body: { code: "turn_not_found" } };
  const whole = ({ query }: Call) => (query.get("turn_id") === "turn_9" ? gone : { body: transcript });
  await open(REACTS, { [`GET ${api}`]: whole }, "?turn=turn_9");
  expect(screen.getByText("The turn that the link leads to is not there.")).toBeTruthy();
});

test("a conversation that does not exist says so", async () => {
  fakeServer({ [`GET ${api}`]: { status: 404, body: { code: "conversation_not_found" } } });
  await renderAgentReview(at, []);
  expect(await screen.findByText("There is no such conversation")).toBeTruthy();
});

test("the page is named by what was said first", async () => {
  await open(REACTS);
  expect(screen.getByRole("heading", { level: 1, name: conversation.title })).toBeTruthy();
});

test("j and k go from turn to turn, and arrows go on scrolling", async () => {
  const { user } = await open(REACTS);
  const focused = () => (document.activeElement as HTMLElement).dataset.turn;
  await user.keyboard("j");
  expect(focused()).toBe("turn_1");
  await user.keyboard("j");
  expect(focused()).toBe("turn_2");
  await user.keyboard("{ArrowUp}{Home}");
  expect(focused()).toBe("turn_2");
  await user.keyboard("k");
  expect(focused()).toBe("turn_1");
});

test("ids of turns are nowhere in sight, and can be copied", async () => {
  const { second, user } = await open(REACTS);
  expect(document.body.textContent).not.toMatch(/turn_\d/);
  await user.click(second.getByRole("button", { name: "About this turn" }));
  expect((await second.findByText("turn_2")).tagName).toBe("BDI");
  await user.click(second.getByRole("menuitem", { name: "Copy turn id" }));
  expect(await navigator.clipboard.readText()).toBe("turn_2");
});

const HOSTILE = [
  "# Steps",
  "<script>window.hacked = 1</script><img src=x onerror=alert(1)>",
  "[click](javascript:alert(1)) [data](data:text/html,x) ![pixel](https://spy.example/a.png) [page](https://b.example)",
  "| a | b |\n|---|---|\n| <b>1</b> | 2 |",
  "```html\n<script>1</script>\n```",
  "مرحبا",
].join("\n\n");

test("an answer is read as Markdown, and nothing in it is run, loaded or followed unseen", async () => {
  const body = { ...transcript, turns: [turn, { ...laterTurn, assistant: HOSTILE }] };
  const { second, user } = await open(REACTS, { [`GET ${api}`]: { body } });
  const article = screen.getByRole("article", { name: "Turn: It never came." });
  expect(article.querySelector("script, img, iframe, b")).toBeNull();
  const links = [...article.querySelectorAll<HTMLAnchorElement>("a[target]")];
  expect(links.map((link) => [link.textContent, link.getAttribute("href"), link.rel])).toEqual([
    ["Image: pixel", "https://spy.example/a.png", "noopener noreferrer nofollow"],
    ["page", "https://b.example", "noopener noreferrer nofollow"],
  ]);
  expect(second.getByRole("columnheader", { name: "a" })).toBeTruthy();
  expect(second.getByText("<script>1</script>").tagName).toBe("PRE");
  expect(second.getByText("مرحبا").getAttribute("dir")).toBe("auto");
  await user.click(second.getByRole("button", { name: "About this turn" }));
  await user.click(await second.findByRole("menuitem", { name: "Show as written" }));
  expect(second.getByText(/^# Steps/)).toBeTruthy();
});

test("a huge answer is opened on demand, and is text then", async () => {
  const body = { ...transcript, turns: [turn, { ...laterTurn, assistant: "- item\n".repeat(20_000) }] };
  const { second, user } = await open(REACTS, { [`GET ${api}`]: { body } });
  const items = second.getAllByRole("listitem").length;
  expect(items).toBeLessThan(1000);
  await user.click(second.getByRole("button", { name: "Show all" }));
  expect(second.queryAllByRole("listitem")).toHaveLength(0);
  expect(second.getByText(/^- item/)).toBeTruthy();
});

test("a member's reaction is marked as one", async () => {
  const meta = { ...byUser.payload.meta, user_type: "member" as const };
  const theirs = { ...byUser, id: "m", user_id: "other", user_name: "Mara", payload: { ...byUser.payload, meta } };
  await open(REACTS, { [`GET ${api}`]: { body: { ...transcript, turns: [{ ...turn, reactions: [byUser, theirs] }, laterTurn] } } });
  const rows = within(screen.getByRole("list", { name: "Reactions" })).getAllByRole("listitem");
  expect(rows.map((row) => row.textContent?.includes("Member"))).toEqual([false, true]);
});

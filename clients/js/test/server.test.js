/** Against a real server: `GOLDLOOP_URL` and `GOLDLOOP_KEY` of one are in the environment. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Client, giveFeedback, GoldloopError, newId, readFeedbackToken } from "../dist/index.js";

const run = newId().slice(-12); // so that the same server can be asked twice
const type = `js-${run}`;
const conversation = `conv?${run} ä%`;
let client;

before(async () => {
  client = new Client();
  const json_schema = { type: "object", properties: { grade: { type: "integer" } } };
  await client.entityTypes.create({ slug: type, name: "Made in JavaScript", json_schema });
});
after(() => client.close());

test("records are made, listed page by page, edited and removed", async () => {
  const made = [];
  for (const title of ["A", "B", "C"]) made.push(await client.entities.create({ type, title, content: { grade: 1 } }));
  const found = [];
  for await (const { title } of client.entities.list({ type, sort: "title", limit: 2 })) found.push(title);
  assert.deepEqual(found, ["A", "B", "C"]);
  assert.equal((await client.entities.count({ type })).count, 3);
  const [first] = made;
  const edited = await client.entities.edit(first.id, { content: { grade: 2 }, version: first.version });
  assert.deepEqual(edited.content, { grade: 2 });
  const stale = client.entities.edit(first.id, { content: { grade: 3 }, version: first.version });
  await assert.rejects(stale, (error) => error instanceof GoldloopError && error.status === 409 && error.conflict !== null);
  assert.equal(await client.entities.remove(first.id), undefined);
  await assert.rejects(client.entities.show(first.id), { status: 404, code: "entity_not_found" });
});

test("what is wrong with a body has its place", async () => {
  await assert.rejects(client.entities.create({ type, title: "", content: {} }), (error) => {
    assert.equal(error.status, 422);
    assert.deepEqual(error.errors.map(({ path }) => path), ["/title"]);
    assert.ok(error.requestId);
    return true;
  });
});

test("a create that is sent again answers with what is there", async () => {
  const body = { id: newId(), type, title: "Once", content: {} };
  const [one, other] = [await client.entities.create(body), await client.entities.create(body)];
  assert.equal(one.id, other.id);
});

test("turns, reactions and responses of the background queue arrive", async () => {
  const record = await client.entities.create({ type, title: "Rated", content: {} });
  for (const turn of ["t1", "t2"]) {
    client.background.addTurn("JavaScript", conversation, { turn_id: turn, user: "Where?", assistant: "Here." });
  }
  client.background.react("JavaScript", conversation, "t2", "not_ok", { text: "Wrong" });
  const id = client.background.submit(record.id, { values: { grade: 3 } });
  assert.equal(await client.flush(60_000), true);
  const { turns } = await client.conversations.show("JavaScript", conversation);
  assert.deepEqual(turns.map(({ turn_id, user }) => [turn_id, user]), [["t1", "Where?"], ["t2", "Where?"]]);
  assert.deepEqual(turns[1].reactions.map(({ plain }) => [plain.reaction, plain.text]), [["not_ok", "Wrong"]]);
  assert.equal((await client.responses.show(record.id, id)).values.grade, 3);
  assert.equal(client.background.stats.failed, 0);
});

test("whoever has a feedback token may react to its turn, and to nothing else", async () => {
  await client.conversations.addTurns("JavaScript", conversation, { turn_id: "t3", assistant: { text: "So." } });
  const { token } = await client.conversations.feedbackToken("JavaScript", conversation, "t3", { expires_in: 60 });
  const { turnId, conversationId, expiresAt } = readFeedbackToken(token);
  assert.deepEqual([turnId, conversationId], ["t3", conversation]);
  assert.ok(expiresAt > new Date());
  const server = process.env.GOLDLOOP_URL;
  assert.equal((await giveFeedback({ server, token, reaction: "ok" })).outcome, "added");
  assert.equal((await giveFeedback({ server, token, reaction: "not_ok", text: "No" })).outcome, "replaced");
  assert.equal((await giveFeedback({ server, token, reaction: null })).outcome, "cleared");
  await assert.rejects(giveFeedback({ server, token: `${token}x`, reaction: "ok" }), { status: 401, code: "unauthenticated" });
  await assert.rejects(giveFeedback({ server, token: "none", reaction: "ok" }), { code: "unauthenticated" });
  const intruder = new Client({ url: server, key: token });
  await assert.rejects(intruder.inbox.show(), { status: 401 });
});

test("a session that was recorded is there with its events and its child", async () => {
  const agent = `js-${run}`;
  await client.agents.create({ slug: agent, name: "In JavaScript" });
  const session = client.session({ agent, input: { message: "Hi" } });
  let inner;
  await session.run(async (outer) => {
    outer.userMessage("Hi");
    outer.tool("find", (number) => number + 1)(6);
    outer.modelRequest("gpt-6", { input_tokens: 3, output_tokens: 4, cost: 0.5 });
    inner = outer.child({ agent });
    await inner.run(() => "done");
    return { answer: 7 };
  });
  assert.equal(await client.flush(60_000), true);
  const shown = await client.sessions.wait(session.id);
  assert.deepEqual([shown.status, shown.output, shown.input_tokens], ["completed", { answer: 7 }, 3]);
  const types = [];
  for await (const event of client.sessions.events(session.id)) types.push(event.type);
  assert.deepEqual(types, ["session.created", "user.message", "tool.call", "tool.result", "model.request", "session.completed"]);
  assert.equal((await client.sessions.show(inner.id)).parent_session_id, session.id);
});

/** The queue in the background: what goes together, what is kept, what is dropped, and that the caller hears nothing. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import { Client } from "../dist/index.js";
import { flakyServer, HANG_UP, problem } from "./flaky.js";

const ENTITY = "01990000-0000-7000-8000-000000000000";

function connect(server, settings = {}) {
  const said = [];
  const client = new Client({ url: server.url, key: "gl_x", log: (line) => said.push(line), ...settings });
  return Object.assign(client, { said });
}

/** What was asked beside the workspace: the last part of the address and the ids in the body. */
function sent(server) {
  return server.asked
    .filter(({ path }) => path !== "/api/workspace")
    .map(({ path, body }) => [path.split("/").at(-1), [body].flat().map((each) => each.turn_id ?? each.type ?? null)]);
}

const main = ({ path }) => (path === "/api/workspace" ? { status: 200, body: { slug: "main" } } : { status: 200, body: {} });

test("turns of a conversation go together, up to a reaction, which comes after them", async (t) => {
  const server = await flakyServer(t);
  server.decide = main;
  const { background, ...client } = connect(server);
  for (const turn of ["1", "2", "3"]) assert.equal(background.addTurn("P", "c", { turn_id: turn, user: "Hi" }), true);
  background.react("P", "c", "2", "ok", { text: "Good" });
  background.addTurn("P", "c", { turn_id: "4" });
  assert.equal(await background.flush(), true);
  assert.deepEqual(sent(server), [
    ["turns?gate=true", ["1", "2", "3"]],
    ["feedback", [null]],
    ["turns", ["4"]],
  ]);
  assert.deepEqual(server.asked[1].body[0].user, { text: "Hi" });
  assert.ok(server.asked[1].body[0].ts);
  assert.deepEqual(background.stats, { queued: 0, sent: 5, failed: 0, dropped: 0 });
  assert.deepEqual(client.said, []);
});

test("what the caller changes afterwards is not sent", async (t) => {
  const server = await flakyServer(t);
  const { background } = connect(server);
  const values = { helpful: 4 };
  const id = background.submit(ENTITY, { values });
  values.helpful = 1;
  await background.flush();
  assert.deepEqual(server.asked[0].body, { values: { helpful: 4 }, id });
});

test("while the server is away what waits is kept, and arrives once it is back", async (t) => {
  const server = await flakyServer(t, { status: HANG_UP }, problem(503, "unavailable"));
  const client = connect(server);
  client.background.submit(ENTITY, { values: { a: 1 } });
  client.background.submit(ENTITY, { values: { a: 2 } });
  while (client.background.stats.queued > 0) await client.flush(100);
  assert.deepEqual(server.asked.map(({ body }) => body.values.a), [1, 1, 1, 2]);
  assert.deepEqual(client.background.stats, { queued: 0, sent: 2, failed: 0, dropped: 0 });
});

test("when the queue is full the oldest makes room, and that is counted and said", async (t) => {
  const server = await flakyServer(t);
  const client = connect(server, { queueSize: 2 });
  for (const a of [1, 2, 3, 4]) client.background.submit(ENTITY, { values: { a } });
  await client.flush();
  assert.deepEqual(server.asked.map(({ body }) => body.values.a), [3, 4]);
  assert.deepEqual(client.background.stats, { queued: 0, sent: 2, failed: 0, dropped: 2 });
  assert.deepEqual(client.said, ["goldloop: 1 submissions were dropped: the queue is full"]);
});

test("events make room before the beginning of their session does", async (t) => {
  const server = await flakyServer(t);
  const client = connect(server, { queueSize: 3 });
  const session = client.session({ agent: "bot" }).begin();
  for (const text of ["1", "2", "3"]) session.userMessage(text);
  await client.flush();
  assert.equal(server.asked[0].path, "/api/sessions");
  assert.deepEqual(server.asked[1].body.map(({ payload }) => payload.text), ["2", "3"]);
});

test("of a list that is refused for one of it, only that one is skipped", async (t) => {
  const server = await flakyServer(t);
  server.decide = (asked) => {
    const bad = [asked.body].flat().some((each) => each?.turn_id === "5");
    return bad ? problem(422, "invalid_input") : main(asked);
  };
  const client = connect(server);
  for (let turn = 0; turn < 8; turn += 1) client.background.addTurn("P", "c", { turn_id: String(turn) });
  await client.flush();
  assert.deepEqual(client.background.stats, { queued: 0, sent: 7, failed: 1, dropped: 0 });
  assert.match(client.said[0], /a submission was refused: POST .*invalid_input/);
});

test("a submission that the server fails at does not hold up the others for ever", async (t) => {
  const server = await flakyServer(t);
  server.decide = ({ body }) => (body.values.a === 1 ? problem(500, "internal_error") : { status: 200 });
  const client = connect(server);
  for (const a of [1, 2]) client.background.submit(ENTITY, { values: { a } });
  while (client.background.stats.queued > 0) await client.flush(50);
  assert.deepEqual(client.background.stats, { queued: 0, sent: 1, failed: 1, dropped: 0 });
  assert.equal(server.asked.length, 6);
});

test("whatever it is given, nothing is thrown, and it is counted", async (t) => {
  const server = await flakyServer(t);
  const client = connect(server);
  const circle = {};
  circle.itself = circle;
  const bad = {
    get turn_id() {
      throw new Error("no");
    },
  };
  assert.equal(client.background.submit(ENTITY, { values: circle }), null);
  assert.equal(client.background.submit(ENTITY, undefined), null);
  assert.equal(client.background.addTurn("P", "c", bad), false);
  assert.equal(client.background.addTurn("P", "..", { turn_id: "1" }), false);
  assert.equal(client.background.react("P", "", "t", "ok"), false);
  assert.equal(client.background.stats.failed, 5);
  assert.equal(server.asked.length, 0);
});

test("a log that fails breaks nothing either", async (t) => {
  const server = await flakyServer(t);
  const log = () => {
    throw new Error("no log");
  };
  const client = new Client({ url: server.url, key: "gl_x", queueSize: 1, log });
  for (const a of [1, 2]) assert.ok(client.background.submit(ENTITY, { values: { a } }));
  await client.flush();
  assert.deepEqual(client.background.stats, { queued: 0, sent: 1, failed: 0, dropped: 1 });
});

test("after closing nothing is taken, and what is left is dropped", async (t) => {
  const server = await flakyServer(t);
  server.decide = () => problem(503, "unavailable");
  const client = connect(server);
  client.background.submit(ENTITY, { values: {} });
  assert.equal(await client.close(1), false);
  assert.equal(client.background.submit(ENTITY, { values: {} }), null);
  assert.deepEqual(client.background.stats, { queued: 0, sent: 0, failed: 0, dropped: 2 });
});

test("a program that ends without closing sends what it has queued", async (t) => {
  const server = await flakyServer(t);
  const index = new URL("../dist/index.js", import.meta.url).href;
  const program = `import { Client } from "${index}";
    new Client({ url: "${server.url}", key: "gl_x" }).background.submit("${ENTITY}", { values: { a: 1 } });`;
  await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program]);
  assert.deepEqual(server.asked.map(({ body }) => body.values), [{ a: 1 }]);
});

test("a program that ends while the server is away is not held up for ever", async () => {
  const index = new URL("../dist/index.js", import.meta.url).href;
  const program = `import { Client } from "${index}";
    new Client({ url: "http://127.0.0.1:9", key: "gl_x" }).background.submit("${ENTITY}", { values: { a: 1 } });`;
  const { stderr } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program]);
  assert.match(stderr, /1 submissions were dropped: the client was closed/);
});

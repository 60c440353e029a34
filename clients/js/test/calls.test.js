/** Methods: what is sent, what comes back, what is tried again. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Client, GoldloopError, newId } from "../dist/index.js";
import { flakyServer, HANG_UP, NEVER, problem, QUICK } from "./flaky.js";

const ID = "01990000-0000-7000-8000-000000000000";

function connect(server, settings = {}) {
  return new Client({ url: `${server.url}/`, key: "gl_x", retry: QUICK, ...settings });
}

test("a method sends its parts of the address, its body and its query, with the key and without cookies", async (t) => {
  const server = await flakyServer(t, { status: 200, body: { slug: "main" } }, { status: 201, body: { added: 1 } });
  const answer = await connect(server).conversations.addTurns("A/B", "c 1", [{ turn_id: "t" }], { gate: true });
  const [, { method, path, headers, body }] = server.asked;
  assert.deepEqual(answer, { added: 1 });
  assert.equal(`${method} ${path}`, "POST /conversations/main/A%2FB/c%201/turns?gate=true");
  assert.deepEqual(body, [{ turn_id: "t" }]);
  assert.equal(headers.authorization, "Bearer gl_x");
  assert.equal(headers.cookie, undefined);
});

test("the workspace of the key is asked for once", async (t) => {
  const server = await flakyServer(t, { status: 200, body: { slug: "main" } });
  const client = connect(server);
  await client.conversations.react("P", "c", "t", { reaction: "ok" });
  await client.conversations.react("P", "c", "t", { reaction: null });
  assert.equal(server.asked.filter(({ path }) => path === "/api/workspace").length, 1);
  assert.equal(server.asked.length, 3);
});

test("a create has an id of the client's, the same in every try", async (t) => {
  const server = await flakyServer(t, { status: HANG_UP }, problem(503, "unavailable"), { status: 201, body: {} });
  await connect(server).entities.create({ type: "vendor", title: "A", content: {} });
  const ids = new Set(server.asked.map(({ body }) => body.id));
  assert.equal(server.asked.length, 3);
  assert.equal(ids.size, 1);
  assert.match([...ids][0], /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

for (const [name, call] of Object.entries({
  edit: (client) => client.entities.edit(ID, { version: 1 }),
  remove: (client) => client.entities.remove(ID),
  promote: (client) => client.promotion.promote(ID, ID, { fields: ["a"] }),
  "make a key": (client) => client.keys.create({ name: "x", role: "viewer" }),
  "call a tool": (client) => client.tools.call("submitResponse", {}),
})) {
  test(`what could do harm twice is sent once: ${name}`, async (t) => {
    const server = await flakyServer(t);
    server.decide = () => problem(503, "unavailable");
    await assert.rejects(call(connect(server)), { code: "unavailable", status: 503 });
    assert.equal(server.asked.length, 1);
  });
}

test("what is refused is not tried again, and says what is wrong where", async (t) => {
  const errors = [{ path: "/title", code: "too_long", message: "It is too long" }];
  const server = await flakyServer(t, { ...problem(422, "invalid_input", { errors }), headers: { "X-Request-Id": "r1" } });
  const failed = connect(server).entities.create({ type: "vendor", title: "A", content: {} });
  await assert.rejects(failed, (error) => {
    assert.ok(error instanceof GoldloopError);
    assert.deepEqual([error.status, error.code, error.errors, error.requestId], [422, "invalid_input", errors, "r1"]);
    assert.equal(error.message, "No. (invalid_input); /title: It is too long");
    return true;
  });
  assert.equal(server.asked.length, 1);
});

test("a proxy's page is not taken for an answer", async (t) => {
  const server = await flakyServer(t, { status: 200, body: "<h1>Sign in</h1>" }, { status: 418, body: "<h1>Tea</h1>" });
  const client = connect(server);
  await assert.rejects(client.inbox.show(), { code: "unexpected_answer" });
  await assert.rejects(client.inbox.show(), { code: "http_418", detail: "HTTP 418: <h1>Tea</h1>" });
});

test("a redirect is not followed: the key goes to one address alone", async (t) => {
  const other = await flakyServer(t);
  const server = await flakyServer(t, { status: 307, headers: { Location: other.url } });
  await assert.rejects(connect(server, { retry: { attempts: 1 } }).inbox.show(), { code: "connection_failed" });
  assert.equal(other.asked.length, 0);
});

test("a wait that is longer than the budget is not waited for", async (t) => {
  const server = await flakyServer(t, { ...problem(429, "too_many_requests"), headers: { "Retry-After": "3600" } });
  await assert.rejects(connect(server).inbox.show(), { code: "too_many_requests", retryAfter: 3_600_000 });
  assert.equal(server.asked.length, 1);
});

test("a server that does not answer in time is given up", async (t) => {
  const server = await flakyServer(t);
  server.decide = () => ({ status: NEVER });
  let tries = 0;
  const counted = (...parts) => {
    tries += 1;
    return fetch(...parts);
  };
  const client = connect(server, { timeout: 20, fetch: counted, retry: { ...QUICK, attempts: 2 } });
  await assert.rejects(client.inbox.show(), { code: "connection_failed", status: null });
  assert.equal(tries, 2);
});

test("a signal ends a call with its own reason", async (t) => {
  const server = await flakyServer(t);
  server.decide = () => ({ status: NEVER });
  const ended = new AbortController();
  const reason = new Error("enough");
  const call = connect(server).inbox.show({ signal: ended.signal });
  ended.abort(reason);
  await assert.rejects(call, reason);
});

test("a list goes through its pages, each fetched when it is come to", async (t) => {
  const server = await flakyServer(t);
  server.decide = ({ path }) => {
    const cursor = new URL(path, server.url).searchParams.get("cursor");
    return { status: 200, body: cursor ? { data: ["c"], next_cursor: null } : { data: ["a", "b"], next_cursor: "n" } };
  };
  const found = [];
  for await (const row of connect(server).entities.list({ type: "vendor" })) {
    found.push(row);
    if (row === "b") assert.equal(server.asked.length, 1);
  }
  assert.deepEqual(found, ["a", "b", "c"]);
  assert.deepEqual(server.asked.map(({ path }) => path), [
    "/api/entities?limit=100&type=vendor",
    "/api/entities?limit=100&type=vendor&cursor=n",
  ]);
});

test("waiting for a session reads it until it rests, or says that it took too long", async (t) => {
  const server = await flakyServer(t, { status: 200, body: { status: "running" } });
  server.decide = () => ({ status: 200, body: { status: "waiting" } });
  assert.deepEqual(await connect(server).sessions.wait(ID), { status: "waiting" });
  assert.equal(server.asked.length, 2);
  server.decide = () => ({ status: 200, body: { status: "running" } });
  await assert.rejects(connect(server).sessions.wait(ID, { timeout: 0 }), { code: "not_in_time" });
});

for (const id of ["", ".", "..", undefined, null]) {
  test(`${String(id) || "nothing"} is no part of an address`, async (t) => {
    const server = await flakyServer(t);
    await assert.rejects(connect(server).entities.show(id), { code: "client_error" });
    assert.equal(server.asked.length, 0);
  });
}

test("a client without an address or a key says so", () => {
  for (const name of ["GOLDLOOP_URL", "GOLDLOOP_KEY"]) delete process.env[name];
  assert.throws(() => new Client({ url: "http://127.0.0.1:1", key: "" }), { code: "not_configured" });
});

test("ids sort by the time they were made", () => {
  const before = newId().slice(0, 13);
  assert.ok(before <= newId().slice(0, 13));
});

/** Sessions that are recorded around a function. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "../dist/index.js";
import { flakyServer } from "./flaky.js";

async function recorded(t, work) {
  const server = await flakyServer(t);
  const client = new Client({ url: server.url, key: "gl_x", log: () => {} });
  await work(client);
  await client.flush();
  const events = server.asked.filter(({ path }) => path.endsWith("/events")).flatMap(({ body }) => body);
  const ends = server.asked.filter(({ path }) => path.endsWith("/end")).map(({ body }) => body);
  const begins = server.asked.filter(({ path }) => path === "/api/sessions").map(({ body }) => body);
  return { server, client, events, ends, begins };
}

test("a session has what was said and done, in order, and ends with what came of it", async (t) => {
  const { server, events, ends, begins } = await recorded(t, async (client) => {
    const answer = await client.session({ agent: "bot", input: { message: "Hi" } }).run(async (session) => {
      session.userMessage("Hi");
      const find = session.tool("find", async ({ number }) => `Order ${number}`);
      const found = await find({ number: 7 });
      session.modelRequest("gpt-6", { input_tokens: 3, output_tokens: 4 });
      session.agentMessage(found);
      return found;
    });
    assert.equal(answer, "Order 7");
  });
  const [{ agent, input, source, id }] = begins;
  assert.deepEqual([agent, input, source], ["bot", { message: "Hi" }, "client"]);
  assert.equal(server.asked.length, 3);
  assert.ok(server.asked[1].path.includes(id));
  assert.deepEqual(events.map(({ type }) => type), ["user.message", "tool.call", "tool.result", "model.request", "agent.message"]);
  assert.deepEqual([events[1].payload.arguments, events[2].payload.result], [{ number: 7 }, "Order 7"]);
  assert.equal(events[1].payload.id, events[2].payload.id);
  assert.equal(new Set(events.map((event) => event.id)).size, 5);
  assert.deepEqual(ends, [{ status: "completed", output: "Order 7" }]);
});

test("what the function throws goes on untouched, and the session has failed of it", async (t) => {
  const failure = new RangeError("too far");
  const { events, ends } = await recorded(t, async (client) => {
    const run = client.session().run((session) => {
      session.tool("reach", () => {
        throw failure;
      })();
    });
    await assert.rejects(run, failure);
  });
  assert.equal(events[1].payload.error, "RangeError: too far");
  assert.deepEqual(ends, [{ status: "failed", error: { code: "RangeError", message: "too far" } }]);
});

test("one that was aborted is cancelled", async (t) => {
  const { ends } = await recorded(t, async (client) => {
    const run = client.session().run(() => Promise.reject(AbortSignal.abort().reason));
    await assert.rejects(run, { name: "AbortError" });
  });
  assert.deepEqual(ends, [{ status: "cancelled" }]);
});

test("a child names its parent", async (t) => {
  const { begins } = await recorded(t, (client) =>
    client.session({ agent: "outer" }).run((session) => session.child({ agent: "inner" }).run(() => {})),
  );
  assert.equal(begins[1].parent_session_id, begins[0].id);
});

test("what JSON has no form for becomes text, and what cannot be stored is replaced", async (t) => {
  const circle = { deep: [1n, () => 1, new Map([["a", new Set([1])]]), Number.NaN, 2 ** 70, new Error("no")] };
  circle.itself = circle;
  const { events } = await recorded(t, (client) =>
    client.session().run((session) => {
      session.event("x.y", { circle, text: "a\0b\ud800c😀", at: new Date(0), gone: undefined });
    }),
  );
  const [{ payload }] = events;
  assert.deepEqual(payload.circle.deep, ["1", "() => 1", { a: [1] }, null, "1.1805916207174113e+21", "Error: no"]);
  assert.deepEqual([payload.circle.itself, payload.text, payload.at], ["…", "a\uFFFDb\uFFFDc😀", "1970-01-01T00:00:00.000Z"]);
  assert.ok(!("gone" in payload));
});

test("what is longer than half a MiB is cut to its beginning, and says so", async (t) => {
  const { events } = await recorded(t, (client) =>
    client.session().run((session) => {
      session.event("x.y", { short: "here", long: "ä😀\n".repeat(300_000) });
    }),
  );
  const [{ payload }] = events;
  assert.ok(Buffer.byteLength(JSON.stringify(payload)) <= 512 * 1024);
  assert.ok(Buffer.byteLength(payload.long) > 300_000);
  assert.deepEqual([payload.short, payload.cut], ["here", ["long"]]);
  assert.ok(payload.long.startsWith("ä😀\nä😀\n"));
});

test("outside of its time a session records nothing, and nothing is thrown", async (t) => {
  const { server, client } = await recorded(t, async (client) => {
    const session = client.session();
    assert.equal(session.userMessage("early"), false);
    await session.run(() => {});
    session.toolCall("late").result(1);
    session.end("failed");
  });
  assert.deepEqual(server.asked.map(({ path }) => path.split("/").at(-1)), ["sessions", "end"]);
  assert.equal(client.background.stats.failed, 3);
});

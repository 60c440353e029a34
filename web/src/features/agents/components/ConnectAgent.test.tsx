import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { OtlpSource } from "@/api/types";
import { agent, otlpSource } from "@/testing/agents";
import { fakeServer } from "@/testing/fakeServer";
import { renderAgent } from "@/testing/renderAgent";
import { agentSession as session } from "@/testing/sessions";

const PAGE = "/settings/agents/connect";
const KEY_ID = "0190a000-0000-7000-8000-000000000003";
const MANAGE = ["keys.team.manage", "agents.team.manage"];

/** A server to which something may come. */
function serve() {
  const page = (data: unknown[]) => ({ body: { data, next_cursor: null } });
  const server = { sources: [otlpSource] as OtlpSource[], sessions: [session] as object[], usedAt: null as string | null };
  const calls = fakeServer({
    "GET /api/agents": page([agent]),
    "GET /api/keys": page([]),
    "GET /api/otlp/sources": () => page(server.sources),
    "GET /api/sessions": () => page(server.sessions),
    "POST /api/keys": ({ body }) => ({ status: 201, body: { ...(body as object), id: KEY_ID, prefix: "gl_ab", key: "gl_ab_secret" } }),
    [`GET /api/keys/${KEY_ID}`]: () => ({ body: { id: KEY_ID, last_used_at: server.usedAt } }),
  });
  return { server, sent: () => calls.filter(({ method }) => method === "POST").map(({ body }) => body) };
}

const lines = () => screen.findByRole("region", { name: "Lines to copy" });
const received = () => screen.getByRole("region", { name: "Received" });

test("one picks what one uses, and the lines have the address and, once there is one, a key that may only record", async () => {
  const { sent } = serve();
  const user = userEvent.setup();
  const { router } = await renderAgent(PAGE, MANAGE);
  expect((await lines()).textContent).toContain("OTEL_EXPORTER_OTLP_HEADERS=\"x-api-key=gl_…\"");
  await user.click(screen.getByRole("radio", { name: "pydantic-ai" }));
  expect(router.state.location.search).toEqual({ with: "pydantic-ai" });
  expect((await lines()).textContent).toContain("InstrumentationSettings");
  await user.click(screen.getByRole("button", { name: "New key" }));
  expect(await screen.findByText("Copy the lines now: the new key is in them")).toBeTruthy();
  expect((await lines()).textContent).toContain(`OTEL_EXPORTER_OTLP_ENDPOINT=${window.location.origin}`);
  expect((await lines()).textContent).toContain("x-api-key=gl_ab_secret");
  expect(sent()).toEqual([
    {
      name: "Connect: pydantic-ai",
      role: "contributor",
      scopes: ["sessions.team.create"],
      expires_at: expect.any(String),
    },
  ]);
  await user.click(screen.getByRole("radio", { name: "OpenInference" }));
  expect((await lines()).textContent, "one key serves all lines that send spans").toContain("gl_ab_secret");
  await user.click(screen.getByRole("radio", { name: "MCP client" }));
  expect((await lines()).textContent, "but none that may more").not.toContain("gl_ab_secret");
});

test("who may not save keys is told whom to ask and for what", async () => {
  const { sent } = serve();
  await renderAgent(`${PAGE}?with=http`, []);
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("the role Contributor and the scopes *.team.read and sessions.team.create");
  expect((await lines()).textContent).toContain("GOLDLOOP_KEY=gl_…");
  expect(screen.queryByRole("button", { name: "New key" })).toBeNull();
  expect(sent()).toEqual([]);
});

test("what comes in appears, and what was there before does not", async () => {
  const { server } = serve();
  const { queryClient } = await renderAgent(PAGE, MANAGE);
  await lines();
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  server.sessions = [{ ...session, source: "otlp", events: session.events + 1 }];
  await act(() => queryClient.invalidateQueries({ queryKey: ["sessions"] }));
  expect(received().textContent, "a session that ends is no span").toContain("Waiting for the first span…");
  server.sources = [{ ...otlpSource, spans: 121 }, { ...otlpSource, service: "new-bot", emitter: "pydantic-ai", spans: 3, missing: [] }];
  server.sessions = [{ ...session, id: KEY_ID, source: "otlp", first_message: "Hello" }, session];
  await act(() => queryClient.invalidateQueries({ queryKey: ["sessions"] }));
  expect(await screen.findByText("First span received")).toBeTruthy();
  expect(received().textContent).toContain("new-bot: 3 spans of pydantic-ai");
  expect(received().textContent).toContain("support-bot: 1 span of OpenTelemetry GenAI");
  expect(received().textContent).toContain("Without: What was said");
  const link = within(received()).getByRole("link", { name: "Hello" });
  expect(link.getAttribute("href")).toBe(`/sessions/${KEY_ID}`);
  expect(within(received()).getAllByRole("link", { name: /sessions|Hello/ })).toHaveLength(1);
});

test("sessions that are recorded appear beside the lines that record them, and no spans do", async () => {
  const { server } = serve();
  const { queryClient } = await renderAgent(`${PAGE}?with=python`, MANAGE);
  await lines();
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  server.sources = [{ ...otlpSource, spans: 121 }];
  await act(() => queryClient.invalidateQueries({ queryKey: ["sessions"] }));
  expect(received().textContent).toContain("Waiting for the first session…");
  server.sessions = [{ ...session, id: KEY_ID, source: "client", first_message: "Hello" }, session];
  await act(() => queryClient.invalidateQueries({ queryKey: ["sessions"] }));
  expect(await screen.findByText("First session received")).toBeTruthy();
});

test("the first call over MCP is seen by the use of the new key, which may be an agent's", async () => {
  const { server, sent } = serve();
  const user = userEvent.setup();
  const { queryClient } = await renderAgent(`${PAGE}?with=mcp`, MANAGE);
  await lines();
  expect(received().textContent).toContain("Once there is a new key on this page");
  await user.selectOptions(await screen.findByLabelText("Belongs to"), "Filing reader");
  await user.click(screen.getByRole("button", { name: "New key" }));
  await waitFor(() => expect(received().textContent).toContain("Waiting for the first call…"));
  expect(sent()[0]).toMatchObject({ role: "contributor", agent_id: agent.id });
  expect(sent()[0]).not.toHaveProperty("scopes");
  server.usedAt = new Date().toISOString();
  await act(() => queryClient.invalidateQueries({ queryKey: ["keys"] }));
  expect(await screen.findByText("First call received")).toBeTruthy();
});

test("sources say what they send, what is missing, and the setting to copy", async () => {
  serve();
  await renderAgent("/settings/agents/sources", []);
  const list = await screen.findByRole("list", { name: "Sources" });
  expect(within(list).getByRole("heading", { name: "support-bot" })).toBeTruthy();
  expect(list.textContent).toContain("With what was said0 of 40 requests");
  expect(list.textContent).toContain("With a session120 of 120");
  expect(list.textContent).toContain("OTEL_A=gen_ai\nOTEL_B=SPAN_ONLY");
  expect(within(list).getAllByRole("button").map((button) => button.getAttribute("aria-label"))).toEqual([
    "Copy setting for what was said",
  ]);
});

test("without sources one is led to connect an agent", async () => {
  const { server } = serve();
  server.sources = [];
  await renderAgent("/settings/agents/sources", []);
  expect(await screen.findByText("No spans yet")).toBeTruthy();
  const [link] = screen.getAllByRole("link", { name: "Connect an agent" });
  expect(link?.getAttribute("href")).toBe(PAGE);
});

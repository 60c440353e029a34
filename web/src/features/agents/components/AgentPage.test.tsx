import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { AgentVersion } from "@/api/types";
import { agent, listedAgent, tools, version } from "@/testing/agents";
import { type Call, fakeServer } from "@/testing/fakeServer";
import { ada } from "@/testing/records";
import { renderAgent } from "@/testing/renderAgent";

const PATH = `/api/agents/${agent.id}`;
const PAGE = `/settings/agents/${agent.id}`;
const MANAGE = ["agents.team.manage", "sessions.team.create"];

const first: AgentVersion = {
  ...version,
  version: 1,
  note: "First",
  changed: ["instructions"],
  config: { ...version.config, model: null, instructions: "Read the filing.\nBe long.\n" },
};
const second: AgentVersion = { ...first, version: 2, note: "", changed: [], restored_from: 1 };

type Routes = Parameters<typeof fakeServer>[0];

/** A server with three versions of an agent, or none. */
function serve(more: Routes = {}, kept: AgentVersion[] = [version, second, first]) {
  const page = (data: unknown[]) => ({ body: { data, next_cursor: null } });
  const server = { kept };
  const listVersions = ({ query }: Call) => page(query.get("limit") === "1" ? server.kept.slice(0, 1) : server.kept);
  const calls = fakeServer({
    [`GET ${PATH}`]: { body: agent },
    [`GET ${PATH}/versions`]: listVersions,
    [`GET ${PATH}/versions/1`]: { body: first },
    [`GET ${PATH}/versions/2`]: { body: second },
    [`GET ${PATH}/versions/3`]: { body: version },
    [`GET ${PATH}/secrets`]: { body: { data: [] } },
    "GET /api/agents/defaults": { body: { model: null } },
    "GET /api/tools": { body: { data: tools } },
    ...more,
  });
  return { server, calls, sent: (method: string) => calls.filter((call) => call.method === method).map(({ body }) => body) };
}

const instructions = () => screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Instructions" });
const save = (number: number) => screen.getByRole("button", { name: `Save version ${number}` });

test("a configuration is changed and saved on the version that was read", async () => {
  const saved = { ...version, version: 4 };
  const { sent } = serve({ [`PUT ${PATH}/config`]: { body: saved } });
  const user = userEvent.setup();
  await renderAgent(PAGE, MANAGE);
  fireEvent.change(await instructions(), { target: { value: "Be kind." } });
  await user.click(await screen.findByRole("checkbox", { name: /responses/ }));
  await user.type(screen.getByRole("textbox", { name: "Note" }), "Kinder");
  await user.click(save(4));
  expect(await screen.findByText("Version 4 of Filing reader was saved.")).toBeTruthy();
  expect(sent("PUT")).toEqual([
    {
      ...version.config,
      instructions: "Be kind.",
      tool_groups: ["entities-read", "responses"],
      note: "Kinder",
      version: 3,
    },
  ]);
});

test("what would be refused is said at its place, and what only the server knows too", async () => {
  const refusal = { code: "invalid_input", errors: [{ path: "/url", code: "host_not_allowed", message: "Not allowed" }] };
  const { sent } = serve({ [`PUT ${PATH}/config`]: { status: 422, body: refusal } });
  const user = userEvent.setup();
  await renderAgent(PAGE, MANAGE);
  await instructions();
  await user.click(screen.getByRole("radio", { name: /over HTTP/ }));
  await user.click(save(4));
  expect(await screen.findByText("Say where the agent is")).toBeTruthy();
  expect(sent("PUT")).toEqual([]);
  await user.type(screen.getByLabelText("Address"), "https://10.0.0.1/run");
  await user.click(save(4));
  expect(await screen.findByText("Not allowed")).toBeTruthy();
  expect(screen.getByLabelText("Address").getAttribute("aria-invalid")).toBe("true");
});

test("who saves late is told so, and mine goes on top of theirs", async () => {
  const theirs = { ...version, version: 4, config: { ...version.config, model: "openai:gpt-7" } };
  const { server, sent } = serve({
    [`PUT ${PATH}/config`]: ({ body }) =>
      (body as { version: number }).version === 4
        ? { body: { ...theirs, version: 5 } }
        : { status: 409, body: { code: "agent_config_changed", detail: "Changed", conflict: { version: 4 } } },
  });
  const user = userEvent.setup();
  await renderAgent(PAGE, MANAGE);
  fireEvent.change(await instructions(), { target: { value: "Mine" } });
  server.kept = [theirs, ...server.kept];
  await user.click(save(4));
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("You began at version 3; it is at version 4 now.");
  expect(alert.textContent).toContain("You changed other parts than they did");
  await user.click(within(alert).getByRole("button", { name: "Save mine on top" }));
  await screen.findByText("Version 5 of Filing reader was saved.");
  expect(sent("PUT").at(-1)).toMatchObject({ instructions: "Mine", model: "openai:gpt-7", version: 4 });
});

test("what was begun waits in the browser while one looks at another tab", async () => {
  serve();
  const user = userEvent.setup();
  await renderAgent(PAGE, MANAGE);
  fireEvent.change(await instructions(), { target: { value: "Begun" } });
  await user.click(screen.getByRole("link", { name: "Versions" }));
  await screen.findByRole("table", { name: "Versions" });
  await user.click(screen.getByRole("link", { name: /Configuration.*Draft/ }));
  expect((await instructions()).value).toBe("Begun");
  await user.click(screen.getByRole("button", { name: "Discard" }));
  expect((await instructions()).value).toBe(version.config.instructions);
  expect(screen.getByText("Everything is saved")).toBeTruthy();
});

test("an agent without a configuration runs elsewhere, until it is configured", async () => {
  const { sent } = serve({ [`PUT ${PATH}/config`]: { body: { ...version, version: 1 } } }, []);
  const user = userEvent.setup();
  await renderAgent(PAGE, MANAGE);
  expect(await screen.findByText("This agent runs elsewhere")).toBeTruthy();
  expect(screen.getByText(/"agent": "filing-reader"/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Try it" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Configure it to run here" }));
  fireEvent.change(await instructions(), { target: { value: "Read." } });
  await user.click(save(1));
  await waitFor(() => expect(sent("PUT")).toHaveLength(1));
  expect(sent("PUT")[0]).toMatchObject({ instructions: "Read.", version: 0 });
});

test("without a model anywhere the page says what to set, and does not run", async () => {
  serve({}, [first]);
  const user = userEvent.setup();
  await renderAgent(PAGE, MANAGE);
  expect((await screen.findByText("No model is configured")).closest("[role=alert]")?.textContent).toContain("GOLDLOOP_MODEL");
  await user.click(screen.getByRole("button", { name: "Try it" }));
  const dialog = await screen.findByRole("dialog");
  expect(within(dialog).getByRole<HTMLButtonElement>("button", { name: "Run" }).disabled).toBe(true);
});

test("a run is started with a message, and leads to its session", async () => {
  const { calls } = serve({ "POST /api/sessions": { status: 201, body: { id: "0190a000-0000-7000-8000-0000000000f1" } } });
  const user = userEvent.setup();
  const { router } = await renderAgent(PAGE, MANAGE);
  await user.click(await screen.findByRole("button", { name: "Try it" }));
  await user.type(await screen.findByLabelText("Message"), "Read Papaya");
  await user.click(screen.getByRole("button", { name: "Run" }));
  expect(await screen.findByText("A session")).toBeTruthy();
  expect(router.state.location.pathname).toBe("/sessions/0190a000-0000-7000-8000-0000000000f1");
  expect(calls.find(({ path, method }) => path === "/api/sessions" && method === "POST")?.body).toEqual({
    agent: "filing-reader",
    input: { message: "Read Papaya" },
  });
});

test("a secret is set without ever being shown, and says who set it", async () => {
  const kept: object[] = [];
  const { sent } = serve({
    [`GET ${PATH}/secrets`]: () => ({ body: { data: kept } }),
    [`PUT ${PATH}/secrets/model_key`]: () => {
      kept.push({ name: "model_key", updated_at: new Date().toISOString(), updated_by: ada });
      return { status: 204 };
    },
  });
  const user = userEvent.setup();
  await renderAgent(PAGE, MANAGE);
  await user.click(await screen.findByRole("button", { name: "Set model key" }));
  const input = await screen.findByLabelText<HTMLInputElement>("Secret");
  expect(input.type).toBe("password");
  await user.type(input, "sk-1");
  await user.click(screen.getByRole("button", { name: "Save secret" }));
  expect(await screen.findByRole("button", { name: "Replace model key" })).toBeTruthy();
  expect(screen.getByRole("region", { name: "Secrets" }).textContent).toContain("By Ada, just now");
  expect(sent("PUT")).toEqual([{ value: "sk-1" }]);
});

test("versions are compared line by line and key by key, and restored", async () => {
  const { calls } = serve({ [`POST ${PATH}/versions/1/restore`]: { status: 201, body: { ...first, version: 4 } } });
  const user = userEvent.setup();
  const { router } = await renderAgent(`${PAGE}?tab=versions&from=1`, MANAGE);
  const lines = await screen.findByRole("table", { name: "Instructions" });
  expect(within(lines).getAllByRole("row").map((row) => row.textContent)).toEqual([
    "11Read the filing.",
    "2−Removed: Be long.",
    "2+Added: Be brief.",
  ]);
  const keys = screen.getByRole("table", { name: "What changed" });
  expect(within(keys).getAllByRole("row").at(1)?.textContent).toBe("Model–openai:gpt-6");
  await user.click(screen.getByRole("button", { name: "What version 2 changed" }));
  expect(router.state.location.search).toMatchObject({ from: 1, to: 2 });
  expect(await screen.findByText("The two are the same.")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Restore version 3" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Restore version 1" }));
  await user.click(await screen.findByRole("button", { name: "Restore" }));
  expect(await screen.findByText("Version 1 was restored as version 4.")).toBeTruthy();
  expect(calls.some(({ path }) => path.endsWith("/versions/1/restore"))).toBe(true);
});

test("who may not manage agents reads, and changes nothing", async () => {
  serve();
  await renderAgent(PAGE, []);
  expect(await screen.findByText(/Be brief\./)).toBeTruthy();
  expect(screen.queryByRole("form")).toBeNull();
  expect(screen.queryByRole("region", { name: "Secrets" })).toBeNull();
  expect(screen.queryByRole("button", { name: /Try it|Actions/ })).toBeNull();
});

test("responses are counted by what became of them, and lead on", async () => {
  const asked: string[] = [];
  const count = ({ query }: Call) => {
    asked.push(`${query.get("submitted_by") === agent.id} ${query.get("status") ?? query.get("promotable")}`);
    return { body: { count: query.get("status") === "rejected" ? 10_000 : 2, more: query.get("status") === "rejected" } };
  };
  serve({
    "GET /api/responses/count": count,
    "GET /api/responses": { body: { data: [], next_cursor: null } },
  });
  await renderAgent(`${PAGE}?tab=responses`, MANAGE);
  const tiles = await screen.findByRole("list", { name: "What became of its responses" });
  await waitFor(() => expect(tiles.textContent).toContain("Rejected10,000+"));
  expect(tiles.textContent).toContain("Open2");
  expect(asked.sort()).toEqual(["true partially_promoted", "true promoted", "true rejected", "true superseded", "true true"]);
  expect(await screen.findByText("Nothing was proposed yet")).toBeTruthy();
});

test("a list says where agents run, and a system agent is not switched off", async () => {
  const rows = [
    { ...listedAgent, runs_with: { version: 3, runtime: "built_in", model: "openai:gpt-6" } },
    { ...listedAgent, id: "0190a000-0000-7000-8000-000000000022", slug: "system", name: "Sweeper", is_system: true },
  ];
  serve({ "GET /api/agents/overview": { body: { data: rows, next_cursor: null } } });
  const user = userEvent.setup();
  await renderAgent("/settings/agents", MANAGE);
  const table = await screen.findByRole("table", { name: "Agents" });
  const [, reader, sweeper] = within(table).getAllByRole("row");
  expect(reader?.textContent).toContain("Hereopenai:gpt-6");
  expect(sweeper?.textContent).toContain("SweeperSystem");
  expect(sweeper?.textContent).toContain("ElsewhereNever");
  await user.click(screen.getByRole("button", { name: "Actions for Sweeper" }));
  expect(await screen.findByRole("menuitem", { name: "Edit" })).toBeTruthy();
  expect(screen.queryByRole("menuitem", { name: "Deactivate" })).toBeNull();
});

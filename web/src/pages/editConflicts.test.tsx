/** What the editors of settings do when somebody else was faster. */
import { RouterProvider, createMemoryHistory, createRootRoute, createRoute, createRouter } from "@tanstack/react-router";
import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactNode } from "react";
import { expect, onTestFinished, test } from "vitest";
import type { CriteriaSet, EntityType, View } from "@/api/types";
import { CriteriaSetEditor } from "@/features/criteria/components/CriteriaSetEditor";
import { useCriteriaSet } from "@/features/criteria/hooks/useCriteriaSets";
import { FeaturedScoreSelect } from "@/features/criteria/components/FeaturedScoreSelect";
import { EntityTypeEditor, type TypeTab } from "@/features/entity_types/components/EntityTypeEditor";
import { useEntityType } from "@/features/entity_types/hooks/useEntityTypes";
import { ViewEditor } from "@/features/views/components/ViewEditor";
import { useView } from "@/features/views/hooks/useViews";
import { fakeServer } from "@/testing/fakeServer";
import { ada, company } from "@/testing/records";
import { renderSignedIn, workspace } from "@/testing/render";
import { CriteriaSetPage } from "./CriteriaSetPage";

const made = { created_at: "2026-01-01T00:00:00Z", updated_at: "2026-01-01T00:00:00Z", created_by: ada };
const set: CriteriaSet = {
  ...made,
  id: "0190a000-0000-7000-8000-0000000000c1",
  slug: "quality",
  name: "Quality",
  kind: "assessment",
  description: "",
  dimensions: [{ key: "care", label: "Care", type: "rating", scale: [1, 5], weight: 1, required: false }],
  entity_type_slugs: null,
  is_default: false,
  temporal_key: null,
  display_type: null,
  display_config: null,
  scope: null,
  version: 3,
  entity_type_version: null,
  archived_at: null,
};
const view: View = {
  ...made,
  id: "0190a000-0000-7000-8000-0000000000e1",
  slug: "desk",
  name: "Desk",
  entity_type: null,
  blocks: [{ type: "text", text: "Read this first.", title: null }],
  version: 3,
};
const nothing = () => undefined;

function SetPage() {
  const { data } = useCriteriaSet(set.id);
  return data ? <CriteriaSetEditor set={data} onSaved={nothing} /> : null;
}
function TypePage({ tab = "fields" }: { tab?: TypeTab }) {
  const { data } = useEntityType("company");
  const featuredScore = (chosen: string, onChoose: (id: string) => void) => (
    <FeaturedScoreSelect typeSlug="company" value={chosen} onChange={onChoose} />
  );
  return data ? (
    <EntityTypeEditor type={data} tab={tab} featuredScore={featuredScore} onTab={nothing} onSaved={nothing} />
  ) : null;
}
function TypeJsonPage() {
  return <TypePage tab="json" />;
}
function ViewPage() {
  const { data } = useView(view.id);
  return data ? <ViewEditor view={data} recordId={undefined} onRecord={nothing} onSaved={nothing} /> : null;
}

const type: EntityType = { ...company, version: 3 };
interface Editor {
  what: string;
  path: string;
  base: { name: string };
  theirs: object;
  Page: () => ReactNode;
}
const editors: Editor[] = [
  {
    what: "criteria set",
    path: `/api/criteria-sets/${set.id}`,
    base: set,
    theirs: { ...set, version: 4, description: "Theirs" },
    Page: SetPage,
  },
  {
    what: "entity type",
    path: "/api/entity-types/company",
    base: type,
    theirs: { ...type, version: 4, field_configs: { ...type.field_configs, revenue: { label: "Theirs" } } },
    Page: () => <TypePage />,
  },
  {
    what: "entity type",
    path: "/api/entity-types/company",
    base: type,
    theirs: { ...type, version: 4, field_configs: { ...type.field_configs, revenue: { label: "Theirs" } } },
    Page: TypeJsonPage,
  },
  {
    what: "view",
    path: `/api/views/${view.id}`,
    base: view,
    theirs: { ...view, version: 4, blocks: [{ type: "text", text: "Theirs" }] },
    Page: ViewPage,
  },
];

/** One address for all; a page of the app finds its own route in it. */
function routerOf(Page: () => ReactNode) {
  const root = createRootRoute();
  const shell = createRoute({ getParentRoute: () => root, id: "shell" });
  const page = createRoute({ getParentRoute: () => shell, path: "build/criteria-sets/$id", component: Page });
  return createRouter({
    routeTree: root.addChildren([shell.addChildren([page])]),
    history: createMemoryHistory({ initialEntries: [`/build/criteria-sets/${set.id}`] }),
  });
}

/** Opens the page of a thing that others change on the server. */
async function open({ path, base, theirs, Page }: Editor) {
  const server = { stored: base as object, answer: Promise.resolve() };
  const none = { body: { data: [], next_cursor: null } };
  const calls = fakeServer({
    "GET /api/entity-types": none,
    "GET /api/criteria-sets": none,
    "GET /api/entities": none,
    [`GET ${path}`]: () => ({ body: server.stored }),
    [`PATCH ${path}`]: async ({ body }) => {
      const { version, ...changes } = body as { version: number };
      const actual = (server.stored as { version: number }).version;
      if (version === actual) {
        const saved = { ...server.stored, ...changes, version: actual + 1 };
        server.stored = saved;
        await server.answer;
        return { body: saved };
      }
      const conflict = { expected_version: version, actual_version: actual };
      return { status: 409, body: { code: "version_conflict", detail: `It is at version ${actual}`, conflict } };
    },
  });
  const { queryClient } = renderSignedIn(<RouterProvider router={routerOf(Page) as never} />);
  queryClient.setQueryData(["workspace", "engines"], { ...workspace, permissions: ["*"] });
  await screen.findByLabelText(/^Name/);
  /** As a live event has it. */
  const reread = () => act(() => queryClient.invalidateQueries());
  const theySave = () => {
    server.stored = theirs;
  };
  return { user: userEvent.setup(), calls, server, theySave, reread };
}

const nameInput = () => screen.getByLabelText<HTMLInputElement>(/^Name/);

function typeName(text: string) {
  fireEvent.change(nameInput(), { target: { value: text } });
}

/** Somebody else saves while a name is typed; then it is saved here. */
async function saveLate(editor: Editor) {
  const { user, calls, theySave } = await open(editor);
  typeName("Mine");
  theySave();
  await user.click(screen.getByRole("button", { name: /^Save/ }));
  await screen.findByRole("alert");
  return { user, calls };
}

const sent = (calls: ReturnType<typeof fakeServer>) =>
  calls.filter(({ method }) => method === "PATCH").map(({ body }) => body);

test.each(editors)("who saves a $what late is told so, and mine goes on top of theirs", async (editor) => {
  const { user, calls } = await saveLate(editor);
  const said = screen.getByRole("alert").textContent;
  expect(said).toContain(`The ${editor.what} changed while you edited it`);
  expect(said).toContain("You began at version 3; it is at version 4 now. Nothing of yours was saved yet.");
  expect(said).toContain("You changed other parts than they did: saved on top, both changes stand.");
  expect(nameInput().value).toBe("Mine");
  expect(screen.getByText("1 thing to put right above")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Save mine on top" }));
  await waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
  expect(sent(calls)).toEqual([
    { version: 3, name: "Mine" },
    { version: 4, name: "Mine" },
  ]);
  expect(nameInput().value).toBe("Mine");
});

test.each(editors)("or mine is dropped, and the $what is shown as they saved it", async (editor) => {
  const { user, calls } = await saveLate(editor);
  await user.click(screen.getByRole("button", { name: "Discard mine and reload" }));
  await waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
  expect(nameInput().value).toBe(editor.base.name);
  expect(sent(calls)).toHaveLength(1);
});

test.each(editors)("what is saved of the $what here never passes for somebody else's change", async (editor) => {
  const { user, server, reread } = await open(editor);
  let answer: () => void = () => {};
  server.answer = new Promise((resolve) => (answer = resolve));
  const alerts: string[] = [];
  const watch = new MutationObserver(() =>
    alerts.push(...[...document.querySelectorAll("[role=alert]")].map(({ textContent }) => textContent ?? "")),
  );
  onTestFinished(() => watch.disconnect());
  watch.observe(document.body, { childList: true, subtree: true });
  typeName("Mine");
  await user.click(screen.getByRole("button", { name: /^Save/ }));
  await waitFor(() => expect(server.stored).toMatchObject({ name: "Mine", version: 4 }));
  await reread();
  answer();
  await screen.findByText("Everything is saved");
  await reread();
  expect([alerts, nameInput().value]).toEqual([[], "Mine"]);
});

const schemaInput = () => screen.getByLabelText<HTMLTextAreaElement>("JSON Schema");
const jsonEditor = (theirs: object): Editor => ({
  what: "entity type",
  path: "/api/entity-types/company",
  base: type,
  theirs,
  Page: TypeJsonPage,
});
const added = {
  ...type,
  version: 4,
  json_schema: { ...type.json_schema, properties: { ...(type.json_schema.properties as object), theirs: { type: "string" } } },
};

test("the JSON of a type is read again when somebody else saved it and nothing was changed here", async () => {
  const { user, calls, theySave, reread } = await open(jsonEditor(added));
  theySave();
  await reread();
  await waitFor(() => expect(schemaInput().value).toContain('"theirs"'));
  fireEvent.change(schemaInput(), { target: { value: schemaInput().value.replace("Legal name", "Name") } });
  await user.click(screen.getByRole("button", { name: /^Save/ }));
  await screen.findByText("Everything is saved");
  expect(JSON.stringify(sent(calls))).toContain('"theirs"');
});

test("half of a JSON is something typed: it stays, and who typed it is told what changed", async () => {
  const { user, calls, theySave, reread } = await open(jsonEditor(added));
  const half = schemaInput().value.replace(/\}$/, "");
  fireEvent.change(schemaInput(), { target: { value: half } });
  theySave();
  await reread();
  expect((await screen.findByRole("alert")).textContent).toContain("You began at version 3; it is at version 4 now.");
  expect(screen.getByRole("alert").textContent).toContain("Both of you changed Fields:");
  expect(schemaInput().value).toBe(half);
  fireEvent.change(schemaInput(), { target: { value: `${half.replace("Legal name", "Name")}}` } });
  await user.click(screen.getByRole("button", { name: "Save changes" }));
  await waitFor(() => expect(sent(calls)).toEqual([expect.objectContaining({ version: 3 })]));
  expect(screen.getByRole("button", { name: "Save mine on top" })).toBeTruthy();
});

const archived: CriteriaSet = { ...set, version: 4, archived_at: "2026-02-01T00:00:00Z" };
const setPage: Editor = {
  what: "criteria set",
  path: `/api/criteria-sets/${set.id}`,
  base: set,
  theirs: archived,
  Page: CriteriaSetPage,
};

test("what is typed of a criteria set stays when somebody archives it, and can be saved on top", async () => {
  const { user, calls, theySave, reread } = await open(setPage);
  typeName("Mine");
  theySave();
  await reread();
  const alert = await screen.findByText(/archived meanwhile/);
  expect([alert.textContent, nameInput().value]).toEqual([expect.stringContaining("You began at version 3"), "Mine"]);
  await user.click(screen.getByRole("button", { name: "Save mine on top" }));
  await waitFor(() => expect(screen.queryByLabelText(/^Name/)).toBeNull());
  expect(sent(calls)).toEqual([{ version: 4, name: "Mine" }]);
});

test("a criteria set that nothing is typed into is only shown once somebody archives it", async () => {
  const { theySave, reread } = await open(setPage);
  theySave();
  await reread();
  await waitFor(() => expect(screen.queryByLabelText(/^Name/)).toBeNull());
  expect(screen.getByText(/This set is archived/)).toBeTruthy();
});

const [care] = set.dimensions as [CriteriaSet["dimensions"][number]];
const [criteriaSet, entityType, , deskView] = editors as [Editor, Editor, Editor, Editor];
const clashes: [string, string, Editor, RegExp, object][] = [
  ["Dimensions", "Care", criteriaSet, /^Label/, { ...set, version: 4, dimensions: [care, { ...care, key: "wit" }] }],
  ["Fields", "Legal name", entityType, /^Label/, added],
  ["Blocks", "Text", deskView, /^Title/, deskView.theirs],
];

test.each(clashes)("where both changed %s, saving on top says that it replaces them", async (part, item, editor, input, theirs) => {
  const { user, theySave, reread } = await open({ ...editor, theirs: { ...theirs, name: "Theirs" } });
  const [card] = screen.getAllByRole("button", { name: new RegExp(`^${item}`) }) as [HTMLElement];
  await user.click(card);
  fireEvent.change(await screen.findByLabelText(input), { target: { value: "Mine" } });
  theySave();
  await reread();
  expect((await screen.findByRole("alert")).textContent).toContain(
    `Both of you changed ${part}: saving yours on top replaces the whole of it, with all that they did there.`,
  );
});

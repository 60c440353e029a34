/** What the three editors of settings do when somebody else was faster. */
import { RouterProvider, createMemoryHistory, createRootRoute, createRouter } from "@tanstack/react-router";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactNode } from "react";
import { expect, test } from "vitest";
import type { CriteriaSet, EntityType, View } from "@/api/types";
import { CriteriaSetEditor } from "@/features/criteria/components/CriteriaSetEditor";
import { useCriteriaSet } from "@/features/criteria/hooks/useCriteriaSets";
import { EntityTypeEditor } from "@/features/entity_types/components/EntityTypeEditor";
import { useEntityType } from "@/features/entity_types/hooks/useEntityTypes";
import { ViewEditor } from "@/features/views/components/ViewEditor";
import { useView } from "@/features/views/hooks/useViews";
import { fakeServer } from "@/testing/fakeServer";
import { ada, company } from "@/testing/records";
import { renderSignedIn } from "@/testing/render";

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
function TypePage() {
  const { data } = useEntityType("company");
  return data ? <EntityTypeEditor type={data} tab="fields" onTab={nothing} onSaved={nothing} /> : null;
}
function ViewPage() {
  const { data } = useView(view.id);
  return data ? <ViewEditor view={data} recordId={undefined} onRecord={nothing} onSaved={nothing} /> : null;
}

const type: EntityType = { ...company, version: 3 };
const editors: { what: string; path: string; base: { name: string }; theirs: object; Page: () => ReactNode }[] = [
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
    Page: TypePage,
  },
  {
    what: "view",
    path: `/api/views/${view.id}`,
    base: view,
    theirs: { ...view, version: 4, blocks: [{ type: "text", text: "Theirs" }] },
    Page: ViewPage,
  },
];

/** Somebody else saves while a name is typed; then it is saved here. */
async function saveLate({ path, base, theirs, Page }: (typeof editors)[number]) {
  let stored: object = base;
  const none = { body: { data: [], next_cursor: null } };
  const calls = fakeServer({
    "GET /api/entity-types": none,
    "GET /api/criteria-sets": none,
    "GET /api/entities": none,
    [`GET ${path}`]: () => ({ body: stored }),
    [`PATCH ${path}`]: ({ body }) => {
      const { version, ...changes } = body as { version: number };
      if (version === 4) {
        stored = { ...theirs, ...changes, version: 5 };
        return { body: stored };
      }
      const conflict = { expected_version: version, actual_version: 4 };
      return { status: 409, body: { code: "version_conflict", detail: `It is at version 4, not ${version}`, conflict } };
    },
  });
  const router = createRouter({ routeTree: createRootRoute({ component: Page }), history: createMemoryHistory() });
  renderSignedIn(<RouterProvider router={router as never} />);
  const user = userEvent.setup();
  const name = await screen.findByLabelText<HTMLInputElement>(/^Name/);
  await user.clear(name);
  await user.type(name, "Mine");
  stored = theirs;
  await user.click(screen.getByRole("button", { name: /^Save/ }));
  await screen.findByRole("alert");
  return { user, name: () => screen.getByLabelText<HTMLInputElement>(/^Name/), calls, path, base };
}

const sent = (calls: ReturnType<typeof fakeServer>) =>
  calls.filter(({ method }) => method === "PATCH").map(({ body }) => body);

test.each(editors)("who saves a $what late is told so, and mine goes on top of theirs", async (editor) => {
  const { user, name, calls } = await saveLate(editor);
  const said = screen.getByRole("alert").textContent;
  expect(said).toContain(`The ${editor.what} changed while you edited it`);
  expect(said).toContain("You began at version 3; it is at version 4 now. Nothing of yours was saved yet.");
  expect(name().value).toBe("Mine");
  expect(screen.getByText("1 thing to put right above")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Save mine on top" }));
  await waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
  expect(sent(calls)).toEqual([
    { version: 3, name: "Mine" },
    { version: 4, name: "Mine" },
  ]);
  expect(name().value).toBe("Mine");
});

test.each(editors)("or mine is dropped, and the $what is shown as they saved it", async (editor) => {
  const { user, name, calls, base } = await saveLate(editor);
  await user.click(screen.getByRole("button", { name: "Discard mine and reload" }));
  await waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
  expect(name().value).toBe(base.name);
  expect(sent(calls)).toHaveLength(1);
});

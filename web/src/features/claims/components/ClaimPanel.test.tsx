import { act, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import type { Entity, FieldChange } from "@/api/types";
import { RecordBody } from "@/pages/RecordBody";
import { claim, claimType, counted, evidenceQuality, settings, source, sourceType, unrated } from "@/testing/claims";
import { fakeServer } from "@/testing/fakeServer";
import { renderAt } from "@/testing/renderAt";

const at = `/api/entities/${claim.id}`;
const page = (...data: unknown[]) => ({ body: { data, next_cursor: null } });

function serve(entity: Entity, sources: { status?: number; body?: unknown }, provenance: FieldChange[] = [counted]) {
  return fakeServer({
    "GET /api/claims/settings": { body: settings },
    "GET /api/views": page(),
    "GET /api/entity-types": page(claimType, sourceType),
    "GET /api/entity-types/source-item": { body: sourceType },
    "GET /api/criteria-sets": page(evidenceQuality),
    [`GET ${at}`]: { body: entity },
    [`GET ${at}/fields`]: { body: { data: provenance } },
    [`GET ${at}/responses`]: page(),
    [`GET ${at}/sources`]: sources,
    [`GET ${at}/claims`]: page({
      id: claim.id,
      type: "claim",
      title: claim.title,
      source_count: 2,
      source_quality_avg: 7,
    }),
    [`GET ${at}/relations`]: page(),
  });
}

async function open(
  content: Record<string, unknown>,
  sources: { status?: number; body?: unknown },
  provenance?: FieldChange[],
) {
  const entity = { ...claim, content };
  const calls = serve(entity, sources, provenance);
  await renderAt(`/records/${claim.id}`, <RecordBody entity={entity} entityType={claimType} />, []);
  const panel = await screen.findByRole("region", { name: "What this rests on" });
  return { calls, panel: within(panel), user: userEvent.setup() };
}

test("a claim shows its numbers, when they were counted, and the sources that they come from", async () => {
  const { panel } = await open(claim.content, page(source, unrated));
  expect(await panel.findByText("1 of 2 rated")).toBeTruthy();
  expect(panel.getByText(/^Counted/)).toBeTruthy();
  expect(panel.getByText(/mean of the sources’ means/).textContent).toContain("Evidence quality");
  const [first, second] = within(await panel.findByRole("list", { name: "Sources" })).getAllByRole("listitem", {
    name: "",
  });
  expect(first?.textContent).toContain("A study");
  const link = panel.getByRole("link", { name: "The response that counts for A study" });
  expect(link.getAttribute("href")).toContain(`/records/${source.id}`);
  expect(link.getAttribute("href")).toContain(String(source.response_id));
  expect(panel.getByText("Rigor").textContent).toBe("Rigor 8");
  expect(panel.getByText("Comment: No control group.")).toBeTruthy();
  expect(second).toBeTruthy();
  expect(panel.getByRole("link", { name: "An article" }).getAttribute("href")).toContain(unrated.id);
  expect(panel.getByText("Not rated")).toBeTruthy();
  expect(screen.queryByRole("region", { name: "Referenced by" })).toBeNull();
});

test("numbers that are older than the sources say so", async () => {
  const { panel } = await open(claim.content, page(source, { ...unrated, quality: 3, response_id: source.response_id }));
  expect(await panel.findByText("The sources have changed: counted anew within seconds")).toBeTruthy();
  expect(panel.getByText("(7 + 3) ÷ 2 = 5")).toBeTruthy();
});

const refusal = { path: "/content/source_quality_avg", code: "type", message: "None is not of type 'number'" };
const refusing = (...data: unknown[]) => ({ body: { data, next_cursor: null, refused: refusal } });

test("numbers that the type refuses are not promised, and say why and where to look", async () => {
  const { panel } = await open({}, refusing(unrated), []);
  const said = await panel.findByText(/^Could not be counted: the type of this record refuses source_quality_avg/);
  expect(said.textContent).toContain("(None is not of type 'number')");
  expect(within(said).getByRole("link", { name: "Settings, Jobs" }).getAttribute("href")).toBe("/settings/jobs");
  expect(panel.queryByText(/within seconds/)).toBeNull();
});

test("typed numbers that the type keeps from being counted say so too", async () => {
  const { panel } = await open({ source_count: 1, source_quality_avg: 9 }, refusing(unrated), [edited]);
  const said = await panel.findByText(/^Average quality: written by hand.*Could not be counted/);
  expect(said.textContent).not.toContain("within seconds");
});

test("a refusal that is of no consequence is not said", async () => {
  const { panel } = await open(claim.content, refusing(source, unrated));
  expect(await panel.findByText(/^Counted/)).toBeTruthy();
  expect(panel.queryByText(/Could not be counted/)).toBeNull();
});

test("what should be counted by now is not promised within seconds for ever", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  try {
    const { panel } = await open(claim.content, page(source));
    expect(await panel.findByText(/counted anew within seconds/)).toBeTruthy();
    await act(() => vi.advanceTimersByTimeAsync(31_000));
    const said = panel.getByText(/are still not counted/);
    expect(within(said).getByRole("link", { name: "Settings, Jobs" })).toBeTruthy();
    expect(panel.queryByText(/within seconds/)).toBeNull();
  } finally {
    vi.useRealTimers();
  }
});

const edited = { ...counted, kind: "edit" as const };
const editedCount = { ...edited, field: "source_count" };

test.each([
  [[source, unrated], { source_count: 2, source_quality_avg: 9 }, [edited], /^Average quality: .*Counted anew within seconds/],
  [[source, unrated], { source_count: 2, source_quality_avg: 7 }, [counted, editedCount], /^Sources: .*The sources say the same/],
  [[], { source_count: 7, source_quality_avg: 2 }, [edited, editedCount], /^Sources and Average quality: .*No source supports this record/],
  [[], { source_count: 7 }, [{ ...editedCount, kind: "promotion" as const }], /^Sources: .*No source supports this record/],
])("numbers that Goldloop did not count say so (%#)", async (sources, content, provenance, said) => {
  const { panel } = await open(content, page(...sources), provenance);
  const status = await panel.findByText(said);
  expect(status.textContent).toContain("not counted by Goldloop");
  expect(panel.queryByText(/^Counted/)).toBeNull();
  expect(panel.queryByText(/The sources have changed/)).toBeNull();
});

test("sources of which none is rated have no average", async () => {
  const { panel } = await open({ source_count: 1, source_quality_avg: null }, page(unrated));
  expect(await panel.findByText("None of them is rated yet")).toBeTruthy();
  expect(await panel.findByText("0 of 1 rated")).toBeTruthy();
});

test("without sources the page says how to add one", async () => {
  const { panel } = await open({}, page());
  expect(await panel.findByText(/No source supports this claim yet.*Source.*“Supports”/)).toBeTruthy();
});

test("sources that cannot be loaded can be asked for again", async () => {
  const { panel, user, calls } = await open(claim.content, { status: 500, body: { code: "internal", status: 500 } });
  await user.click(await panel.findByRole("button", { name: "Try again" }));
  expect(calls.filter(({ path }) => path.endsWith("/sources")).length).toBeGreaterThan(1);
});

test("more sources are loaded when asked for", async () => {
  const { panel, user, calls } = await open(claim.content, { body: { data: [source], next_cursor: "more" } });
  await user.click(await panel.findByRole("button", { name: "Load more" }));
  expect(calls.findLast(({ path }) => path.endsWith("/sources"))?.query.get("cursor")).toBe("more");
  expect(panel.queryByText(/rated$/)).toBeNull();
});

test("a source shows the claims that rest on it", async () => {
  const entity = { ...claim, type: "source-item", title: "A study", content: {} };
  serve(entity, page());
  await renderAt(`/records/${claim.id}`, <RecordBody entity={entity} entityType={sourceType} />, []);
  const panel = within(await screen.findByRole("region", { name: "Claims that rest on this" }));
  expect(await panel.findByRole("link", { name: claim.title })).toBeTruthy();
  expect(panel.getByText("2 sources")).toBeTruthy();
  expect(screen.queryByRole("region", { name: "What this rests on" })).toBeNull();
});

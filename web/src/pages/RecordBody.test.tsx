import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { fakeServer } from "@/testing/fakeServer";
import { company, northwind } from "@/testing/records";
import { renderAt } from "@/testing/renderAt";
import { RecordBody } from "./RecordBody";

const view = (slug: string, name: string) => ({
  id: `0190a000-0000-7000-8000-0000000000${slug.length}0`,
  slug,
  name,
  entity_type: "company",
  blocks: [{ type: "text", title: null, text: `This is ${name}` }],
});

async function open(search: string, views: unknown[]) {
  fakeServer({
    "GET /api/views": { body: { data: views, next_cursor: null } },
    [`GET /api/entities/${northwind.id}/fields`]: { body: { data: [] } },
    [`GET /api/entities/${northwind.id}/responses`]: { body: { data: [], next_cursor: null } },
    [`GET /api/entities/${northwind.id}/relations`]: { body: { data: [], next_cursor: null } },
  });
  const body = <RecordBody entity={northwind} entityType={company} />;
  const { router } = await renderAt(`/records/${northwind.id}${search}`, body, []);
  return { router, user: userEvent.setup() };
}

const few = [view("brief", "Brief"), view("risks", "Risks")];

test("the first view is shown, the others and all fields are one step away, and the choice is in the address", async () => {
  const { router, user } = await open("", few);
  expect(await screen.findByText("This is Brief")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Brief" }).getAttribute("aria-current")).toBe("true");
  await user.click(screen.getByRole("link", { name: "Risks" }));
  expect(await screen.findByText("This is Risks")).toBeTruthy();
  expect(router.state.location.search).toEqual({ view: "risks" });
  await user.click(screen.getByRole("link", { name: "All fields" }));
  expect(await screen.findByText("Northwind Inc.")).toBeTruthy();
  expect(screen.queryByText(/^This is/)).toBeNull();
});

test("an address with a view that is not there shows the first", async () => {
  await open("?view=gone", few);
  expect(await screen.findByText("This is Brief")).toBeTruthy();
});

test("many views are chosen from a list", async () => {
  const many = Array.from({ length: 8 }, (_, place) => view(`v${"x".repeat(place)}`, `View ${place}`));
  const { router, user } = await open("", many);
  await user.selectOptions(await screen.findByLabelText("View"), "View 3");
  expect(await screen.findByText("This is View 3")).toBeTruthy();
  expect(router.state.location.search).toEqual({ view: "vxxx" });
});

test("without views there is nothing to switch", async () => {
  await open("", []);
  expect(await screen.findByText("Northwind Inc.")).toBeTruthy();
  expect(screen.queryByRole("navigation", { name: "Views" })).toBeNull();
});

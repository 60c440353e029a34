import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, test } from "vitest";
import { renderSignedIn } from "@/testing/render";
import { type Column, DataTable } from "./DataTable";
import type { Sort } from "./sort";

const columns: Column<{ name: string; size: number }>[] = [
  { key: "name", header: "Name", cell: (row) => row.name, sortValue: (row) => row.name },
  { key: "size", header: "Size", cell: (row) => row.size, sortValue: (row) => row.size },
  { key: "note", header: "Note", cell: () => "–" },
];
const rows = [
  { name: "b", size: 1 },
  { name: "a", size: 2 },
];

function Example() {
  const [sort, setSort] = useState<Sort>({ key: "name", dir: "asc" });
  return <DataTable label="Things" columns={columns} rows={rows} rowKey={(row) => row.name} sort={sort} onSort={setSort} />;
}

function firstCells(): (string | null | undefined)[] {
  return within(screen.getByRole("table", { name: "Things" }))
    .getAllByRole("row")
    .slice(1)
    .map((row) => within(row).getAllByRole("cell")[0]?.textContent);
}

test("the sorted column says so and only sortable ones are buttons", () => {
  renderSignedIn(<Example />);
  expect(screen.getByRole("columnheader", { name: "Name" }).getAttribute("aria-sort")).toBe("ascending");
  expect(screen.getByRole("columnheader", { name: "Size" }).getAttribute("aria-sort")).toBe("none");
  expect(screen.getByRole("columnheader", { name: "Note" }).getAttribute("aria-sort")).toBeNull();
  expect(screen.queryByRole("button", { name: "Note" })).toBeNull();
});

test("the keyboard sorts, and a second press turns the order round", async () => {
  const user = userEvent.setup();
  renderSignedIn(<Example />);
  expect(firstCells()).toEqual(["a", "b"]);
  screen.getByRole("button", { name: "Size" }).focus();
  await user.keyboard("{Enter}");
  expect(firstCells()).toEqual(["b", "a"]);
  await user.keyboard("{Enter}");
  expect(firstCells()).toEqual(["a", "b"]);
  expect(screen.getByRole("columnheader", { name: "Size" }).getAttribute("aria-sort")).toBe("descending");
});

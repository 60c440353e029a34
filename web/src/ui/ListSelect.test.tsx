import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, test, vi } from "vitest";
import { usePagedList } from "@/api/usePagedList";
import { renderSignedIn } from "@/testing/render";
import { ListSelect } from "./ListSelect";

interface Row {
  slug: string;
  name: string;
}

const rows = (from: number, count: number): Row[] =>
  Array.from({ length: count }, (_, place) => ({ slug: `s${from + place}`, name: `Name ${from + place}` }));

function draw(pages: (Row[] | Error)[], start = "", none?: string) {
  const asked: string[] = [];
  const chosen = vi.fn();
  function Holder() {
    const [value, setValue] = useState(start);
    const list = usePagedList<Row>(["rows"], async ({ cursor = "0" }) => {
      asked.push(cursor);
      const page = pages[Number(cursor)] ?? [];
      if (page instanceof Error) throw page;
      return { data: page, next_cursor: Number(cursor) + 1 < pages.length ? String(Number(cursor) + 1) : null };
    });
    return (
      <ListSelect
        label="Thing"
        list={list}
        option={({ slug, name }) => ({ value: slug, label: name })}
        none={none}
        value={value}
        onChange={(next) => {
          chosen(next);
          setValue(next);
        }}
      />
    );
  }
  renderSignedIn(<Holder />);
  return { asked, chosen, user: userEvent.setup() };
}

const input = () => screen.getByRole<HTMLInputElement>("combobox", { name: "Thing" });

test("a short list is a plain select", async () => {
  const { chosen, user } = draw([rows(0, 3)], "", "All things");
  await screen.findByRole("option", { name: "Name 2" });
  expect(screen.getAllByRole("option").map(({ textContent }) => textContent)).toEqual([
    "All things",
    "Name 0",
    "Name 1",
    "Name 2",
  ]);
  await user.selectOptions(input(), "Name 1");
  await user.selectOptions(input(), "All things");
  expect(chosen.mock.calls).toEqual([["s1"], [""]]);
});

test("a long list asks for the rest when it is opened, and can be searched to its end", async () => {
  const { asked, chosen, user } = draw([rows(0, 100), rows(100, 100), rows(200, 5)]);
  await waitFor(() => expect(asked).toEqual(["0"]));
  await user.click(await screen.findByPlaceholderText("Choose…"));
  await waitFor(() => expect(asked).toEqual(["0", "1", "2"]));
  await user.type(input(), "Name 203");
  await user.click(await screen.findByRole("option", { name: "Name 203", hidden: true }));
  expect(chosen).toHaveBeenCalledWith("s203");
});

test("a choice from a later page has its name without being opened", async () => {
  draw([rows(0, 100), rows(100, 100)], "s150");
  await waitFor(() => expect(input().value).toBe("Name 150"));
});

test("what is no longer there stays a choice", async () => {
  draw([rows(0, 2)], "gone");
  await waitFor(() => expect(screen.getAllByRole("option")).toHaveLength(3));
  expect(input().value).toBe("gone");
});

test("a page that fails is said, and can be tried again", async () => {
  const pages: (Row[] | Error)[] = [rows(0, 100), new Error("no")];
  const { asked, user } = draw(pages);
  await user.click(await screen.findByPlaceholderText("Choose…"));
  await user.keyboard("{Escape}");
  const again = await screen.findByRole("button", { name: "Try again" });
  pages[1] = rows(100, 1);
  await user.click(again);
  await waitFor(() => expect(asked).toEqual(["0", "1", "1"]));
  await waitFor(() => expect(screen.queryByRole("button", { name: "Try again" })).toBeNull());
});

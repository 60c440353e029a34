import { MantineProvider } from "@mantine/core";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, test } from "vitest";
import { OrderedCards } from "./OrderedCards";
import { moved } from "./move";
import { useOpenCards } from "./useOpenCards";

function Cards() {
  const [items, setItems] = useState(["Ada", "Ben", "Cleo"].map((name) => ({ id: name, name })));
  const cards = useOpenCards(items);
  return (
    <>
      <OrderedCards
        label="People"
        items={items}
        name={({ name }) => name}
        opened={cards.opened}
        onToggle={cards.toggle}
        onMove={(id, delta) => setItems(moved(items, items.findIndex((item) => item.id === id), delta))}
        onRemove={(id) => setItems(items.filter((item) => item.id !== id))}
      >
        {({ name }) => <input aria-label={`About ${name}`} />}
      </OrderedCards>
      <button type="button" onClick={() => setItems([...items, { id: "Dan", name: "Dan" }])}>
        Add
      </button>
    </>
  );
}

function draw() {
  render(
    <MantineProvider env="test">
      <Cards />
    </MantineProvider>,
  );
  return userEvent.setup();
}

const order = () => screen.getAllByRole("listitem").map((item) => item.querySelector("[data-toggle]")?.textContent);

test("Alt and an arrow move a card, which keeps the focus and says where it is", async () => {
  const user = draw();
  screen.getByRole("button", { name: "Cleo" }).focus();
  await user.keyboard("{Alt>}{ArrowUp}{/Alt}");
  expect(order()).toEqual(["Ada", "Cleo", "Ben"]);
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Cleo" }));
  expect(screen.getByRole("status").textContent).toBe("Cleo is now 2 of 3");
});

test("the ends do not move further", async () => {
  const user = draw();
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Move Ada up" }).disabled).toBe(true);
  screen.getByRole("button", { name: "Ada" }).focus();
  await user.keyboard("{Alt>}{ArrowUp}{/Alt}");
  expect(order()).toEqual(["Ada", "Ben", "Cleo"]);
});

test("after a removal the neighbour has the focus", async () => {
  const user = draw();
  await user.click(screen.getByRole("button", { name: "Remove Ben" }));
  expect(order()).toEqual(["Ada", "Cleo"]);
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Cleo" }));
});

test("a card opens and closes; one that is added is open", async () => {
  const user = draw();
  await user.click(screen.getByRole("button", { name: "Ada" }));
  expect(screen.getByLabelText("About Ada")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Ada" }));
  expect(screen.queryByLabelText("About Ada")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Add" }));
  expect(await screen.findByLabelText("About Dan")).toBeTruthy();
});

test.each([
  [0, 1, ["b", "a", "c"]],
  [2, -1, ["a", "c", "b"]],
  [2, 1, ["a", "b", "c"]],
  [0, -1, ["a", "b", "c"]],
  [9, 1, ["a", "b", "c"]],
])("place %i by %i", (from, delta, expected) => {
  expect(moved(["a", "b", "c"], from, delta)).toEqual(expected);
});

import { act, render, screen } from "@testing-library/react";
import { type ReactNode, useState } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { type Position } from "./listKeys";
import { stopName, useListKeys } from "./useListKeys";

const ACTS = { p: "promote" } as const;
const onAct = vi.fn<(act: string, at: Position) => void>();
afterEach(() => {
  onAct.mockClear();
  localStorage.clear();
});

/** A list of what it is given, and something beside it. */
function List({ ids, mayWorkAnywhere = true, children }: { ids: string[]; mayWorkAnywhere?: boolean; children?: ReactNode }) {
  const stops = ids.map((id) => ({ id, keys: [] }));
  const keys = useListKeys<HTMLUListElement, "promote">({ stops, acts: ACTS, mayWorkAnywhere, onAct });
  return (
    <>
      <ul ref={keys.list}>
        {ids.map((id) => (
          <li
            key={id}
            tabIndex={-1}
            data-stop={stopName({ id, key: null })}
            data-current={keys.current?.id === id}
            onFocus={() => keys.onFocus({ id, key: null })}
          >
            {id}
          </li>
        ))}
      </ul>
      {keys.help.opened && <p>All keys</p>}
      {children}
    </>
  );
}

let now = 0;
function press(key: string, target: Element = document.activeElement ?? document.body, after = 1000, repeat = false) {
  const event = new KeyboardEvent("keydown", { key, repeat, bubbles: true, cancelable: true });
  now += after;
  Object.defineProperty(event, "timeStamp", { value: now });
  act(() => void target.dispatchEvent(event));
}

test("keys move through the list and act where one is, from anywhere on the page", () => {
  render(<List ids={["a", "b"]} />);
  press("j", document.body);
  expect(document.activeElement?.textContent).toBe("a");
  press("j");
  press("j");
  expect(document.activeElement?.textContent).toBe("b");
  press("p");
  expect(onAct.mock.calls.map(([name, at]) => [name, at.id])).toEqual([["promote", "b"]]);
  press("?");
  expect(screen.getByText("All keys")).toBeTruthy();
});

test("where keys are kept to the list, they do nothing outside", () => {
  render(<List ids={["a"]} mayWorkAnywhere={false} />);
  press("p", document.body);
  expect(onAct).not.toHaveBeenCalled();
  press("p", screen.getByText("a"));
  expect(onAct).toHaveBeenCalledOnce();
});

test.each([
  ["a field", <input key="x" aria-label="x" />],
  ["a text", <textarea key="x" aria-label="x" />],
  ["a choice", <select key="x" aria-label="x" />],
])("in %s a letter is a letter", (_what, field) => {
  render(<List ids={["a"]}>{field}</List>);
  press("p", screen.getByLabelText("x"));
  press("j", screen.getByLabelText("x"));
  expect(onAct).not.toHaveBeenCalled();
  expect(document.activeElement).toBe(document.body);
});

test("while a dialog is open, its keys are its own", () => {
  render(
    <List ids={["a"]}>
      <div role="dialog">Reject?</div>
    </List>,
  );
  press("p", document.body);
  expect(onAct).not.toHaveBeenCalled();
});

function WithDialog() {
  const [open, setOpen] = useState(true);
  return (
    <List ids={["a"]}>
      {open && (
        <div role="dialog">
          <textarea aria-label="Notes" onKeyDown={({ key }) => /Enter|Escape/.test(key) && setOpen(false)} />
        </div>
      )}
    </List>
  );
}

test("letters that go on after the dialog has closed under them do nothing; a moment later they do", () => {
  render(<WithDialog />);
  press("w", screen.getByLabelText("Notes"));
  press("Enter", screen.getByLabelText("Notes"), 100);
  expect(screen.queryByRole("dialog")).toBeNull();
  press("p", document.body, 100);
  expect(onAct).not.toHaveBeenCalled();
  press("p", document.body, 1000);
  expect(onAct).toHaveBeenCalledOnce();
});

test("a word that goes on after the dialog has closed does nothing to its end, however long it is", () => {
  render(<WithDialog />);
  press("w", screen.getByLabelText("Notes"));
  press("Enter", screen.getByLabelText("Notes"), 100);
  for (const letter of "jpkpjp?p") press(letter, document.body, 150);
  expect(onAct).not.toHaveBeenCalled();
  expect(document.activeElement).toBe(document.body);
  expect(screen.queryByText("All keys")).toBeNull();
  press("p", document.body, 1000);
  expect(onAct).toHaveBeenCalledOnce();
});

function WithButton() {
  const [open, setOpen] = useState(true);
  return (
    <List ids={["a", "b"]}>
      {open && (
        <div role="dialog">
          <button onKeyDown={({ key }) => /Enter| |x/.test(key) && setOpen(false)}>Reject</button>
        </div>
      )}
    </List>
  );
}

test.each(["Enter", " "])("after a button of a dialog was pressed by %j the next letter is meant", (key) => {
  render(<WithButton />);
  press(key, screen.getByText("Reject"));
  press("p", document.body, 100);
  expect(onAct).toHaveBeenCalledOnce();
});

test("a key that is held while the dialog closes does not go on outside", () => {
  render(<WithButton />);
  press("Enter", screen.getByText("Reject"));
  press("Enter", document.body, 500, true);
  press("p", document.body, 1000);
  press("p", document.body, 500, true);
  press("p", document.body, 30, true);
  expect(onAct).toHaveBeenCalledOnce();
});

test("a letter that closes a dialog does not act when it is held, nor move", () => {
  render(<WithButton />);
  press("x", screen.getByText("Reject"));
  press("j", document.body, 500, true);
  expect(document.activeElement).toBe(document.body);
  press("j", document.body, 500);
  press("j", document.activeElement ?? document.body, 30, true);
  expect(document.activeElement?.textContent).toBe("b");
});

test("who leaves a dialog by Escape means the next letter", () => {
  render(<WithDialog />);
  press("w", screen.getByLabelText("Notes"));
  press("Escape", screen.getByLabelText("Notes"), 100);
  press("p", document.body, 100);
  expect(onAct).toHaveBeenCalledOnce();
});

test("what leaves the list hands its place to what follows", () => {
  const { rerender } = render(<List ids={["a", "b", "c"]} />);
  press("j", document.body);
  press("j");
  rerender(<List ids={["a", "c"]} />);
  expect(document.activeElement?.textContent).toBe("c");
  expect(screen.getByText("c").dataset.current).toBe("true");
});

// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { streamWhileVisible } from "./visibility";

let state: DocumentVisibilityState = "visible";
const closed = vi.fn();
const open = vi.fn(() => closed);

function turn(to: DocumentVisibilityState) {
  state = to;
  document.dispatchEvent(new Event("visibilitychange"));
}

beforeEach(() => {
  state = "visible";
  closed.mockClear();
  open.mockClear().mockImplementation(() => closed);
  vi.spyOn(document, "visibilityState", "get").mockImplementation(() => state);
});
afterEach(() => vi.restoreAllMocks());

test("the stream closes while the tab is hidden and opens again on return", () => {
  const leave = streamWhileVisible(open, () => {});
  expect([open.mock.calls.length, closed.mock.calls.length]).toEqual([1, 0]);
  turn("hidden");
  turn("hidden");
  expect([open.mock.calls.length, closed.mock.calls.length]).toEqual([1, 1]);
  turn("visible");
  turn("visible");
  expect([open.mock.calls.length, closed.mock.calls.length]).toEqual([2, 1]);
  leave();
  turn("hidden");
  turn("visible");
  expect([open.mock.calls.length, closed.mock.calls.length]).toEqual([2, 2]);
});

test("a tab that opens in the background waits to be seen", () => {
  state = "hidden";
  const leave = streamWhileVisible(open, () => {});
  expect(open).not.toHaveBeenCalled();
  turn("visible");
  expect(open).toHaveBeenCalledOnce();
  leave();
});

import { MantineProvider } from "@mantine/core";
import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SearchInput } from "./SearchInput";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** The input, whose value is what the address says, and what it asked to be written there. */
function show() {
  const written: string[] = [];
  const at = (value: string) => (
    <MantineProvider env="test">
      <SearchInput label="Search" maxLength={100} value={value} onChange={(next) => written.push(next)} />
    </MantineProvider>
  );
  const { rerender } = render(at(""));
  const input = screen.getByRole<HTMLInputElement>("searchbox", { name: "Search" });
  return {
    input,
    written,
    type: (text: string) => fireEvent.change(input, { target: { value: text } }),
    pause: () => act(() => vi.advanceTimersByTime(1000)),
    arrive: (value: string) => rerender(at(value)),
  };
}

test("what is typed before the address has followed stays", () => {
  const { input, written, type, pause, arrive } = show();
  type("coo");
  pause();
  type("cook");
  arrive("coo");
  expect(input.value).toBe("cook");
  pause();
  type("cookie");
  pause();
  expect(written).toEqual(["coo", "cook", "cookie"]);
  arrive("cook");
  expect(input.value).toBe("cookie");
  arrive("cookie");
  expect(input.value).toBe("cookie");
});

test("what the address says by itself is taken over, also what was typed here before", () => {
  const { input, type, pause, arrive } = show();
  type("cookie ");
  pause();
  arrive("cookie");
  expect(input.value).toBe("cookie ");
  arrive("");
  expect(input.value).toBe("");
  arrive("cookie");
  expect(input.value).toBe("cookie");
});

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type LiveMessage, connectLive, reconnectDelay } from "./connection";

class FakeEventSource extends EventTarget {
  static readonly CLOSED = 2;
  static opened: FakeEventSource[] = [];
  readyState = 0;
  constructor(readonly url: string) {
    super();
    FakeEventSource.opened.push(this);
  }
  close() {
    this.readyState = 2;
  }
  emit(type: string, data = "") {
    this.dispatchEvent(new MessageEvent(type, { data }));
  }
  fail(readyState: number) {
    this.readyState = readyState;
    this.dispatchEvent(new Event("error"));
  }
}

let told: LiveMessage[] = [];
const emit = (message: LiveMessage) => told.push(message);

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("EventSource", FakeEventSource);
  FakeEventSource.opened = [];
  told = [];
});
afterEach(() => vi.useRealTimers());

function first(): FakeEventSource {
  const source = FakeEventSource.opened[0];
  if (!source) throw new Error("nothing was opened");
  return source;
}

test("each kind of event is told", () => {
  const close = connectLive("/api/events", emit);
  first().emit("hello", "{}");
  first().emit("change", '{"topic":"keys","subjects":null}');
  first().emit("refetch");
  expect(told).toEqual([
    { kind: "connected", connected: true },
    { kind: "hello" },
    { kind: "change", data: '{"topic":"keys","subjects":null}' },
    { kind: "refetch" },
  ]);
  close();
});

test("while the browser retries by itself, nothing else is opened", () => {
  connectLive("/api/events", emit);
  first().fail(0);
  vi.advanceTimersByTime(60_000);
  expect(told).toEqual([{ kind: "connected", connected: false }]);
  expect(FakeEventSource.opened).toHaveLength(1);
});

test("a refused stream is opened again after a while, a closed one never", () => {
  const close = connectLive("/api/events", emit);
  first().fail(2);
  expect(told).toEqual([{ kind: "connected", connected: false }, { kind: "refused" }]);
  vi.advanceTimersByTime(1_500);
  expect(FakeEventSource.opened).toHaveLength(2);
  close();
  FakeEventSource.opened[1]?.fail(2);
  close();
  vi.advanceTimersByTime(60_000);
  expect(FakeEventSource.opened).toHaveLength(2);
});

test.each([
  [0, 0.5, 1_000],
  [1, 0.5, 2_000],
  [3, 0.5, 8_000],
  [50, 0.5, 30_000],
  [0, 0, 750],
  [0, 1, 1_250],
])("delay of attempt %i with chance %f is %i ms", (attempt, chance, delay) => {
  expect(reconnectDelay(attempt, () => chance)).toBe(delay);
});

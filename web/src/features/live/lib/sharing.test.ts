import { beforeEach, expect, test, vi } from "vitest";
import type { Emit, LiveMessage } from "./connection";
import { canShare, shareStream } from "./sharing";

/** Hands a lock to one asker at a time, in order; those who give up lose their place. */
class FakeLocks {
  private waiting: (() => void)[] = [];
  private held = false;
  request = (_name: string, { signal }: { signal: AbortSignal }, hold: () => Promise<void>) =>
    new Promise<void>((resolve, reject) => {
      const turn = async () => {
        this.held = true;
        await hold();
        this.held = false;
        resolve();
        this.waiting.shift()?.();
      };
      signal.addEventListener("abort", () => {
        if (!this.waiting.includes(turn)) return;
        this.waiting = this.waiting.filter((each) => each !== turn);
        reject(new DOMException("left", "AbortError"));
      });
      if (this.held) this.waiting.push(turn);
      else void turn();
    });
}

/** Reaches every other open channel of the name, at once. */
class FakeChannel {
  static open: FakeChannel[] = [];
  onmessage: ((event: { data: unknown }) => void) | null = null;
  constructor(readonly name: string) {
    FakeChannel.open.push(this);
  }
  postMessage(data: unknown) {
    for (const other of FakeChannel.open) {
      if (other !== this && other.name === this.name) other.onmessage?.({ data });
    }
  }
  close() {
    FakeChannel.open = FakeChannel.open.filter((each) => each !== this);
  }
}

const connected: LiveMessage = { kind: "connected", connected: true };
const disconnected: LiveMessage = { kind: "connected", connected: false };
const hello: LiveMessage = { kind: "hello" };
const change: LiveMessage = { kind: "change", data: '{"topic":"keys","subjects":null}' };
const settled = () => new Promise((resolve) => setTimeout(resolve));

interface Tab {
  told: LiveMessage[];
  /** Null while the tab has no stream of its own. */
  stream: Emit | null;
  leave: () => void;
}

function openTab(name = "engines"): Tab {
  const tab: Tab = { told: [], stream: null, leave: () => {} };
  const open = (emit: Emit) => {
    tab.stream = emit;
    return () => {
      tab.stream = null;
    };
  };
  tab.leave = shareStream(name, open, (message) => tab.told.push(message));
  return tab;
}

beforeEach(() => {
  FakeChannel.open = [];
  vi.stubGlobal("navigator", { locks: new FakeLocks() });
  vi.stubGlobal("BroadcastChannel", FakeChannel);
});

test("only the first of many tabs opens a stream, and all are told", () => {
  const tabs = [openTab(), openTab(), openTab()];
  expect(tabs.map((tab) => tab.stream !== null)).toEqual([true, false, false]);
  for (const message of [connected, hello, change]) tabs[0]?.stream?.(message);
  expect(tabs[0]?.told).toEqual([connected, hello, change]);
  for (const tab of tabs) expect(tab.told).toContainEqual(change);
});

test("when the leader goes, the next tab opens the stream and its hello reaches all", async () => {
  const [first, second, third] = [openTab(), openTab(), openTab()];
  first.leave();
  await settled();
  expect([first, second, third].map((tab) => tab.stream !== null)).toEqual([false, true, false]);
  second.stream?.(hello);
  expect(second.told).toContainEqual(hello);
  expect(third.told).toContainEqual(hello);
  expect(first.told).toEqual([]);
});

test("a tab that leaves before its turn never opens a stream", async () => {
  const [first, second, third] = [openTab(), openTab(), openTab()];
  second.leave();
  first.leave();
  await settled();
  expect([second.stream, third.stream !== null]).toEqual([null, true]);
});

test("a newcomer reads everything again once, and the others do not", () => {
  const first = openTab();
  first.stream?.(connected);
  first.stream?.(hello);
  const second = openTab();
  expect(second.told).toEqual([connected, hello]);
  const third = openTab();
  expect(third.told).toEqual([connected, hello]);
  expect(second.told.filter(({ kind }) => kind === "hello")).toHaveLength(1);
  expect(first.told).toEqual([connected, hello]);
});

test("a newcomer learns that the stream is gone, and waits for its hello", () => {
  const first = openTab();
  first.stream?.(disconnected);
  const second = openTab();
  expect(second.told).toEqual([disconnected]);
});

test("workspaces do not share a stream", () => {
  const stub = new Map<string, FakeLocks>();
  vi.stubGlobal("navigator", {
    locks: {
      request: (name: string, ...rest: [{ signal: AbortSignal }, () => Promise<void>]) => {
        const locks = stub.get(name) ?? new FakeLocks();
        stub.set(name, locks);
        return locks.request(name, ...rest);
      },
    },
  });
  const engines = openTab("engines");
  const boats = openTab("boats");
  engines.stream?.(change);
  expect(boats.stream).not.toBeNull();
  expect(boats.told).toEqual([]);
});

test.each([
  ["both", { locks: new FakeLocks() }, FakeChannel, true],
  ["no locks", {}, FakeChannel, false],
  ["no channel", { locks: new FakeLocks() }, undefined, false],
])("sharing with %s: %s", (_name, navigator, channel, possible) => {
  vi.stubGlobal("navigator", navigator);
  vi.stubGlobal("BroadcastChannel", channel);
  expect(canShare()).toBe(possible);
});

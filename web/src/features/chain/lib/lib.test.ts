import { expect, test } from "vitest";
import type { ChainEdge, ChainNode } from "@/api/types";
import { NODE, SHOWN, draw, layersOf, neighboursOf, outOfSight, step } from "./layers";
import { canRetract, chainText, counted, nameOf, titleOf } from "./words";

const node = (ref: string, depth: number, more: Partial<ChainNode> = {}): ChainNode => ({
  ref,
  kind: ref.split(":")[0] as ChainNode["kind"],
  depth,
  seen: "shown",
  title: ref,
  detail: null,
  state: null,
  at: null,
  by: null,
  href: null,
  retraction_id: null,
  more: false,
  unused_sessions: 0,
  ...more,
});
const edge = (source: string, target: string): ChainEdge => ({ source, target, relation: "cites" });
const NONE = new Set<number>();

test("a single node is a picture of one", () => {
  const { placed, lines, width } = draw({ nodes: [node("field:a", 0)], edges: [] }, NONE);
  expect(placed).toHaveLength(1);
  expect(lines).toEqual([]);
  expect(width).toBeGreaterThan(0);
});

test("nothing is an empty picture", () => {
  expect(draw({ nodes: [], edges: [] }, NONE).placed).toEqual([]);
});

test("a layer stands in the order of what it is joined with", () => {
  const nodes = [node("field:a", 0), node("response:1", 1), node("response:2", 1), node("source:x", 2), node("source:y", 2)];
  const edges = [edge("field:a", "response:1"), edge("field:a", "response:2"), edge("response:1", "source:y"), edge("response:2", "source:x")];
  expect(layersOf({ nodes, edges }, NONE)[2]?.nodes.map(({ ref }) => ref)).toEqual(["source:y", "source:x"]);
});

test("what is too much of a layer is folded, and counted", () => {
  const nodes = [node("source:x", 0), ...Array.from({ length: 500 }, (_, n) => node(`response:${n}`, 1))];
  const edges = nodes.slice(1).map(({ ref }) => edge(ref, "source:x"));
  const [, folded] = layersOf({ nodes, edges }, NONE);
  expect([folded?.nodes.length, folded?.folded]).toEqual([SHOWN, 500 - SHOWN]);
  expect(draw({ nodes, edges }, NONE).folds).toMatchObject([{ depth: 1, count: 500 - SHOWN }]);
  expect(draw({ nodes, edges }, NONE).lines).toHaveLength(SHOWN);
  expect(layersOf({ nodes, edges }, new Set([1]))[1]?.folded).toBe(0);
});

test("what leads on stands before what ends there", () => {
  const sessions = Array.from({ length: 20 }, (_, n) => node(`session:${n}`, 1));
  const nodes = [node("manifest:m", 0), ...sessions, node("response:1", 2)];
  const edges = [...sessions.map(({ ref }) => edge(ref, "manifest:m")), edge("response:1", "session:19")];
  expect(layersOf({ nodes, edges }, NONE)[1]?.nodes[0]?.ref).toBe("session:19");
});

test.each([
  [{ direction: "forward", nodes: [node("knowledge:1", 0)] }, "Nothing rests on it."],
  [{ direction: "back", nodes: [node("knowledge:1", 0)] }, "It rests on nothing that is kept here."],
  [{ direction: "forward", nodes: [node("knowledge:1", 0), node("manifest:m", 1)] }, "1 thing rests on it."],
  [
    { direction: "forward", nodes: [node("knowledge:1", 0), node("manifest:m", 1), node("session:1", 2)], unused_sessions: 4987, hidden: 1, truncated: true },
    "2 things rest on it. 1 of them is not yours to see. 4,987 other sessions that nothing rests on are not shown. There is more than is shown.",
  ],
] as const)("what is said of a chain", (given, text) => {
  expect(chainText({ hidden: 0, truncated: false, unused_sessions: 0, ...given, nodes: [...given.nodes] })).toBe(text);
});

test("one more than are shown is shown as well", () => {
  const nodes = Array.from({ length: SHOWN + 1 }, (_, n) => node(`response:${n}`, 1));
  expect(layersOf({ nodes, edges: [] }, NONE)[0]?.folded).toBe(0);
});

test("arrows go along the lines, and stop at the ends", () => {
  const chain = {
    nodes: [node("field:a", 0), node("response:1", 1), node("response:2", 1), node("source:x", 2)],
    edges: [edge("field:a", "response:1"), edge("field:a", "response:2"), edge("response:2", "source:x")],
  };
  const { placed } = draw(chain, NONE);
  const go = (from: string, arrow: Parameters<typeof step>[3]) => step(placed, neighboursOf(chain), from, arrow);
  expect(go("response:1", "ArrowDown")).toBe("response:2");
  expect(go("response:2", "ArrowDown")).toBe("response:2");
  expect(go("source:x", "ArrowLeft")).toBe("response:2");
  expect(go("source:x", "ArrowRight")).toBe("source:x");
  expect(go("response:1", "ArrowRight")).toBe("source:x");
  expect(go("source:x", "Home")).toBe("field:a");
  expect(go("field:a", "End")).toBe("source:x");
  expect(go("gone", "ArrowRight")).toBe("response:1");
});

test.each([
  [node("feedback:1", 1, { seen: "hidden", title: null }), "Not yours to see"],
  [node("session:1", 1, { seen: "gone", title: null }), "A session that is not kept here"],
  [node("knowledge:1", 1, { seen: "gone", title: null }), "Gone"],
  [node("feedback:1", 1, { title: null }), "Without a comment"],
  [node("source:x", 1, { title: "Report" }), "Report"],
])("what a node is called", (given, title) => {
  expect(titleOf(given)).toBe(title);
});

test.each([
  [node("source:x", 0), true],
  [node("source:x", 0, { retraction_id: "r" }), false],
  [node("feedback:1", 0, { seen: "hidden" }), false],
  [node("response:1", 0), false],
])("what can be retracted", (given, can) => {
  expect(canRetract(given)).toBe(can);
});

test("layers stand in the middle, and one that is unfolded pushes none of the others out of sight", () => {
  const nodes = [node("source:x", 0), ...Array.from({ length: 3 }, (_, n) => node(`response:${n}`, 1))];
  const edges = nodes.slice(1).map(({ ref }) => edge(ref, "source:x"));
  const [start, ...rest] = draw({ nodes, edges }, NONE).placed;
  expect(start?.y).toBe(rest[1]?.y);
  const many = [node("source:x", 0), ...Array.from({ length: 500 }, (_, n) => node(`response:${n}`, 1))];
  const folded = draw({ nodes: many, edges: [] }, NONE).placed[0]?.y;
  expect(draw({ nodes: many, edges: [] }, new Set([1])).placed[0]?.y).toBe(folded);
});

test("what is not in the window is counted, on either side", () => {
  const nodes = Array.from({ length: 5 }, (_, depth) => node(`session:${depth}`, depth));
  const picture = draw({ nodes, edges: [] }, NONE);
  const [, second] = picture.heads;
  expect(outOfSight(picture, 0, picture.width)).toEqual({ before: 0, after: 0 });
  expect(outOfSight(picture, 0, (second?.x ?? 0) + NODE.width)).toEqual({ before: 0, after: 3 });
  expect(outOfSight(picture, second?.x ?? 0, NODE.width)).toEqual({ before: 1, after: 3 });
});

test("within a sentence a title is short, and the same sentence stands there once", () => {
  const long = node("feedback:1", 1, { title: `The notice is ${"very ".repeat(30)}long` });
  expect(nameOf(long)).toBe("The notice is very very very very very very very very very v…");
  expect(nameOf(node("user:1", 1, { title: "Priya Raman" }))).toBe("Priya Raman");
  expect(counted(["a said by this", "b said by this", "a said by this"])).toEqual(["a said by this (2 times)", "b said by this"]);
});

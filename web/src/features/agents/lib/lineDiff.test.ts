import { expect, test } from "vitest";
import { countChanges, diffLines, foldUnchanged, linesOf } from "./lineDiff";

const MARK = { same: " ", removed: "-", added: "+" };
const written = (before: string, after: string) => diffLines(before, after).map(({ kind, text }) => MARK[kind] + text);
const numbered = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, place) => `line ${from + place}`).join("\n");

test.each<[string, string, string, string[]]>([
  ["both empty", "", "", []],
  ["equal", "a\nb", "a\nb", [" a", " b"]],
  ["all new", "", "a\nb", ["+a", "+b"]],
  ["all gone", "a\nb", "", ["-a", "-b"]],
  ["nothing in common", "a\nb", "c", ["-a", "-b", "+c"]],
  ["one changed", "a\nb\nc", "a\nx\nc", [" a", "-b", "+x", " c"]],
  ["one more at the end", "a", "a\nb", [" a", "+b"]],
  ["one more at the beginning", "b", "a\nb", ["+a", " b"]],
  ["one of several equal ones gone", "a\na\na", "a\na", [" a", " a", "-a"]],
  ["two places", "a\nb\nc\nd\ne", "a\nc\nd\nx\ne", [" a", "-b", " c", " d", "+x", " e"]],
  ["moved", "a\nb\nc", "b\nc\na", ["-a", " b", " c", "+a"]],
  ["an empty line", "a\n\nb", "a\nb", [" a", "-", " b"]],
  ["only a line break at the end", "a", "a\n", [" a"]],
  ["line breaks of Windows", "a\r\nb", "a\nb", [" a", " b"]],
])("%s", (_, before, after, lines) => {
  expect(written(before, after)).toEqual(lines);
});

test("lines say where they stand in each text", () => {
  expect(diffLines("a\nb\nc", "a\nx\nc").map(({ before, after }) => [before, after])).toEqual([
    [1, 1],
    [2, null],
    [null, 2],
    [3, 3],
  ]);
});

test("what is taken from a diff is both texts again", () => {
  const letters = "abc";
  let seed = 7;
  const next = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed % below;
  };
  const text = () => Array.from({ length: next(12) }, () => letters[next(3)]).join("\n");
  for (let round = 0; round < 300; round += 1) {
    const [before, after] = [text(), text()];
    const lines = diffLines(before, after);
    expect(lines.filter(({ kind }) => kind !== "added").map((line) => line.text)).toEqual(linesOf(before));
    expect(lines.filter(({ kind }) => kind !== "removed").map((line) => line.text)).toEqual(linesOf(after));
  }
});

test("a change in a very long text is found by itself", () => {
  const before = numbered(1, 50_000);
  const lines = diffLines(before, before.replace("line 25000\n", "another\n"));
  expect(countChanges(lines)).toEqual({ removed: 1, added: 1 });
  expect(lines).toHaveLength(50_001);
});

test("very long texts that have little in common are replaced as a whole", () => {
  const lines = diffLines(numbered(1, 20_000), numbered(30_001, 50_000));
  expect(countChanges(lines)).toEqual({ removed: 20_000, added: 20_000 });
});

test.each<[string, string, string, [boolean, number][]]>([
  ["nothing", "", "", []],
  ["equal", numbered(1, 20), numbered(1, 20), [[true, 20]]],
  ["short and equal", "a", "a", [[true, 1]]],
  ["all new", "", numbered(1, 20), [[false, 20]]],
  ["a change in the middle", numbered(1, 21), numbered(1, 21).replace("line 11\n", "x\n"), [[true, 7], [false, 8], [true, 7]]],
  ["a change at the beginning", numbered(1, 20), `x\n${numbered(1, 20)}`, [[false, 4], [true, 17]]],
  ["two changes near each other", numbered(1, 14), numbered(1, 14).replace("line 3\n", "").replace("line 10\n", ""), [[false, 14]]],
])("folds what did not change: %s", (_, before, after, pieces) => {
  expect(foldUnchanged(diffLines(before, after)).map(({ folded, lines }) => [folded, lines.length])).toEqual(pieces);
});

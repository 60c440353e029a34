import { expect, test } from "vitest";
import { fileAddress, formatCount, formatSize, progressOf } from "./archives";

test.each([
  [0, 0, 0],
  [0, 10, 0],
  [5, 10, 50],
  [999, 1000, 99],
  [10, 10, 100],
  [11, 10, 100],
])("%s of %s rows is %s percent", (done, total, percent) => {
  expect(progressOf({ done, total })).toBe(percent);
});

test.each([
  [0, "0 bytes"],
  [1023, "1023 bytes"],
  [1536, "1.5 KB"],
  [3 * 1024 ** 3, "3.0 GB"],
])("%s bytes are %s", (bytes, text) => {
  expect(formatSize(bytes)).toBe(text);
});

test("one is one", () => {
  expect([formatCount(1, "row"), formatCount(1234, "row")]).toEqual(["1 row", "1,234 rows"]);
});

test("an address names the workspace", () => {
  expect(fileAddress("a", "b c")).toBe("/api/archives/a/file?tenant=b%20c");
});

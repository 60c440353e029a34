/** One word for one act: what is not there yet is "New …", and what is done with it is to save it. */
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const SRC = dirname(fileURLToPath(import.meta.url));
const FILES = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter((path) => /(?<!\.test)\.tsx?$/.test(path));

/** A text of the UI that begins with another word for it: a line of JSX, or a string that is not a key or an address. */
const OTHER_WORDS = /^\s*(Make|Create|Add) [a-z]|[>"`.:] ?(Make|Create|Add) [a-z]|\b(was|were) (created|added|made)\./;

function otherWords(text: string): string[] {
  return text.split("\n").filter((line) => OTHER_WORDS.test(line) && !/^\s*(\/\/|\/?\*)/.test(line));
}

test("the UI says New, never Make, Create or Add", () => {
  expect(FILES.length).toBeGreaterThan(200);
  const found = FILES.flatMap((path) => otherWords(readFileSync(join(SRC, path), "utf8")).map((line) => `${path}: ${line.trim()}`));
  expect(found).toEqual([]);
});

test("another word is found wherever it stands", () => {
  expect(otherWords('title="Add a member"\n          Create view\n  <b>Make one</b>\n`${name} was added.`')).toHaveLength(4);
  expect(otherWords('onEdit({ do: "add" })\n  // Made once.\nmethod: "Add"')).toEqual([]);
});

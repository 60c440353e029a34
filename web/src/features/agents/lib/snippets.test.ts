import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { KEY_PLACEHOLDER, SNIPPETS, fillLines, findSnippet } from "./snippets";

const FOLDER = fileURLToPath(new URL("../../../../../cases/snippets/", import.meta.url));
const FILES = readdirSync(FOLDER).filter((file) => file !== "index.json");
const filled = { origin: "https://goldloop.example.org", key: "gl_secret" };

test("every file of every snippet is there, with the address and the key of the installation", () => {
  expect(new Set(SNIPPETS.flatMap(({ blocks }) => blocks.map(({ file }) => file)))).toEqual(new Set(FILES));
  for (const file of FILES) {
    const lines = fillLines(file, filled);
    expect(lines).not.toContain("127.0.0.1");
    expect(lines).not.toContain("…");
    expect(fillLines(file, { origin: "http://127.0.0.1:8400", key: null })).toBe(readFileSync(FOLDER + file, "utf8").trimEnd());
  }
});

test("each snippet says where it sends and by whom", () => {
  for (const { blocks } of SNIPPETS) {
    const text = blocks.map(({ file }) => fillLines(file, filled)).join("\n");
    expect(text).toContain(filled.origin);
    expect(text).toContain(filled.key);
  }
});

test("without a key the place for it stays, and an agent may have its name", () => {
  const lines = fillLines("otlp.sh", { origin: "http://here", key: null, agent: "filing-reader" });
  expect(lines).toContain("OTEL_EXPORTER_OTLP_ENDPOINT=http://here");
  expect(lines).toContain(`x-api-key=${KEY_PLACEHOLDER}`);
  expect(lines).toContain("OTEL_SERVICE_NAME=filing-reader");
  expect(() => fillLines("none.sh", filled)).toThrow("There is no snippet none.sh");
});

test.each([
  ["pydantic-ai", "pydantic-ai"],
  ["mcp", "mcp"],
  [undefined, "opentelemetry"],
  ["something else", "opentelemetry"],
])("the address %s means %s", (id, found) => {
  expect(findSnippet(id).id).toBe(found);
});

/** Who imports whom: the folders of the web UI, from left to right. */
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const SRC = dirname(fileURLToPath(import.meta.url));

/** A feature imports only from those to its left, in the order in which data flows on the server. */
const FEATURES = [
  "tenants",
  "jobs",
  "live",
  "entity_types",
  "entities",
  "criteria",
  "responses",
  "edges",
  "promotion",
  "claims",
  "conversations",
  "agent_review",
  "agents",
  "sessions",
  "population",
  "tasks",
  "feedback",
  "knowledge",
  "evals",
  "chain",
  "views",
  "artifact_evals",
  "webhooks",
  "archives",
  "inbox",
  "audit",
  "erasures",
  "limits",
];
/** What every feature stands on, and what puts features together. */
const BELOW = ["api", "ui"];
const ABOVE = ["pages", "root"];

const ORDER = [...BELOW, ...FEATURES, ...ABOVE];

interface Import {
  from: string;
  to: string;
}

const isTest = (path: string) => /\.(test|bench)\.tsx?$/.test(path) || path.startsWith("testing/");

const FILES = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter((path) => /\.tsx?$/.test(path));

/** The folder that a file belongs to: a feature, or what stands beside the features. */
function folderOf(path: string): string {
  const [first = "", second = ""] = path.split("/");
  if (first === "features") return second;
  return path.includes("/") ? first : "root";
}

function importsOf(path: string): Import[] {
  const text = readFileSync(join(SRC, path), "utf8");
  return [...text.matchAll(/\b(?:from|import)\s*\(?\s*"((?:@\/|\.)[^"]+)"/g)].map(([, name = ""]) => ({
    from: path,
    to: name.startsWith("@/") ? name.slice(2) : relative(SRC, resolve(SRC, dirname(path), name)),
  }));
}

const IMPORTS = FILES.filter((path) => !isTest(path)).flatMap(importsOf);

/** Imports that go to the right, or leave the order. */
function wrongWay(imports: readonly Import[]): string[] {
  return imports
    .filter(({ from, to }) => {
      const [here, there] = [ORDER.indexOf(folderOf(from)), ORDER.indexOf(folderOf(to))];
      return there === -1 || there > here;
    })
    .map(({ from, to }) => `${from} imports ${to}`);
}

/** The first circle of files that is found, closed. */
function findCircle(imports: readonly Import[]): string[] | null {
  const bare = (path: string) => path.replace(/\.tsx?$/, "");
  const next = new Map<string, string[]>();
  for (const { from, to } of imports) next.set(bare(from), [...(next.get(bare(from)) ?? []), bare(to)]);
  const done = new Set<string>();
  const walk = (path: string, way: readonly string[]): string[] | null => {
    if (way.includes(path)) return [...way.slice(way.indexOf(path)), path];
    if (done.has(path)) return null;
    for (const to of next.get(path) ?? []) {
      const circle = walk(to, [...way, path]);
      if (circle) return circle;
    }
    done.add(path);
    return null;
  };
  for (const path of next.keys()) {
    const circle = walk(path, []);
    if (circle) return circle;
  }
  return null;
}

test("every folder has its place in the order", () => {
  const found = new Set(FILES.filter((path) => !isTest(path)).map(folderOf));
  expect([...found].sort()).toEqual([...ORDER].sort());
});

test("imports go to the left: move what both need, or let a page pass it in", () => {
  expect(IMPORTS.length).toBeGreaterThan(500);
  expect(wrongWay(IMPORTS)).toEqual([]);
});

test("the tests of a feature also know only what is to its left", () => {
  const features = FILES.filter((path) => isTest(path) && path.startsWith("features/"));
  const between = features.flatMap(importsOf).filter(({ to }) => to.startsWith("features/"));
  expect(wrongWay(between)).toEqual([]);
});

test("no files import each other in a circle", () => {
  expect(findCircle(IMPORTS)).toBeNull();
});

test("a wrong import and a circle are found", () => {
  const back = { from: "features/criteria/lib/a.ts", to: "features/responses/lib/b" };
  expect(wrongWay([back])).toEqual(["features/criteria/lib/a.ts imports features/responses/lib/b"]);
  expect(wrongWay([{ from: "ui/Keys.tsx", to: "features/jobs/lib/status" }])).toHaveLength(1);
  expect(wrongWay([{ from: "pages/A.tsx", to: "router" }])).toHaveLength(1);
  const ahead = { from: "features/responses/lib/b.ts", to: "features/criteria/lib/a" };
  expect(findCircle([back, ahead])).toEqual(["features/criteria/lib/a", "features/responses/lib/b", "features/criteria/lib/a"]);
  expect(findCircle([back])).toBeNull();
});

test("dialogs and drawers are those of ui/Modal, which know where the focus belongs", () => {
  const own = FILES.filter((path) => !isTest(path) && path !== join("ui", "Modal.tsx"));
  const bare = own.filter((path) => /import \{[^}]*\b(Modal|Drawer)\b[^}]*\} from "@mantine\/core"/.test(readFileSync(join(SRC, path), "utf8")));
  expect(own.length).toBeGreaterThan(200);
  expect(bare).toEqual([]);
});

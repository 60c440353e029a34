import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { describe, expect, test } from "vitest";
import { type Change, invalidateAll, invalidateChanged, isStale, parseChange } from "./invalidation";

test.each([
  ['{"topic":"keys","subjects":["k1","k2"]}', { topic: "keys", subjects: ["k1", "k2"] }],
  ['{"topic":"jobs","subjects":null}', { topic: "jobs", subjects: null }],
  ['{"topic":"jobs","subjects":[]}', { topic: "jobs", subjects: [] }],
  ['{"topic":"jobs"}', null],
  ['{"topics":["keys"]}', null],
  ['{"topic":"keys","subjects":"k1"}', null],
  ["{}", null],
  ["not json", null],
  ["", null],
])("parseChange(%s)", (data, change) => {
  expect(parseChange(data)).toEqual(change);
});

const about = (id: string) => ["entities", "engines", "responses", { about: id }, { status: null }];
const list = ["entities", "engines", "list", {}];

describe("isStale", () => {
  test.each<[readonly unknown[], Change, boolean]>([
    [about("a"), { topic: "entities", subjects: ["r1", "a"] }, true],
    [about("b"), { topic: "entities", subjects: ["r1", "a"] }, false],
    [about("b"), { topic: "entities", subjects: null }, true],
    [about("b"), { topic: "entities", subjects: [] }, false],
    [about("a"), { topic: "jobs", subjects: ["a"] }, false],
    [list, { topic: "entities", subjects: ["a"] }, true],
    [list, { topic: "entities", subjects: null }, true],
    [list, { topic: "jobs", subjects: null }, false],
    [["entities", "engines", "one", { about: undefined }], { topic: "entities", subjects: ["a"] }, true],
    [["keys", "engines"], { topic: "keys", subjects: ["k"] }, true],
    [["workspace", "engines"], { topic: "members", subjects: ["m"] }, true],
    [["session"], { topic: "workspace", subjects: null }, true],
    [["session"], { topic: "keys", subjects: null }, false],
  ])("%j after %j: %s", (queryKey, change, stale) => {
    expect(isStale(queryKey, change)).toBe(stale);
  });
});

test("one promotion is read again by the page of its record and by lists, and by no other record's", async () => {
  const queryClient = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  const read: string[] = [];
  for (const queryKey of [about("a"), about("b"), list, ["keys", "engines"]]) {
    queryClient.setQueryData(queryKey, "before");
    const queryFn = () => read.push(JSON.stringify(queryKey.slice(2, 4)));
    new QueryObserver(queryClient, { queryKey, queryFn }).subscribe(() => {});
  }
  await invalidateChanged(queryClient, { topic: "entities", subjects: ["response", "a"] });
  expect(read).toEqual(['["responses",{"about":"a"}]', '["list",{}]']);
  read.length = 0;
  await invalidateAll(queryClient);
  expect(read).toHaveLength(4);
  queryClient.clear();
});

test("what stays as it was opened is not read anew when everything else is", async () => {
  const queryClient = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  const read: string[] = [];
  for (const stays of [true, false]) {
    const queryKey = ["review-queue", "engines", stays];
    queryClient.setQueryData(queryKey, "before");
    const queryFn = () => read.push(stays ? "what stays" : "the rest");
    new QueryObserver(queryClient, { queryKey, queryFn, meta: { stays } }).subscribe(() => {});
  }
  await invalidateAll(queryClient);
  expect(read).toEqual(["the rest"]);
  queryClient.clear();
});

import { QueryClient } from "@tanstack/react-query";
import { describe, expect, test } from "vitest";
import { invalidateAll, invalidateTopics, isStale, parseTopics } from "./invalidation";

test.each([
  ['{"topics":["keys","jobs"]}', ["keys", "jobs"]],
  ['{"topics":[]}', []],
  ["{}", null],
  ['{"topics":"keys"}', null],
  ["not json", null],
  ["", null],
])("parseTopics(%s)", (data, topics) => {
  expect(parseTopics(data)).toEqual(topics);
});

describe("isStale", () => {
  test.each([
    [["keys", "engines"], ["keys"], true],
    [["keys", "engines"], ["jobs"], false],
    [["keys", "engines"], [], false],
    [["jobs", "engines", "one", "7"], ["keys", "jobs"], true],
    [["workspace", "engines"], ["members"], true],
    [["session"], ["workspace"], true],
    [["session"], ["keys"], false],
  ])("%j after %j: %s", (queryKey, topics, stale) => {
    expect(isStale(queryKey, topics)).toBe(stale);
  });
});

test("a change makes only its topic stale, a refetch everything", async () => {
  const queryClient = new QueryClient();
  queryClient.setQueryData(["keys", "engines"], 1);
  queryClient.setQueryData(["agents", "engines"], 1);
  const stale = () => queryClient.getQueryCache().getAll().filter((query) => query.state.isInvalidated).length;
  await invalidateTopics(queryClient, ["keys"]);
  expect(queryClient.getQueryState(["keys", "engines"])?.isInvalidated).toBe(true);
  expect(stale()).toBe(1);
  await invalidateAll(queryClient);
  expect(stale()).toBe(2);
});

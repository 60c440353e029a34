// @vitest-environment jsdom
import { QueryClient } from "@tanstack/react-query";
import { createMemoryHistory } from "@tanstack/react-router";
import { expect, test } from "vitest";
import { listSections } from "@/features/agent_review/lib/sections";
import { sessionQuery } from "@/features/tenants/lib/sessionQuery";
import { createAppRouter } from "./router";

const REVIEW = "/admin/agent-review";

async function visit(address: string) {
  const queryClient = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  queryClient.setQueryData(sessionQuery.queryKey, {} as never);
  const router = createAppRouter(queryClient);
  router.update({ ...router.options, history: createMemoryHistory({ initialEntries: [address] }) });
  await router.load();
  return router;
}

const said = (search: string) => Object.fromEntries(new URLSearchParams(search));

test.each([
  [REVIEW, `${REVIEW}/conversations`],
  [`${REVIEW}?q=order&days=7`, `${REVIEW}/conversations?q=order&days=7`],
  [`${REVIEW}?tab=unclear&project=Support`, `${REVIEW}/conversations/unclear?project=Support`],
  [`${REVIEW}?tab=satisfaction&by=agent&bucket=day`, `${REVIEW}/conversations/satisfaction?by=agent&bucket=day`],
  ["/admin/conversations", `${REVIEW}/conversations`],
  ["/admin/conversations?reaction=ok", `${REVIEW}/conversations?reaction=ok`],
  ["/admin/conversations/Support/a%2Fb?turn=t1", `${REVIEW}/conversations/Support/a%2Fb?turn=t1`],
  ["/sessions", "/tasks"],
  ["/sessions/0190a000-0000-7000-8000-000000000201?event=3&view=events", "/sessions/0190a000-0000-7000-8000-000000000201?event=3&view=events"],
  [`${REVIEW}/sessions?status=failed&waits_for=look`, `${REVIEW}/sessions?status=failed&waits_for=look`],
  ["/admin/conversations/unclear", `${REVIEW}/conversations/unclear`],
])("%s leads to %s", async (old, now) => {
  const { latestLocation, state } = await visit(old);
  const [path, search = ""] = now.split("?");
  expect(latestLocation.pathname).toBe(path);
  expect(said(latestLocation.searchStr)).toEqual(said(search));
  expect(state.matches.some(({ status }) => status === "notFound")).toBe(false);
});

test("a section that is not there is no page, and has no tab", async () => {
  const router = await visit(`${REVIEW}/nowhere`);
  expect(router.state.matches.at(-1)?.routeId).not.toContain("nowhere");
  expect(listSections(router.routesById["/shell/admin/agent-review"])).toEqual([
    { to: `${REVIEW}/conversations`, label: "Conversations" },
    { to: `${REVIEW}/sessions`, label: "Sessions" },
    { to: `${REVIEW}/feedback`, label: "Feedback" },
    { to: `${REVIEW}/knowledge`, label: "Knowledge" },
    { to: `${REVIEW}/evals`, label: "Evals" },
  ]);
});

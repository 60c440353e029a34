import { vi } from "vitest";

export interface Call {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Headers;
  body: unknown;
}

type Reply = { status?: number; body?: unknown };
type Route = Reply | ((call: Call) => Reply | Promise<Reply>);

/** Answers calls by "METHOD /path" and keeps what was asked. */
export function fakeServer(routes: Record<string, Route>): Call[] {
  const calls: Call[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    const { pathname: path, searchParams: query } = new URL(request.url);
    const text = await request.text();
    const call = { method: request.method, path, query, headers: request.headers, body: text ? JSON.parse(text) : undefined };
    calls.push(call);
    const route = routes[`${request.method} ${path}`] ?? { status: 404, body: { code: "not_found" } };
    const { status = 200, body } = typeof route === "function" ? await route(call) : route;
    return new Response(body === undefined ? null : JSON.stringify(body), {
      status,
      headers: { "Content-Type": status < 400 ? "application/json" : "application/problem+json" },
    });
  });
  return calls;
}

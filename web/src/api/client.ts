/** The one way to the server: adds the CSRF token and the workspace, throws a `Problem`. */
import createClient, { type Client, type Middleware } from "openapi-fetch";
import { parseProblem, unreachable } from "./problem";
import type { paths } from "./schema.gen";

let csrfToken = "";

export function setCsrfToken(token: string): void {
  csrfToken = token;
}

const SAFE_METHODS = new Set(["GET", "HEAD"]);

const addCsrfToken: Middleware = {
  onRequest({ request }) {
    if (csrfToken && !SAFE_METHODS.has(request.method)) request.headers.set("X-Goldloop-CSRF", csrfToken);
    return request;
  },
};

function makeClient(headers: Record<string, string>): Client<paths> {
  const client = createClient<paths>({
    baseUrl: window.location.origin,
    credentials: "same-origin",
    headers,
    // Looked up at each call, so that a test may put its own in place.
    fetch: (request) => globalThis.fetch(request),
  });
  client.use(addCsrfToken);
  return client;
}

/** For calls that concern no workspace. */
export const api = makeClient({});

const ofTenant = new Map<string, Client<paths>>();

/**
 * For calls that concern a workspace. Whatever captures this client, a retry long after the
 * person went to another workspace as well, can reach no other one.
 */
export function tenantApi(slug: string): Client<paths> {
  const client = ofTenant.get(slug) ?? makeClient({ "X-Goldloop-Tenant": slug });
  ofTenant.set(slug, client);
  return client;
}

type Answer<T> = { data?: T; error?: unknown; response: Response };

/** The client's types make a list of any length out of every pair; those there are, a scale and an interval, are pairs again. */
type WithPairs<T> = T extends (infer E)[]
  ? WithPairs<E>[]
  : T extends object
    ? { [K in keyof T]: K extends "scale" | "goldensLikeThese" ? [number, number] | Extract<T[K], null | undefined> : WithPairs<T[K]> }
    : T;

/** Awaits a call and returns its body, or throws the problem it ended in. */
export async function unwrap<T>(call: Promise<Answer<T>>): Promise<WithPairs<T>> {
  let answer: Answer<T>;
  try {
    answer = await call;
  } catch {
    throw unreachable();
  }
  if (!answer.response.ok) throw parseProblem(answer.response, answer.error);
  return answer.data as WithPairs<T>;
}

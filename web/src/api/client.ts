/** The one way to the server: adds the CSRF token and the workspace, throws a `Problem`. */
import createClient, { type Middleware } from "openapi-fetch";
import { parseProblem, unreachable } from "./problem";
import type { paths } from "./schema.gen";

const credentials = { csrfToken: "", tenant: "" };

export function setCsrfToken(token: string): void {
  credentials.csrfToken = token;
}

export function setTenant(slug: string): void {
  credentials.tenant = slug;
}

const SAFE_METHODS = new Set(["GET", "HEAD"]);

const addCredentials: Middleware = {
  onRequest({ request }) {
    if (credentials.tenant) request.headers.set("X-Goldloop-Tenant", credentials.tenant);
    if (credentials.csrfToken && !SAFE_METHODS.has(request.method)) {
      request.headers.set("X-Goldloop-CSRF", credentials.csrfToken);
    }
    return request;
  },
};

export const api = createClient<paths>({
  baseUrl: window.location.origin,
  credentials: "same-origin",
  // Looked up at each call, so that a test may put its own in place.
  fetch: (request) => globalThis.fetch(request),
});
api.use(addCredentials);

type Answer<T> = { data?: T; error?: unknown; response: Response };

/** Awaits a call and returns its body, or throws the problem it ended in. */
export async function unwrap<T>(call: Promise<Answer<T>>): Promise<T> {
  let answer: Answer<T>;
  try {
    answer = await call;
  } catch {
    throw unreachable();
  }
  if (!answer.response.ok) throw parseProblem(answer.response, answer.error);
  return answer.data as T;
}

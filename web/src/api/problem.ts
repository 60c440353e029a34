/** The one shape in which a failed call reaches the UI, whatever made it fail. */
import * as v from "valibot";

const ProblemBody = v.object({
  title: v.fallback(v.string(), ""),
  detail: v.fallback(v.string(), ""),
  code: v.fallback(v.string(), ""),
  errors: v.fallback(
    v.array(v.object({ path: v.string(), code: v.fallback(v.string(), ""), message: v.string() })),
    [],
  ),
  conflict: v.fallback(v.nullable(v.record(v.string(), v.unknown())), null),
});

export type FieldProblem = v.InferOutput<typeof ProblemBody>["errors"][number];

interface ProblemInit {
  status: number;
  code: string;
  detail: string;
  errors?: FieldProblem[];
  conflict?: Record<string, unknown> | null;
  retryAfterSeconds?: number | null;
}

export class Problem extends Error {
  /** 0 when no answer came at all. */
  readonly status: number;
  readonly code: string;
  readonly errors: FieldProblem[];
  /** What it conflicts with, as far as the server says. */
  readonly conflict: Record<string, unknown> | null;
  readonly retryAfterSeconds: number | null;

  constructor({ status, code, detail, errors = [], conflict = null, retryAfterSeconds = null }: ProblemInit) {
    super(detail);
    this.name = "Problem";
    this.status = status;
    this.code = code;
    this.errors = errors;
    this.conflict = conflict;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

function fallbackDetail(status: number): string {
  if (status === 401) return "Your session has ended. Sign in again.";
  if (status === 403) return "You do not have permission to do this.";
  if (status === 404) return "This does not exist, or is not visible to you.";
  if (status === 429) return "Too many requests. Wait a moment and try again.";
  if (status >= 500) return "The server failed to answer. Try again in a moment.";
  return "The request could not be completed.";
}

function parseRetryAfter(header: string | null): number | null {
  const seconds = Number(header);
  return header !== null && Number.isFinite(seconds) && seconds >= 0 ? Math.ceil(seconds) : null;
}

/** Reads a problem+json body; anything else (a proxy's HTML page, nothing) still gives a sentence. */
export function parseProblem(response: Pick<Response, "status" | "headers">, body: unknown): Problem {
  const parsed = v.safeParse(ProblemBody, body);
  const known = parsed.success ? parsed.output : null;
  return new Problem({
    status: response.status,
    code: known?.code || `http_${response.status}`,
    detail: known?.detail || known?.title || fallbackDetail(response.status),
    errors: known?.errors ?? [],
    conflict: known?.conflict ?? null,
    retryAfterSeconds: parseRetryAfter(response.headers.get("Retry-After")),
  });
}

export function unreachable(): Problem {
  return new Problem({
    status: 0,
    code: "unreachable",
    detail: "The server could not be reached. Check your connection and try again.",
  });
}

/** Whatever else was thrown is a fault of the page and not of the call. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return new Problem({ status: 0, code: "page_failed", detail: "Something went wrong on this page. Try to reload it." });
}

const VERSION_CONFLICTS = ["version_conflict", "agent_config_changed"];

/** Somebody else changed it since it was read. */
export function isVersionConflict(error: unknown): boolean {
  return error instanceof Problem && VERSION_CONFLICTS.includes(error.code);
}

/**
 * Splits a problem between a form's fields and its head: `/name` goes to the field `name`;
 * what no field of this form can show is said above it.
 */
export function placeErrors(
  problem: Problem,
  fields: readonly string[],
): { fields: Record<string, string>; head: string | null } {
  const placed: Record<string, string> = {};
  const rest: string[] = [];
  for (const error of problem.errors) {
    const field = error.path.replace(/^\//, "").split("/")[0] ?? "";
    if (fields.includes(field)) placed[field] ??= error.message;
    else rest.push(error.message);
  }
  if (rest.length > 0) return { fields: placed, head: rest.join(" ") };
  return { fields: placed, head: Object.keys(placed).length > 0 ? null : problem.message };
}

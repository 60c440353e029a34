/** The one error of this package, with the server's problem details. */

/** One thing that is wrong with a request; `path` is a JSON pointer into it. */
export interface Fault {
  path: string;
  code: string;
  message: string;
}

export interface Problem {
  status?: number | null;
  code: string;
  detail: string;
  errors?: Fault[];
  errors_omitted?: number;
  conflict?: Record<string, unknown> | null;
  requestId?: string | null;
  retryAfter?: number | null;
}

/** Everything that a method throws. `status` is null when there was no answer. Switch on `code`: it is stable, the words are not. */
export class GoldloopError extends Error {
  override readonly name = "GoldloopError";
  readonly status: number | null;
  readonly code: string;
  readonly detail: string;
  readonly errors: readonly Fault[];
  readonly errorsOmitted: number;
  readonly conflict: Record<string, unknown> | null;
  readonly requestId: string | null;
  /** Milliseconds after which the server wants another try. */
  readonly retryAfter: number | null;

  constructor(problem: Problem, options?: ErrorOptions) {
    super(inWords(problem), options);
    this.status = problem.status ?? null;
    this.code = problem.code;
    this.detail = problem.detail;
    this.errors = problem.errors ?? [];
    this.errorsOmitted = problem.errors_omitted ?? 0;
    this.conflict = problem.conflict ?? null;
    this.requestId = problem.requestId ?? null;
    this.retryAfter = problem.retryAfter ?? null;
  }
}

function inWords({ detail, code, errors = [], errors_omitted: more = 0 }: Problem): string {
  const where = errors.map((fault) => `; ${fault.path || "/"}: ${fault.message}`).join("");
  return `${detail} (${code})${where}${more ? `; and ${more} more` : ""}`;
}

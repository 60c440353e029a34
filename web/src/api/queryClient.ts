import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { toProblem } from "./problem";

const MAX_RETRIES = 2; // a hiccup heals itself; a real outage is said within a few seconds

function worthRetrying(count: number, error: unknown): boolean {
  const { code, status } = toProblem(error);
  return count < MAX_RETRIES && (code === "unreachable" || status >= 502);
}

/** `onSignedOut` is called when any answer says that the session is over. */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const onError = (error: unknown) => {
    const problem = toProblem(error);
    // Wrong passwords are 401 as well, under codes of their own.
    if (problem.status === 401 && problem.code !== "invalid_credentials") onSignedOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: { queries: { retry: worthRetrying, staleTime: 30_000 } },
  });
}

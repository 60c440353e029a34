import { queryOptions } from "@tanstack/react-query";
import { api, setCsrfToken, unwrap } from "@/api/client";
import { toProblem } from "@/api/problem";
import type { Session } from "@/api/types";

/** Who is signed in; null is "nobody", which is an answer and not a failure. */
export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: async (): Promise<Session | null> => {
    try {
      return rememberToken(await unwrap(api.GET("/api/session")));
    } catch (error) {
      if (toProblem(error).status === 401) return null;
      throw error;
    }
  },
  staleTime: 5 * 60_000,
});

/** Every session that arrives brings the token which later writes must send. */
export function rememberToken(session: Session): Session {
  setCsrfToken(session.csrf_token);
  return session;
}

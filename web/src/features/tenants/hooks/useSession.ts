import { useMutation, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api, setCsrfToken, unwrap } from "@/api/client";
import type { Session } from "@/api/types";
import { dropAllDrafts } from "@/ui/drafts";
import { rememberToken, sessionQuery } from "../lib/sessionQuery";

/** For pages behind the sign-in; the router has made sure that there is a session. */
export function useSession(): Session {
  const { data } = useSuspenseQuery(sessionQuery);
  if (!data) throw new Error("useSession outside of a signed-in page");
  return data;
}

function useStartSession() {
  const queryClient = useQueryClient();
  return (session: Session) => {
    queryClient.clear(); // nothing of whoever was here before
    queryClient.setQueryData(sessionQuery.queryKey, rememberToken(session));
  };
}

export function useSignIn() {
  const start = useStartSession();
  return useMutation({
    mutationFn: (body: { email: string; password: string }) => unwrap(api.POST("/api/session", { body })),
    onSuccess: start,
  });
}

export function useJoin() {
  const start = useStartSession();
  return useMutation({
    mutationFn: (body: { token: string; name: string; password: string }) =>
      unwrap(api.POST("/api/session/join", { body })),
    onSuccess: start,
  });
}

/** For somebody with an account: the invitation is for whoever is signed in. */
export function useAcceptInvite() {
  const start = useStartSession();
  return useMutation({
    mutationFn: (token: string) => unwrap(api.POST("/api/session/accept", { body: { token } })),
    onSuccess: start,
  });
}

/** A page behind the sign-in must be left; one that anybody may see can stay. */
export function useSignOut({ stay = false }: { stay?: boolean } = {}) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => unwrap(api.DELETE("/api/session")),
    onSuccess: async () => {
      // Leave the page first, or it would ask the server once more in vain.
      if (!stay) await navigate({ to: "/sign-in" });
      setCsrfToken("");
      dropAllDrafts();
      queryClient.clear();
      queryClient.setQueryData(sessionQuery.queryKey, null);
    },
  });
}

export function useChangePassword() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: { current_password: string; new_password: string }) =>
      unwrap(api.POST("/api/session/password", { body })),
    // The password of another account of theirs makes the two one, with the workspaces of both.
    onSuccess: () => queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  });
}

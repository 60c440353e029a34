import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api, setCsrfToken, unwrap } from "@/api/client";
import type { Session } from "@/api/types";
import { dropAllDrafts } from "@/ui/drafts";
import type { ProviderAnswer } from "../lib/providerAnswer";
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
    mutationFn: (body: { email: string; password: string; code?: string }) => unwrap(api.POST("/api/session", { body })),
    onSuccess: start,
  });
}

export function useJoin() {
  const start = useStartSession();
  return useMutation({
    mutationFn: (body: { token: string; name: string; password: string; code?: string }) =>
      unwrap(api.POST("/api/session/join", { body })),
    onSuccess: start,
  });
}

/** By a link to a new password, which signs in as well. */
export function useReset() {
  const start = useStartSession();
  return useMutation({
    mutationFn: (body: { token: string; password: string; code?: string }) =>
      unwrap(api.POST("/api/session/reset", { body })),
    onSuccess: start,
  });
}

/** How one can sign in here: asked before anybody has. */
export function useSignInOptions() {
  return useQuery({ queryKey: ["sign_in_options"], queryFn: () => unwrap(api.GET("/api/sign-in")), staleTime: 60_000 });
}

/** Sends the browser to a provider; it comes back to `/sign-in/<provider>`. */
export function useGoToProvider() {
  return useMutation({
    mutationFn: async ({ provider, next = "/", ...body }: { provider: string; next?: string; invite_token?: string }) => {
      const { url } = await unwrap(
        api.POST("/api/sign-in/{provider}", { params: { path: { provider } }, body: { next, ...body } }),
      );
      window.location.assign(url);
    },
  });
}

/** What a provider sent back with the browser, once. */
export function useFinishSignIn() {
  const start = useStartSession();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ provider, ...body }: ProviderAnswer & { provider: string }) =>
      unwrap(api.POST("/api/sign-in/{provider}/finish", { params: { path: { provider } }, body })),
    onSuccess: ({ session }) => {
      if (session) start(session);
      else void queryClient.invalidateQueries({ queryKey: ["account"] });
    },
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
    onSuccess: async ({ continue_at: continueAt }) => {
      // Leave the page first, or it would ask the server once more in vain.
      if (!stay) await navigate({ to: "/sign-in" });
      setCsrfToken("");
      dropAllDrafts();
      queryClient.clear();
      queryClient.setQueryData(sessionQuery.queryKey, null);
      if (continueAt && !stay) window.location.assign(continueAt); // signed out at the provider as well
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

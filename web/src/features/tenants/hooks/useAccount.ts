import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { usePagedList } from "@/api/usePagedList";
import type { SignIn } from "@/api/types";

/** How the person who is signed in can do so. Their account is of no workspace, so no slug is in these keys. */
export function useAccount() {
  return useQuery({ queryKey: ["account"], queryFn: () => unwrap(api.GET("/api/account")) });
}

export function useSignIns() {
  return usePagedList<SignIn>(["account", "sessions"], () => unwrap(api.GET("/api/account/sessions")));
}

export function useAccountActions() {
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries({ queryKey: ["account"] });
  const endSignIn = useMutation({
    mutationFn: (session_id: string) =>
      unwrap(api.DELETE("/api/account/sessions/{session_id}", { params: { path: { session_id } } })),
    onSettled: refresh,
  });
  const endOthers = useMutation({
    mutationFn: () => unwrap(api.DELETE("/api/account/sessions")),
    onSettled: refresh,
  });
  const beginSecondFactor = useMutation({
    mutationFn: (current_password: string) =>
      unwrap(api.POST("/api/account/second-factor", { body: { current_password } })),
    gcTime: 0, // the answer holds a secret; keep it no longer than the dialog does
  });
  const confirmSecondFactor = useMutation({
    mutationFn: (code: string) => unwrap(api.POST("/api/account/second-factor/confirm", { body: { code } })),
    onSuccess: refresh,
    gcTime: 0,
  });
  const renewRecoveryCodes = useMutation({
    mutationFn: (code: string) => unwrap(api.POST("/api/account/second-factor/recovery-codes", { body: { code } })),
    onSuccess: refresh,
    gcTime: 0,
  });
  const removeSecondFactor = useMutation({
    mutationFn: (body: { current_password: string; code: string }) =>
      unwrap(api.POST("/api/account/second-factor/remove", { body })),
    onSuccess: refresh,
  });
  const link = useMutation({
    mutationFn: async (provider: string) => {
      const { url } = await unwrap(api.POST("/api/account/identities/{provider}", { params: { path: { provider } } }));
      window.location.assign(url);
    },
  });
  const unlink = useMutation({
    mutationFn: (identity_id: string) =>
      unwrap(api.DELETE("/api/account/identities/{identity_id}", { params: { path: { identity_id } } })),
    onSuccess: refresh,
  });
  return {
    endSignIn,
    endOthers,
    beginSecondFactor,
    confirmSecondFactor,
    renewRecoveryCodes,
    removeSecondFactor,
    link,
    unlink,
  };
}

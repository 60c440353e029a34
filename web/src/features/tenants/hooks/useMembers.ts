import { type InfiniteData, useMutation, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "@/api/client";
import type { Member, NewMember, Role } from "@/api/types";
import { usePagedList } from "@/api/usePagedList";
import { useTenant } from "./useWorkspace";

export function useMembers() {
  const { slug, api } = useTenant();
  return usePagedList<Member>(["members", slug], (query) => unwrap(api.GET("/api/members", { params: { query } })));
}

export function useMemberActions() {
  const queryClient = useQueryClient();
  const { slug, api } = useTenant();
  const queryKey = ["members", slug];
  const refresh = () => queryClient.invalidateQueries({ queryKey });

  const add = useMutation({
    mutationKey: queryKey,
    mutationFn: (body: NewMember) => unwrap(api.POST("/api/members", { body })),
    onSuccess: refresh,
  });
  const renewInvite = useMutation({
    mutationKey: queryKey,
    mutationFn: (user_id: string) =>
      unwrap(api.POST("/api/members/{user_id}/invite", { params: { path: { user_id } } })),
  });
  const changeRole = useMutation({
    mutationKey: queryKey,
    mutationFn: ({ user_id, role }: { user_id: string; role: Role }) =>
      unwrap(api.PATCH("/api/members/{user_id}", { params: { path: { user_id } }, body: { role } })),
    onMutate: async ({ user_id, role }) => {
      await queryClient.cancelQueries({ queryKey });
      const before = queryClient.getQueryData<MemberPages>(queryKey);
      queryClient.setQueryData<MemberPages>(queryKey, (pages) => withRole(pages, user_id, role));
      return { before };
    },
    onError: (_error, _change, context) => queryClient.setQueryData(queryKey, context?.before),
    onSettled: refresh,
  });
  const remove = useMutation({
    mutationKey: queryKey,
    mutationFn: (user_id: string) => unwrap(api.DELETE("/api/members/{user_id}", { params: { path: { user_id } } })),
    onSuccess: refresh,
  });
  const reset = useMutation({
    mutationKey: queryKey,
    mutationFn: ({ user_id, second_factor }: { user_id: string; second_factor: boolean }) =>
      unwrap(api.POST("/api/members/{user_id}/reset", { params: { path: { user_id } }, body: { second_factor } })),
    gcTime: 0, // the answer holds a secret
  });
  const signOut = useMutation({
    mutationKey: queryKey,
    mutationFn: (user_id: string) =>
      unwrap(api.DELETE("/api/members/{user_id}/sessions", { params: { path: { user_id } } })),
  });
  return { add, renewInvite, changeRole, remove, reset, signOut };
}

type MemberPages = InfiniteData<{ data: Member[]; next_cursor?: string | null }>;

function withRole(pages: MemberPages | undefined, userId: string, role: Role): MemberPages | undefined {
  return (
    pages && {
      ...pages,
      pages: pages.pages.map((page) => ({
        ...page,
        data: page.data.map((member) => (member.user_id === userId ? { ...member, role } : member)),
      })),
    }
  );
}

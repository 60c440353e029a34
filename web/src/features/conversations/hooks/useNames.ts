import type { ReactionRow } from "@/api/types";
import { useEveryPage } from "@/api/useEveryPage";
import { useMembers } from "@/features/tenants/hooks/useMembers";
import { isMember } from "../lib/reactions";

/** Whose a reaction is, in words: members by name, end users as the chat's server calls them. */
export function useNames(reactions: readonly ReactionRow[]): (row: ReactionRow) => string {
  const members = useMembers();
  const nameOf = (id: string | null) => {
    const found = members.rows?.find(({ user_id }) => user_id === id);
    return found && (found.name || found.email);
  };
  useEveryPage(members, reactions.some((row) => isMember(row) && nameOf(row.user_id) === undefined));
  return (row) => {
    if (isMember(row)) return nameOf(row.user_id) ?? "Somebody of the workspace";
    return row.user_id ?? "The end user";
  };
}

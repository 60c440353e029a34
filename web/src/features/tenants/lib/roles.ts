import type { Role } from "@/api/types";

/** From least to most; each role can do what those before it can. */
export const ROLES = ["viewer", "contributor", "reviewer", "admin", "owner"] as const satisfies readonly Role[];

export const ROLE_SUMMARY: Record<Role, string> = {
  viewer: "Reads everything in the workspace",
  contributor: "Adds records, responses and conversations",
  reviewer: "Reviews responses and promotes them into records",
  admin: "Manages members, keys, agents and settings",
  owner: "Everything, including other owners",
};

export function roleLabel(role: string): string {
  return role.charAt(0).toUpperCase() + role.slice(1);
}

/** The roles someone may hand out: none above their own. */
export function grantableRoles(own: Role): Role[] {
  return ROLES.slice(0, ROLES.indexOf(own) + 1);
}

/** What each role has that the one before it has not. */
export function addedGrants<R extends { grants: string[] }>(roles: readonly R[]): R[] {
  return roles.map((role, i) => ({
    ...role,
    grants: role.grants.filter((grant) => !roles[i - 1]?.grants.includes(grant)),
  }));
}

export function roleOptions(roles: readonly Role[]) {
  return roles.map((role) => ({ value: role, label: roleLabel(role) }));
}

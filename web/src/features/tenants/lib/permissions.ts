/** Whether a grant such as `*.team.read` covers a permission such as `keys.team.read`. */
export function covers(grant: string, permission: string): boolean {
  if (grant === "*") return true;
  const wanted = permission.split(".");
  const parts = grant.split(".");
  return parts.length === wanted.length && parts.every((part, i) => part === "*" || part === wanted[i]);
}

export function allows(grants: readonly string[], permission: string): boolean {
  return grants.some((grant) => covers(grant, permission));
}

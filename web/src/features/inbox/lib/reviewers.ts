/** Who can be asked to review. */
import type { Role } from "@/api/types";

const REVIEWING: readonly Role[] = ["reviewer", "admin", "owner"];

export function canBeAssigned(role: Role): boolean {
  return REVIEWING.includes(role);
}

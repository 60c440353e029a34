/** Facts in words. Pure. */
import type { AuditEntry } from "@/api/types";

/** `member.role_changed` as "Member role changed"; `extraction/result-rejected` as "Extraction result rejected". */
export function inWords(name: string): string {
  const words = name.replace(/[./_-]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function whoOf({ actor }: Pick<AuditEntry, "actor">): string {
  if (actor.kind === "system") return "System";
  return actor.name ?? (actor.kind === "agent" ? "An agent that is gone" : "Somebody who is gone");
}

/** With what and from where: "Key ops, 192.0.2.7". */
export function wayOf({ via, key, address }: Pick<AuditEntry, "via" | "key" | "address">): string {
  const by = via === "key" ? `Key ${key?.name ?? "that is gone"}` : via === "page" ? "Signed in" : "In the background";
  return address ? `${by}, ${address}` : by;
}

/** A value as one reads it: texts as they are, all else as JSON, nothing where there was none. */
export function valueInWords(value: unknown, present: boolean): string {
  if (!present) return "nothing";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

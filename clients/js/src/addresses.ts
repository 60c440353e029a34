/** The single source of how ids become parts of an address. Pure. */
import { GoldloopError } from "./errors.js";

/** What is missing would make it another address, and so would `..`, which no browser sends. */
export function addressPart(value: unknown): string {
  const text = String(value ?? "");
  if (/^\.{0,2}$/.test(text)) {
    throw new GoldloopError({ code: "client_error", detail: `"${text}" cannot be a part of an address` });
  }
  return encodeURIComponent(text);
}

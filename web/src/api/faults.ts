/** How a place in a JSON document is written (RFC 6901), and what is wrong at it. */
import type { FieldProblem } from "./problem";

export type Fault = FieldProblem;

export function fault(path: string, code: string, message: string): Fault {
  return { path, code, message };
}

/** `("values", "a/b", 0)` as `/values/a~1b/0`. */
export function pointer(...parts: (string | number)[]): string {
  return parts.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

export function parsePointer(path: string): string[] {
  return path
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function isWithin(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`);
}

/** What to say at a place: the first fault at it or anywhere below. */
export function messageAt(faults: readonly Fault[], place: string): string | undefined {
  return faults.find(({ path }) => isWithin(path, place))?.message;
}

export function hasFaultAt(faults: readonly Fault[], place: string): boolean {
  return faults.some(({ path }) => isWithin(path, place));
}

/** What none of these places can show, to be said at the head of a form. */
export function faultsElsewhere(faults: readonly Fault[], places: readonly string[]): Fault[] {
  return faults.filter(({ path }) => !places.some((place) => isWithin(path, place)));
}

/** A reason names fields in backticks: its parts, and whether each is such a name. */
export interface ReasonPart {
  text: string;
  isName: boolean;
}

export function splitReason(reason: string): ReasonPart[] {
  const parts = reason.split("`");
  if (parts.length % 2 === 0) return [{ text: reason, isName: false }]; // a lone backtick is only that
  return parts.map((text, place) => ({ text, isName: place % 2 === 1 })).filter(({ text }) => text !== "");
}

/** Ids that the page chooses, so that a create can be sent twice. The server's own are made the same way. */

/** A UUIDv7: sorts by the time it was made. */
export function newId(): string {
  return idAt(Date.now(), crypto.getRandomValues(new Uint8Array(10)));
}

/** The UUIDv7 of a moment since 1970; `tail` is ten bytes that tell it from others of that moment. */
export function idAt(milliseconds: number, tail: Uint8Array): string {
  const moment = Math.floor(milliseconds).toString(16).padStart(12, "0").slice(-12);
  const bytes = Array.from(tail.slice(0, 10), (byte, place) => {
    if (place === 0) return (byte & 0x0f) | 0x70; // version 7
    if (place === 2) return (byte & 0x3f) | 0x80; // RFC 9562 variant
    return byte;
  });
  const hex = moment + bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

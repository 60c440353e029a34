/** Markdown within a line: code, emphasis, links. Pure; see `parseMarkdown`. */
export type Inline =
  | { type: "text" | "code"; text: string }
  | { type: "strong" | "em"; children: Inline[] }
  | { type: "link"; href: string; children: Inline[] }
  /** Told and linked to, never loaded: an answer could point it at anybody. */
  | { type: "image"; href: string; alt: string };

/** How many signs were looked at: what a text costs, whatever the machine. */
export type Work = { signs: number };

type Found = { node: Inline; end: number };

const BACKTICK = /`/g;
const STAR = /\*/g;
const BRACKET = /]/g;
const STOP = /[\s)]/g;
const ADDRESS_END = /[\s<>"'`*)\]|]/g;
const SCHEMES = ["https://", "http://"];
const LINKED = [...SCHEMES, "mailto:"];
const ESCAPED = /[!-/:-@[-`{-~]/;

export function parseInline(text: string, work: Work, inLink = false): Inline[] {
  const nodes: Inline[] = [];
  const scan = new Scan(text, work, inLink);
  let written = 0;
  for (let at = 0; at < text.length; ) {
    const found = scan.at(at);
    if (found === null) {
      at += 1;
      continue;
    }
    if (at > written) nodes.push({ type: "text", text: text.slice(written, at) });
    nodes.push(found.node);
    at = written = found.end;
  }
  if (written < text.length) nodes.push({ type: "text", text: text.slice(written) });
  return nodes;
}

/** Looks for what begins at a place. What it learns about the signs ahead it keeps, so that it never looks there again. */
class Scan {
  private readonly next = new Map<RegExp, { from: number; place: number }>();
  private readonly unclosed = new Set<string>();

  constructor(
    private readonly text: string,
    private readonly work: Work,
    private readonly inLink: boolean,
  ) {}

  at(place: number): Found | null {
    this.work.signs += 1;
    switch (this.text[place]) {
      case "`":
        return this.code(place);
      case "*":
        return this.text[place + 1] === "*" ? this.strong(place) : this.em(place);
      case "\\":
        return this.escaped(place);
      case "!":
        return this.text[place + 1] === "[" ? this.image(place) : null;
      case "[":
        return this.inLink ? null : this.link(place);
      case "h":
        return this.inLink ? null : this.address(place);
      default:
        return null;
    }
  }

  /** The first of these signs from a place on; the end of the text where there is none. */
  private find(signs: RegExp, from: number): number {
    const known = this.next.get(signs);
    if (known && known.from <= from && from <= known.place) return known.place;
    signs.lastIndex = from;
    const place = signs.exec(this.text)?.index ?? this.text.length;
    this.work.signs += place - from;
    this.next.set(signs, { from, place });
    return place;
  }

  private inner(from: number, to: number, inLink = this.inLink): Inline[] {
    return parseInline(this.text.slice(from, to), this.work, inLink);
  }

  private code(place: number): Found | null {
    const end = this.find(BACKTICK, place + 1);
    if (end === place + 1 || end === this.text.length) return null;
    return { node: { type: "code", text: this.text.slice(place + 1, end) }, end: end + 1 };
  }

  /** A sign that is meant as itself. */
  private escaped(place: number): Found | null {
    const sign = this.text[place + 1] ?? "";
    return ESCAPED.test(sign) ? { node: { type: "text", text: sign }, end: place + 2 } : null;
  }

  private em(place: number): Found | null {
    const end = this.find(STAR, place + 1);
    if (end === this.text.length || /^\s/.test(this.text.slice(place + 1, place + 2))) return null;
    return { node: { type: "em", children: this.inner(place + 1, end) }, end: end + 1 };
  }

  /** `**` to the next `**`; between them `*emphasis*` in pairs. */
  private strong(place: number): Found | null {
    const passed: string[] = [];
    let inEmphasis = false;
    let star = this.find(STAR, place + 2);
    if (star === place + 2) return null;
    while (star < this.text.length) {
      const state = `${star}${inEmphasis}`;
      if (this.unclosed.has(state)) break;
      passed.push(state);
      this.work.signs += 1;
      const doubled = this.text[star + 1] === "*";
      if (doubled && !inEmphasis) {
        return { node: { type: "strong", children: this.inner(place + 2, star) }, end: star + 2 };
      }
      inEmphasis = !inEmphasis;
      star = this.find(STAR, star + 1);
    }
    for (const state of passed) this.unclosed.add(state);
    return null;
  }

  private link(place: number): Found | null {
    const close = this.find(BRACKET, place + 1);
    if (close === this.text.length || close === place + 1) return null;
    const target = this.target(close, LINKED);
    if (target === null) return null;
    return { node: { type: "link", href: target.href, children: this.inner(place + 1, close, true) }, end: target.end };
  }

  private image(place: number): Found | null {
    const close = this.find(BRACKET, place + 2);
    if (close === this.text.length || this.inLink) return null;
    const target = this.target(close, SCHEMES);
    return target && { node: { type: "image", href: target.href, alt: this.text.slice(place + 2, close) }, end: target.end };
  }

  /** What stands in brackets after a label, where it is safe to follow. */
  private target(close: number, schemes: readonly string[]): { href: string; end: number } | null {
    if (this.text[close + 1] !== "(") return null;
    const scheme = schemes.find((each) => this.text.startsWith(each, close + 2));
    if (scheme === undefined) return null;
    const end = this.find(STOP, close + 2 + scheme.length);
    if (this.text[end] !== ")" || end === close + 2 + scheme.length) return null;
    return { href: this.text.slice(close + 2, end), end: end + 1 };
  }

  /** An address of the web that stands by itself; what ends the sentence is not part of it. */
  private address(place: number): Found | null {
    const scheme = SCHEMES.find((each) => this.text.startsWith(each, place));
    if (scheme === undefined || /\w/.test(this.text[place - 1] ?? "")) return null;
    let end = this.find(ADDRESS_END, place + scheme.length);
    while (end > place + scheme.length && ".,;:!?".includes(this.text[end - 1] ?? "")) end -= 1;
    if (end === place + scheme.length) return null;
    const href = this.text.slice(place, end);
    return { node: { type: "link", href, children: [{ type: "text", text: href }] }, end };
  }
}

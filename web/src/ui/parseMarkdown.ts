/** The part of Markdown that notes are written in, as a tree. Everything else is text; HTML is never read.
 * Whatever is written, each sign is looked at a fixed number of times at most. */
export type Inline =
  | { type: "text" | "code"; text: string }
  | { type: "strong" | "em"; children: Inline[] }
  | { type: "link"; href: string; children: Inline[] };

export type MarkdownBlock =
  | { type: "heading" | "paragraph" | "quote"; children: Inline[] }
  | { type: "list"; ordered: boolean; items: Inline[][] }
  | { type: "code"; text: string };

/** How many signs were looked at: what a text costs, whatever the machine. */
export type Work = { signs: number };

const ITEM = /^\s*(?:[-*+]|(\d+)[.)])\s+/;
const FENCE = "```";

export function parseMarkdown(text: string, work: Work = { signs: 0 }): MarkdownBlock[] {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  const blocks: MarkdownBlock[] = [];
  let paragraph: string[] = [];
  const flush = () => {
    if (paragraph.length > 0) blocks.push({ type: "paragraph", children: parseInline(paragraph.join("\n"), work) });
    paragraph = [];
  };
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    work.signs += line.length + 1;
    if (line.startsWith(FENCE)) {
      flush();
      const code: string[] = [];
      for (at += 1; at < lines.length && !lines[at]?.startsWith(FENCE); at += 1) code.push(lines[at] ?? "");
      blocks.push({ type: "code", text: code.join("\n") });
    } else if (/^#{1,6}\s/.test(line)) {
      flush();
      blocks.push({ type: "heading", children: parseInline(line.replace(/^#+\s+/, ""), work) });
    } else if (line.startsWith(">")) {
      flush();
      blocks.push({ type: "quote", children: parseInline(line.replace(/^>\s?/, ""), work) });
    } else if (ITEM.test(line)) {
      flush();
      addItem(blocks, line, work);
    } else if (line.trim() === "") {
      flush();
    } else {
      paragraph.push(line);
    }
  }
  flush();
  return blocks;
}

function addItem(blocks: MarkdownBlock[], line: string, work: Work): void {
  const [mark = "", number] = ITEM.exec(line) ?? [];
  const ordered = number !== undefined;
  const item = parseInline(line.slice(mark.length), work);
  const before = blocks.at(-1);
  if (before?.type === "list" && before.ordered === ordered) before.items.push(item);
  else blocks.push({ type: "list", ordered, items: [item] });
}

type Found = { node: Inline; end: number };

function parseInline(text: string, work: Work): Inline[] {
  const nodes: Inline[] = [];
  const scan = new Scan(text, work);
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
  ) {}

  at(place: number): Found | null {
    this.work.signs += 1;
    const sign = this.text[place];
    if (sign === "`") return this.code(place);
    if (sign === "*") return this.text[place + 1] === "*" ? this.strong(place) : this.em(place);
    return sign === "[" ? this.link(place) : null;
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

  private code(place: number): Found | null {
    const end = this.find(BACKTICK, place + 1);
    if (end === place + 1 || end === this.text.length) return null;
    return { node: { type: "code", text: this.text.slice(place + 1, end) }, end: end + 1 };
  }

  private em(place: number): Found | null {
    const end = this.find(STAR, place + 1);
    if (end === this.text.length || /^\s/.test(this.text.slice(place + 1, place + 2))) return null;
    const children = parseInline(this.text.slice(place + 1, end), this.work);
    return { node: { type: "em", children }, end: end + 1 };
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
        const children = parseInline(this.text.slice(place + 2, star), this.work);
        return { node: { type: "strong", children }, end: star + 2 };
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
    const target = this.target(close);
    if (target === null) return null;
    const children = parseInline(this.text.slice(place + 1, close), this.work);
    return { node: { type: "link", href: target.href, children }, end: target.end };
  }

  /** What stands in brackets after a label, where it is safe to follow. */
  private target(close: number): { href: string; end: number } | null {
    const opening = ["(https://", "(http://", "(mailto:"].find((each) => this.text.startsWith(each, close + 1));
    if (opening === undefined) return null;
    const end = this.find(STOP, close + 1 + opening.length);
    if (this.text[end] !== ")" || end === close + 1 + opening.length) return null;
    return { href: this.text.slice(close + 2, end), end: end + 1 };
  }
}

const BACKTICK = /`/g;
const STAR = /\*/g;
const BRACKET = /]/g;
const STOP = /[\s)]/g;

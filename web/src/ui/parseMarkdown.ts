/** The part of Markdown that notes and agents' answers are written in, as a tree. Everything else is text; HTML is never
 * read, and only addresses of the web and of mail become links. Whatever is written, each sign is looked at a fixed number
 * of times at most. */
import { type Inline, type Work, parseInline } from "./parseInline";
import { type Table, readTable } from "./parseTable";

export type { Inline, Work };

export interface ListItem {
  children: Inline[];
  list?: ListBlock;
}

export interface ListBlock {
  type: "list";
  ordered: boolean;
  /** Where an ordered list begins, if not at 1. */
  start?: number;
  items: ListItem[];
}

export type MarkdownBlock =
  | { type: "heading" | "paragraph" | "quote"; children: Inline[] }
  | ListBlock
  | Table
  | { type: "rule" }
  | { type: "code"; text: string; language?: string };

const ITEM = /^\s*(?:[-*+]|(\d{1,9})[.)])\s+/;
const FENCE = /^\s*(`{3,}|~{3,})([^`]*)$/;
const RULE = /^(?:-{3,}|\*{3,}|_{3,})$/;
const DEEPEST = 6; // lists in lists; what is deeper stands there
const NESTED = 2; // spaces that make an item one of the item before

export function parseMarkdown(text: string, work: Work = { signs: 0 }): MarkdownBlock[] {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  const reader = new Reader(work);
  for (let at = 0; at < lines.length; ) at = reader.read(lines, at);
  return reader.end();
}

/** Takes lines one block after the other. */
class Reader {
  private readonly blocks: MarkdownBlock[] = [];
  private paragraph: string[] = [];
  /** Lists that an item may still go on, from the outermost in. */
  private open: { indent: number; list: ListBlock }[] = [];
  private afterItem = false;

  constructor(private readonly work: Work) {}

  /** The place of the next line to read. */
  read(lines: readonly string[], at: number): number {
    const line = lines[at] ?? "";
    this.work.signs += line.length + 1;
    const trimmed = line.trim();
    const fence = FENCE.exec(line);
    if (fence) return this.code(lines, at, fence);
    if (trimmed === "") {
      this.flush();
      this.afterItem = false;
      return at + 1;
    }
    if (RULE.test(trimmed)) return this.add({ type: "rule" }, at + 1);
    if (ITEM.test(line)) {
      this.flush();
      this.item(line);
      return at + 1;
    }
    if (/^#{1,6}\s/.test(line)) {
      return this.add({ type: "heading", children: this.inline(line.replace(/^#+\s+/, "")) }, at + 1);
    }
    if (line.startsWith(">")) return this.quote(lines, at);
    const table = readTable(lines, at, (cell) => this.inline(cell));
    if (table) return this.add(table.block, table.end);
    if (this.afterItem && /^\s/.test(line)) this.continueItem(trimmed);
    else this.paragraph.push(line);
    return at + 1;
  }

  end(): MarkdownBlock[] {
    this.flush();
    return this.blocks;
  }

  private inline(text: string): Inline[] {
    return parseInline(text, this.work);
  }

  private flush(): void {
    if (this.paragraph.length === 0) return;
    const children = this.inline(this.paragraph.join("\n"));
    this.paragraph = [];
    this.add({ type: "paragraph", children }, 0);
  }

  private add(block: MarkdownBlock, next: number): number {
    this.flush();
    this.blocks.push(block);
    this.open = [];
    this.afterItem = false;
    return next;
  }

  private code(lines: readonly string[], start: number, [, mark = "", about = ""]: RegExpExecArray): number {
    const code: string[] = [];
    let at = start + 1;
    for (; at < lines.length && !isClosing(lines[at] ?? "", mark); at += 1) code.push(lines[at] ?? "");
    const language = about.trim().split(/\s/, 1)[0];
    return this.add({ type: "code", text: code.join("\n"), ...(language ? { language } : {}) }, at + 1);
  }

  private quote(lines: readonly string[], start: number): number {
    const quoted: string[] = [];
    let at = start;
    for (; lines[at]?.startsWith(">"); at += 1) quoted.push((lines[at] ?? "").replace(/^>\s?/, ""));
    return this.add({ type: "quote", children: this.inline(quoted.join("\n")) }, at);
  }

  private item(line: string): void {
    const [mark = "", number] = ITEM.exec(line) ?? [];
    const indent = mark.length - mark.trimStart().length;
    const item: ListItem = { children: this.inline(line.slice(mark.length)) };
    const list = this.listFor(indent, number);
    list.items.push(item);
    this.afterItem = true;
  }

  /** The list that an item of this indentation belongs to, made where it is the first of it. */
  private listFor(indent: number, number: string | undefined): ListBlock {
    while (this.open.length > 1 && (this.open.at(-1)?.indent ?? 0) > indent) this.open.pop();
    const around = this.open.at(-1);
    const parent = around?.list.items.at(-1);
    if (around && parent && indent >= around.indent + NESTED && this.open.length < DEEPEST) {
      const list = newList(number);
      parent.list = list;
      this.open.push({ indent, list });
      return list;
    }
    if (around && (this.open.length > 1 || around.list.ordered === (number !== undefined))) return around.list;
    const list = newList(number);
    this.add(list, 0);
    this.open = [{ indent, list }];
    return list;
  }

  private continueItem(text: string): void {
    const item = this.open.at(-1)?.list.items.at(-1);
    item?.children.push({ type: "text", text: "\n" }, ...this.inline(text));
  }
}

function newList(number: string | undefined): ListBlock {
  const start = Number(number);
  return { type: "list", ordered: number !== undefined, ...(start > 1 ? { start } : {}), items: [] };
}

/** A line of nothing but the sign of the fence, at least as often. */
function isClosing(line: string, mark: string): boolean {
  const trimmed = line.trim();
  return trimmed.length >= mark.length && trimmed === (mark[0] ?? "`").repeat(trimmed.length);
}

/** The part of Markdown that notes are written in, as a tree. Everything else is text; HTML is never read. */
export type Inline =
  | { type: "text" | "code"; text: string }
  | { type: "strong" | "em"; children: Inline[] }
  | { type: "link"; href: string; children: Inline[] };

export type MarkdownBlock =
  | { type: "heading" | "paragraph" | "quote"; children: Inline[] }
  | { type: "list"; ordered: boolean; items: Inline[][] }
  | { type: "code"; text: string };

const ITEM = /^\s*(?:[-*+]|(\d+)[.)])\s+(.*)$/;
const FENCE = /^```/;

export function parseMarkdown(text: string): MarkdownBlock[] {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  const blocks: MarkdownBlock[] = [];
  let paragraph: string[] = [];
  const flush = () => {
    if (paragraph.length > 0) blocks.push({ type: "paragraph", children: parseInline(paragraph.join("\n")) });
    paragraph = [];
  };
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    if (FENCE.test(line)) {
      flush();
      const end = lines.findIndex((each, place) => place > at && FENCE.test(each));
      const stop = end < 0 ? lines.length : end;
      blocks.push({ type: "code", text: lines.slice(at + 1, stop).join("\n") });
      at = stop;
    } else if (/^#{1,6}\s/.test(line)) {
      flush();
      blocks.push({ type: "heading", children: parseInline(line.replace(/^#+\s+/, "")) });
    } else if (/^>\s?/.test(line)) {
      flush();
      blocks.push({ type: "quote", children: parseInline(line.replace(/^>\s?/, "")) });
    } else if (ITEM.test(line)) {
      flush();
      addItem(blocks, line);
    } else if (line.trim() === "") {
      flush();
    } else {
      paragraph.push(line);
    }
  }
  flush();
  return blocks;
}

function addItem(blocks: MarkdownBlock[], line: string): void {
  const [, number, text = ""] = ITEM.exec(line) ?? [];
  const ordered = number !== undefined;
  const before = blocks.at(-1);
  if (before?.type === "list" && before.ordered === ordered) before.items.push(parseInline(text));
  else blocks.push({ type: "list", ordered, items: [parseInline(text)] });
}

const INLINE = new RegExp(
  [
    /`([^`]+)`/, // code
    /\*\*([^*]+(?:\*[^*]+\*[^*]*)*)\*\*/, // strong, which may hold emphasis
    /\*([^*\s][^*]*)\*/, // emphasis
    /\[([^\]]+)\]\(((?:https?:\/\/|mailto:)[^\s)]+)\)/, // a link that is safe to follow
  ]
    .map(({ source }) => source)
    .join("|"),
  "g",
);

function parseInline(text: string): Inline[] {
  const nodes: Inline[] = [];
  let at = 0;
  for (const match of text.matchAll(INLINE)) {
    if (match.index > at) nodes.push({ type: "text", text: text.slice(at, match.index) });
    nodes.push(inlineOf(match));
    at = match.index + match[0].length;
  }
  if (at < text.length) nodes.push({ type: "text", text: text.slice(at) });
  return nodes;
}

function inlineOf([, code, strong, em, label = "", href = ""]: RegExpExecArray): Inline {
  if (code !== undefined) return { type: "code", text: code };
  if (strong !== undefined) return { type: "strong", children: parseInline(strong) };
  if (em !== undefined) return { type: "em", children: parseInline(em) };
  return { type: "link", href, children: parseInline(label) };
}

import { expect, test } from "vitest";
import { parseMarkdown } from "./parseMarkdown";

const text = (value: string) => ({ type: "text", text: value });

test.each([
  ["", []],
  ["plain", [{ type: "paragraph", children: [text("plain")] }]],
  ["a\nb\n\nc", [{ type: "paragraph", children: [text("a\nb")] }, { type: "paragraph", children: [text("c")] }]],
  ["## Head", [{ type: "heading", children: [text("Head")] }]],
  ["- a\n- b", [{ type: "list", ordered: false, items: [[text("a")], [text("b")]] }]],
  ["1. a\n2. b", [{ type: "list", ordered: true, items: [[text("a")], [text("b")]] }]],
  ["> said", [{ type: "quote", children: [text("said")] }]],
  ["```\n**a**\n```", [{ type: "code", text: "**a**" }]],
  ["```\nopen", [{ type: "code", text: "open" }]],
  ["**a**", [{ type: "paragraph", children: [{ type: "strong", children: [text("a")] }] }]],
  ["*a* b", [{ type: "paragraph", children: [{ type: "em", children: [text("a")] }, text(" b")] }]],
  ["2 * 3 * 4", [{ type: "paragraph", children: [text("2 * 3 * 4")] }]],
  [
    "**a *b* c**",
    [{ type: "paragraph", children: [{ type: "strong", children: [text("a "), { type: "em", children: [text("b")] }, text(" c")] }] }],
  ],
  ["**a*b** c", [{ type: "paragraph", children: [text("*"), { type: "em", children: [text("a")] }, text("b** c")] }]],
  ["[[a](https://b.c)", [{ type: "paragraph", children: [{ type: "link", href: "https://b.c", children: [text("[a")] }] }]],
  ["[a](https://b.c", [{ type: "paragraph", children: [text("[a](https://b.c")] }]],
  ["[](https://b.c)", [{ type: "paragraph", children: [text("[](https://b.c)")] }]],
  ["``", [{ type: "paragraph", children: [text("``")] }]],
  ["```\na\n```\nb", [{ type: "code", text: "a" }, { type: "paragraph", children: [text("b")] }]],
  ["`**a**`", [{ type: "paragraph", children: [{ type: "code", text: "**a**" }] }]],
  [
    "[a](https://b.c)",
    [{ type: "paragraph", children: [{ type: "link", href: "https://b.c", children: [text("a")] }] }],
  ],
  ["[a](javascript:alert(1))", [{ type: "paragraph", children: [text("[a](javascript:alert(1))")] }]],
  ["<b>a</b>", [{ type: "paragraph", children: [text("<b>a</b>")] }]],
])("%j", (source, tree) => {
  expect(parseMarkdown(source)).toEqual(tree);
});

const HOSTILE: [string, (n: number) => string][] = [
  ["[", (n) => "[".repeat(n)],
  ["[ with one end", (n) => `${"[".repeat(n)}]`],
  ["[ with a link without end", (n) => `${"[".repeat(n)}](https://${"a".repeat(n)}`],
  ["[a](https://", (n) => "[a](https://".repeat(n)],
  ["*", (n) => "*".repeat(n)],
  ["**", (n) => "** ".repeat(n)],
  ["**a*b", (n) => "**a*b".repeat(n)],
  ["**a*b**c", (n) => `**a*b${"**c".repeat(n)}`],
  ["*a", (n) => "*a ".repeat(n)],
  ["* a", (n) => "a* a".repeat(n)],
  ["_", (n) => "_".repeat(n)],
  ["`", (n) => "`".repeat(n)],
  ["`a", (n) => `${"``a".repeat(n)}`],
  ["fences", (n) => "```\n".repeat(n)],
  [">", (n) => ">".repeat(n)],
  ["quotes", (n) => "> a\n".repeat(n)],
  ["nested lists", (n) => Array.from({ length: Math.sqrt(n) }, (_, depth) => `${" ".repeat(depth)}- a\n`).join("")],
  ["a long number", (n) => "1".repeat(n)],
  ["an item of spaces", (n) => `- ${" ".repeat(n)}\u2028a`],
  ["a table", (n) => "|a|b|\n".repeat(n)],
  ["<", (n) => "<".repeat(n)],
  ["#", (n) => "#".repeat(n)],
  ["line breaks", (n) => "\n".repeat(n)],
  ["spaces", (n) => " ".repeat(n)],
];

test.each(HOSTILE)("four times as much of %s is about four times the work", (_, make) => {
  const signs = (n: number) => {
    const work = { signs: 0 };
    parseMarkdown(make(n), work);
    return work.signs;
  };
  expect(signs(8_000)).toBeLessThan(4.2 * signs(2_000) + 100);
});

test.each(HOSTILE)("100,000 of %s are parsed", (_, make) => {
  expect(parseMarkdown(make(100_000))).toBeInstanceOf(Array);
});

import { expect, test } from "vitest";
import { parseMarkdown } from "./parseMarkdown";

const text = (value: string) => ({ type: "text", text: value });

test.each([
  ["", []],
  ["plain", [{ type: "paragraph", children: [text("plain")] }]],
  ["a\nb\n\nc", [{ type: "paragraph", children: [text("a\nb")] }, { type: "paragraph", children: [text("c")] }]],
  ["## Head", [{ type: "heading", children: [text("Head")] }]],
  ["- a\n- b", [{ type: "list", ordered: false, items: [{ children: [text("a")] }, { children: [text("b")] }] }]],
  ["1. a\n2. b", [{ type: "list", ordered: true, items: [{ children: [text("a")] }, { children: [text("b")] }] }]],
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
  ["[a](mailto:b@c.d", [{ type: "paragraph", children: [text("[a](mailto:b@c.d")] }]],
  ["[](mailto:b@c.d)", [{ type: "paragraph", children: [text("[](mailto:b@c.d)")] }]],
  ["``", [{ type: "paragraph", children: [text("``")] }]],
  ["```\na\n```\nb", [{ type: "code", text: "a" }, { type: "paragraph", children: [text("b")] }]],
  ["`**a**`", [{ type: "paragraph", children: [{ type: "code", text: "**a**" }] }]],
  [
    "[a](https://b.c)",
    [{ type: "paragraph", children: [{ type: "link", href: "https://b.c", children: [text("a")] }] }],
  ],
  ["[a](javascript:alert(1))", [{ type: "paragraph", children: [text("[a](javascript:alert(1))")] }]],
  ["[a](data:text/html,x) [b](//c.d) [e](JAVASCRIPT:f)", [{ type: "paragraph", children: [text("[a](data:text/html,x) [b](//c.d) [e](JAVASCRIPT:f)")] }]],
  [
    "see https://b.c/d?e=1, and (http://f.g).",
    [
      {
        type: "paragraph",
        children: [
          text("see "),
          { type: "link", href: "https://b.c/d?e=1", children: [text("https://b.c/d?e=1")] },
          text(", and ("),
          { type: "link", href: "http://f.g", children: [text("http://f.g")] },
          text(")."),
        ],
      },
    ],
  ],
  ["xhttps://b.c https://", [{ type: "paragraph", children: [text("xhttps://b.c https://")] }]],
  [
    "[https://a.b *c*](https://d.e)",
    [
      {
        type: "paragraph",
        children: [{ type: "link", href: "https://d.e", children: [text("https://a.b "), { type: "em", children: [text("c")] }] }],
      },
    ],
  ],
  ["![a *b*](https://c.d/e.png)", [{ type: "paragraph", children: [{ type: "image", href: "https://c.d/e.png", alt: "a *b*" }] }]],
  ["![](https://c.d)", [{ type: "paragraph", children: [{ type: "image", href: "https://c.d", alt: "" }] }]],
  ["![a](data:image/png;base64,x)", [{ type: "paragraph", children: [text("![a](data:image/png;base64,x)")] }]],
  ["\\*a\\* C:\\dir", [{ type: "paragraph", children: [text("*"), text("a"), text("*"), text(" C:\\dir")] }]],
  ["---", [{ type: "rule" }]],
  ["```py title\na\n```", [{ type: "code", language: "py", text: "a" }]],
  ["````\n```\n````", [{ type: "code", text: "```" }]],
  ["~~~\na\n~~~", [{ type: "code", text: "a" }]],
  ["```a``` b", [{ type: "paragraph", children: [text("``"), { type: "code", text: "a" }, text("`` b")] }]],
  ["> a\n> b\n\n> c", [{ type: "quote", children: [text("a\nb")] }, { type: "quote", children: [text("c")] }]],
  [
    "- a\n  - b\n  - c\n    more\n- d",
    [
      {
        type: "list",
        ordered: false,
        items: [
          {
            children: [text("a")],
            list: {
              type: "list",
              ordered: false,
              items: [{ children: [text("b")] }, { children: [text("c"), text("\n"), text("more")] }],
            },
          },
          { children: [text("d")] },
        ],
      },
    ],
  ],
  [
    "1. a\n```\nb\n```\n2. c",
    [
      { type: "list", ordered: true, items: [{ children: [text("a")] }] },
      { type: "code", text: "b" },
      { type: "list", ordered: true, start: 2, items: [{ children: [text("c")] }] },
    ],
  ],
  [
    "| a | b |\n|:--|--:|\n| 1 | `x` |\n| 2\\|3 |\n\nend",
    [
      {
        type: "table",
        align: ["left", "right"],
        head: [[text("a")], [text("b")]],
        rows: [
          [[text("1")], [{ type: "code", text: "x" }]],
          [[text("2|3")], []],
        ],
      },
      { type: "paragraph", children: [text("end")] },
    ],
  ],
  ["a | b\n--- | ---", [{ type: "table", align: [null, null], head: [[text("a")], [text("b")]], rows: [] }]],
  ["a | b\n---", [{ type: "paragraph", children: [text("a | b")] }, { type: "rule" }]],
  ["<script>alert(1)</script>", [{ type: "paragraph", children: [text("<script>alert(1)</script>")] }]],
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
  ["rows of a table", (n) => `|a|\n|-|\n${"|".repeat(n)}\n${"|b\n".repeat(n)}`],
  ["dashes under a bar", (n) => `|\n${"-|".repeat(n)}`],
  ["dashes and spaces", (n) => `|\n${"- ".repeat(n)}a`],
  ["addresses", (n) => "https://a ".repeat(n)],
  ["an address of dots", (n) => `https://a${".".repeat(n)}`],
  ["half an address", (n) => "https://".repeat(n)],
  ["images", (n) => "![".repeat(n)],
  ["backslashes", (n) => "\\".repeat(n)],
  ["items that go on", (n) => `- a\n${"  b\n".repeat(n)}`],
  ["deeper and back", (n) => "- a\n  - b\n".repeat(n)],
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

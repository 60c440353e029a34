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

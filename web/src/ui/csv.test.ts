import { expect, test } from "vitest";
import { toCsv } from "./csv";

const line = (...cells: Parameters<typeof toCsv>[0][number]) => toCsv([cells]).slice(1);

test("cells are quoted only where they must be", () => {
  expect(line("plain", 'say "hi"', "a,b", "two\nlines", " spaced ")).toBe(
    'plain,"say ""hi""","a,b","two\nlines"," spaced "\r\n',
  );
});

test("numbers stay numbers, and nothing stays empty", () => {
  expect(line(0, -3.5, 1e21, null, "", Number.NaN)).toBe("0,-3.5,1e+21,,,\r\n");
});

test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "  =1", "\r=1", "|calc", "\u00a0=1", "\u3000+1", "\"=1", "'=1", " \" @a", "\u200b=1", "\ufeff-1", "＝1", "＋1", "－1", "＠a", " ＝1", "\u22121", "\ttab", "\r\n"])("text like a formula is only text: %j", (text) => {
  expect(line(text).replace(/^"/, "").startsWith("'")).toBe(true);
});

test("a spreadsheet is told the encoding, and rows end as it expects", () => {
  expect(toCsv([["å"], [1]])).toBe("\ufeffå\r\n1\r\n");
});

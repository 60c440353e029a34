import { readFileSync } from "node:fs";
import openapiTS, { COMMENT_HEADER, astToString } from "openapi-typescript";
import { expect, test } from "vitest";

test("schema.gen.ts is what openapi.json generates (else: npm run generate)", async () => {
  const document = new URL("../../openapi.json", import.meta.url);
  const generated = COMMENT_HEADER + astToString(await openapiTS(document));
  expect(readFileSync(new URL("./schema.gen.ts", import.meta.url), "utf8")).toBe(generated);
});

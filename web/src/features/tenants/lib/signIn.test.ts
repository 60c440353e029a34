import { expect, test } from "vitest";
import { deviceName } from "./device";
import { readProviderAnswer } from "./providerAnswer";

const CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

test.each([
  [CHROME, "Chrome on Linux"],
  [`${CHROME} Edg/140.0`, "Edge on Linux"],
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1", "Safari on iPhone"],
  ["Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Windows"],
  ["python-httpx/0.28", "python-httpx"],
  ["", "Unknown device"],
])("%s is %s", (userAgent, name) => {
  expect(deviceName(userAgent)).toBe(name);
});

test.each([
  ["?state=a&code=123&iss=https%3A%2F%2Fcorp", { state: "a", code: "123", iss: "https://corp" }],
  ["?state=a&error=access_denied&error_description=No", { state: "a", error: "access_denied" }],
  ["?code=123", null],
  ["", null],
])("%s is read as an answer", (search, answer) => {
  expect(readProviderAnswer(search)).toEqual(answer);
});

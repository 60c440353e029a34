import { describe, expect, test } from "vitest";
import { Problem, parseProblem, placeErrors, toProblem } from "./problem";

function answer(status: number, headers: Record<string, string> = {}) {
  return { status, headers: new Headers(headers) };
}

describe("parseProblem", () => {
  test.each([
    ["detail is shown", 409, { code: "last_owner", detail: "One owner must stay.", errors: [] }, "last_owner", "One owner must stay."],
    ["title stands in for a missing detail", 400, { title: "Bad request" }, "http_400", "Bad request"],
    ["a proxy's page still gives a sentence", 502, "<html>", "http_502", "The server failed to answer. Try again in a moment."],
    ["no body at all", 403, undefined, "http_403", "You do not have permission to do this."],
    ["malformed errors are dropped", 422, { detail: "Invalid.", errors: "?" }, "http_422", "Invalid."],
  ])("%s", (_name, status, body, code, detail) => {
    const problem = parseProblem(answer(status), body);
    expect([problem.status, problem.code, problem.message, problem.errors]).toEqual([status, code, detail, []]);
  });

  test.each([
    ["120", 120],
    ["0", 0],
    [null, null],
    ["Wed, 21 Oct 2026 07:28:00 GMT", null],
  ])("Retry-After %s is read as %s", (header, seconds) => {
    const response = answer(429, header === null ? {} : { "Retry-After": header });
    expect(parseProblem(response, {}).retryAfterSeconds).toBe(seconds);
  });
});

test("what is no problem of a call is one of the page", () => {
  expect(toProblem(new TypeError("x is undefined")).code).toBe("page_failed");
});

describe("placeErrors", () => {
  const at = (path: string, message: string) => ({ path, code: "invalid", message });
  test.each([
    ["a field's error goes to the field", [at("/name", "Too long")], { name: "Too long" }, null],
    ["a nested path goes to its top field", [at("/scopes/0", "Unknown")], { scopes: "Unknown" }, null],
    ["the first error of a field wins", [at("/name", "A"), at("/name", "B")], { name: "A" }, null],
    ["an unknown field is said above the form", [at("/other", "Odd")], {}, "Odd"],
    ["both at once", [at("/name", "A"), at("", "Whole")], { name: "A" }, "Whole"],
    ["no field errors: the detail", [], {}, "The detail."],
  ])("%s", (_name, errors, fields, head) => {
    const problem = new Problem({ status: 422, code: "invalid", detail: "The detail.", errors });
    expect(placeErrors(problem, ["name", "scopes"])).toEqual({ fields, head });
  });
});

// @vitest-environment jsdom
import { expect, test, vi } from "vitest";
import { fakeServer } from "@/testing/fakeServer";
import { api, setCsrfToken, tenantApi, unwrap } from "./client";

test("a read names the workspace and carries no CSRF token", async () => {
  const calls = fakeServer({ "GET /api/workspace": { body: {} } });
  setCsrfToken("secret");
  await unwrap(tenantApi("engines").GET("/api/workspace"));
  expect(calls[0]?.headers.get("X-Goldloop-Tenant")).toBe("engines");
  expect(calls[0]?.headers.get("X-Goldloop-CSRF")).toBeNull();
});

test("a client stays with its workspace after another one was asked for", async () => {
  const calls = fakeServer({ "GET /api/workspace": { body: {} } });
  const engines = tenantApi("engines");
  await unwrap(tenantApi("boats").GET("/api/workspace"));
  await unwrap(engines.GET("/api/workspace"));
  await unwrap(api.GET("/api/workspace"));
  expect(calls.map((call) => call.headers.get("X-Goldloop-Tenant"))).toEqual(["boats", "engines", null]);
});

test("a write carries the CSRF token", async () => {
  const calls = fakeServer({ "PATCH /api/workspace": { body: {} } });
  setCsrfToken("secret");
  await unwrap(api.PATCH("/api/workspace", { body: { name: "New" } }));
  expect(calls[0]?.headers.get("X-Goldloop-CSRF")).toBe("secret");
});

test("an answer without content is no problem", async () => {
  fakeServer({ "DELETE /api/session": { status: 204 } });
  await expect(unwrap(api.DELETE("/api/session"))).resolves.toBeUndefined();
});

test("a refused call throws its problem", async () => {
  fakeServer({ "GET /api/workspace": { status: 403, body: { code: "forbidden", detail: "Not yours." } } });
  await expect(unwrap(api.GET("/api/workspace"))).rejects.toMatchObject({ code: "forbidden", message: "Not yours." });
});

test("a call that nobody answers is a problem too", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
  await expect(unwrap(api.GET("/api/workspace"))).rejects.toMatchObject({ code: "unreachable", status: 0 });
});

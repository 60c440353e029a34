import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { buildClients } from "./clients.ts";

const server = "http://127.0.0.1:8400";

export default defineConfig({
  plugins: [react(), buildClients()],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  // The lines that connect an agent are beside the UI, where the tests of the server read them too.
  server: { fs: { allow: [".", "../cases"] }, proxy: { "/api": server, "/conversations": server, "/healthz": server } },
  build: {
    target: "es2022",
    // The content security policy allows fonts and scripts only as files of our own.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
  },
  test: {
    setupFiles: ["src/testing/setup.ts"],
    restoreMocks: true,
    unstubGlobals: true,
    testTimeout: 60_000, // a long form is typed slowly on a busy machine
    maxWorkers: "100%",
    // One process loads React and Mantine once for all its files. What a file leaves behind, the setup takes away.
    isolate: false,
    // A document takes a second to make: only components get one without asking (`@vitest-environment jsdom`).
    projects: [
      { extends: true, test: { name: "plain", include: ["src/**/*.test.ts"], environment: "node" } },
      { extends: true, test: { name: "components", include: ["src/**/*.test.tsx"], environment: "jsdom" } },
    ],
  },
});

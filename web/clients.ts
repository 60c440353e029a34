/** Builds what other people's programs and pages run, beside the web UI: the JavaScript client and the feedback element.
 *
 * Both go where the server finds them (`/client.js`, `/widget.js`); the client also into its own package.
 */
import { copyFileSync, mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "vite";

const CLIENTS = fileURLToPath(new URL("../clients", import.meta.url));
const PACKAGED = resolve(CLIENTS, "js/dist/index.js");

/** Each one file: a module, or a script that works without being one. */
const BUILT = [
  { input: "js/src/index.ts", name: "client.js", format: "es" },
  { input: "widget/widget.ts", name: "widget.js", format: "iife" },
] as const;

export function buildClients(): Plugin {
  let outDir = "";
  return {
    name: "goldloop-clients",
    apply: "build",
    configResolved(config) {
      outDir = resolve(config.root, config.build.outDir);
    },
    async closeBundle() {
      for (const each of BUILT) await buildOne(each, outDir);
      mkdirSync(resolve(PACKAGED, ".."), { recursive: true });
      copyFileSync(resolve(outDir, "client.js"), PACKAGED);
    },
  };
}

async function buildOne({ input, name, format }: (typeof BUILT)[number], outDir: string): Promise<void> {
  await build({
    configFile: false,
    root: CLIENTS,
    publicDir: false,
    logLevel: "warn",
    build: {
      target: "es2022",
      outDir,
      emptyOutDir: false,
      modulePreload: false,
      reportCompressedSize: false,
      rollupOptions: {
        input: resolve(CLIENTS, input),
        preserveEntrySignatures: "strict",
        output: { format, entryFileNames: name },
      },
    },
  });
}

import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { expect, it } from "vitest";
import { temporaryFolders } from "./databases.ts";
import { cruiseImports } from "./imports.ts";

const root = path.join(import.meta.dirname, "..");

const config = createRequire(import.meta.url)("../.dependency-cruiser.cjs") as {
  forbidden: { name: string }[];
};

const clock = 'import { x } from "#server/platform/clock.ts"; export const y = x;';
const plain = "export const x = 1;";
/** The only file of the pages that may import the client. */
const ALLOWED = "components/api-client/allowed.ts";
const importOf = (file: string) => `import { x } from "#${file}"; export const y = x;`;

/** The same text in several files. */
const inFiles = (text: string, files: readonly string[]) =>
  Object.fromEntries(files.map((file) => [file, text]));
const reaching = (side: string, modules: string, target: string) =>
  inFiles(
    importOf(target),
    modules.split(" ").map((module) => `${side}/${module}/reach.ts`),
  );

/** One forbidden import for every rule, of a kind that is written by mistake. */
const planted: Record<string, string> = {
  ...inFiles(plain, [
    "lib/plain.ts",
    "test/helper.ts",
    "clients/typescript/src/plain.ts",
    "components/screen/plain.ts",
  ]),
  ...inFiles(plain, [
    "server/main.ts",
    "server/context.ts",
    "server/archive/plain.ts",
    "server/demo/plain.ts",
  ]),
  ...inFiles(plain, ["server/process/plain.ts", "server/platform/clock.ts"]),
  ...inFiles(clock, ["lib/pure.ts", "components/reach.ts"]),
  "lib/anywhere.ts": 'import { readFileSync } from "node:fs"; export const y = readFileSync;',
  "lib/cycle-a.ts": 'import { b } from "#lib/cycle-b.ts"; export const a = () => b;',
  "lib/cycle-b.ts": 'import { a } from "#lib/cycle-a.ts"; export const b = () => a;',
  "lib/lost.ts": 'import { y } from "#lib/nowhere.ts"; export const z = y;',
  "lib/tested.ts": importOf("test/helper.ts"),
  ...inFiles(importOf("lib/plain.ts"), ["clients/typescript/src/reach.ts", "clients/signalk/reach.js"]),
  "lib/geo/reach.ts": importOf("lib/plain.ts"),
  "components/ui/domain.ts": importOf("lib/plain.ts"),
  ...inFiles(importOf("clients/typescript/src/plain.ts"), [ALLOWED, "components/screen/client.ts"]),
  ...inFiles(importOf("server/archive/plain.ts"), ["app/reach.ts", "server/platform/reach.ts"]),
  ...reaching(
    "components",
    "api-client view-state words docs download fields legend map passage point ship storms tasks tides time watches workability",
    "components/screen/plain.ts",
  ),
  "server/draw.ts": importOf("components/screen/plain.ts"),
  "server/tasks/up.ts": importOf("server/context.ts"),
  "server/operations/demo.ts": importOf("server/demo/plain.ts"),
  ...reaching(
    "server",
    "operations alerts archive demo ensembles http ingest keys mailbox metocean pages storms tasks tides watches",
    "server/process/plain.ts",
  ),
};

const folder = temporaryFolders();

it("the import rules refuse a planted violation of each, and name the file", () => {
  const project = folder();
  for (const [file, text] of Object.entries(planted)) {
    mkdirSync(path.dirname(path.join(project, file)), { recursive: true });
    writeFileSync(path.join(project, file), text);
  }
  for (const file of [".dependency-cruiser.cjs", "package.json", "tsconfig.json"]) {
    cpSync(path.join(root, file), path.join(project, file));
  }
  const { modules, violations } = cruiseImports(project);
  expect(modules).toBeGreaterThanOrEqual(Object.keys(planted).length);
  const caught = new Set(violations.map(({ rule }) => rule));
  expect([...caught].sort()).toEqual(config.forbidden.map(({ name }) => name).sort());
  const http = { from: "server/http/reach.ts", to: "server/process/plain.ts", rule: "module-http" };
  expect(violations).toContainEqual(http);
  expect(violations.filter(({ from }) => from === ALLOWED)).toEqual([]);
});

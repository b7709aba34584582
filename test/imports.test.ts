import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolders } from "./databases.ts";
import { cruiseImports } from "./imports.ts";

const root = path.join(import.meta.dirname, "..");

const config = createRequire(import.meta.url)("../.dependency-cruiser.cjs") as {
  forbidden: { name: string }[];
};

const clock = 'import { x } from "#server/platform/clock.ts"; export const y = x;';
const plain = "export const x = 1;";
const importOf = (file: string) => `import { x } from "#${file}"; export const y = x;`;

/** One bad import for every rule, each the kind that somebody writes by mistake. */
const planted: Record<string, string> = {
  "lib/pure.ts": clock,
  "lib/anywhere.ts": 'import { readFileSync } from "node:fs"; export const y = readFileSync;',
  "lib/cycle-a.ts": 'import { b } from "#lib/cycle-b.ts"; export const a = () => b;',
  "lib/cycle-b.ts": 'import { a } from "#lib/cycle-a.ts"; export const b = () => a;',
  "lib/lost.ts": 'import { y } from "#lib/nowhere.ts"; export const z = y;',
  "lib/plain.ts": plain,
  "lib/tested.ts": importOf("test/helper.ts"),
  "test/helper.ts": plain,
  "clients/typescript/src/plain.ts": plain,
  "clients/typescript/src/reach.ts": importOf("lib/plain.ts"),
  "clients/signalk/reach.js": importOf("lib/plain.ts"),
  "components/screen/client.ts": importOf("clients/typescript/src/plain.ts"),
  "components/api-client/allowed.ts": importOf("clients/typescript/src/plain.ts"),
  "app/reach.ts": importOf("server/archive/plain.ts"),
  "components/reach.ts": clock,
  "components/screen/plain.ts": plain,
  "components/ui/domain.ts": importOf("lib/plain.ts"),
  "components/api-client/up.ts": importOf("components/screen/plain.ts"),
  "components/view-state/up.ts": importOf("components/screen/plain.ts"),
  "components/words/up.ts": importOf("components/screen/plain.ts"),
  ...plantedIn(
    "components",
    [
      ...["docs", "download", "fields", "legend", "map", "passage"],
      ...["point", "ship", "storms", "tasks", "tides", "time", "watches", "workability"],
    ],
    "components/screen/plain.ts",
  ),
  "server/draw.ts": importOf("components/screen/plain.ts"),
  "server/main.ts": plain,
  "server/context.ts": plain,
  "server/archive/plain.ts": plain,
  "server/demo/plain.ts": plain,
  "server/process/plain.ts": plain,
  "server/platform/clock.ts": plain,
  "server/platform/reach.ts": importOf("server/archive/plain.ts"),
  "server/tasks/up.ts": importOf("server/context.ts"),
  "server/operations/demo.ts": importOf("server/demo/plain.ts"),
  "server/operations/up.ts": importOf("server/process/plain.ts"),
  ...plantedIn(
    "server",
    [
      ...["alerts", "archive", "demo", "http", "ingest", "keys", "metocean"],
      ...["pages", "storms", "tasks", "tides", "watches"],
    ],
    "server/process/plain.ts",
  ),
};

/** The same import in a file of every module. */
function plantedIn(side: string, modules: readonly string[], target: string): Record<string, string> {
  return Object.fromEntries(modules.map((module) => [`${side}/${module}/reach.ts`, importOf(target)]));
}

describe("the import rules", () => {
  const folder = temporaryFolders();

  it("refuse a planted violation of every rule, and name the file", () => {
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
    expect(violations).toContainEqual({
      from: "server/http/reach.ts",
      to: "server/process/plain.ts",
      rule: "module-http",
    });
    expect(violations.filter(({ from }) => from === "components/api-client/allowed.ts")).toEqual([]);
  });
});

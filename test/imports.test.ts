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

/** One bad import for every rule; each file is by itself what somebody could write by mistake. */
const planted: Record<string, string> = {
  "lib/pure.ts": 'import { x } from "#server/platform/clock.ts"; export const y = x;',
  "lib/anywhere.ts": 'import { readFileSync } from "node:fs"; export const y = readFileSync;',
  "lib/cycle-a.ts": 'import { b } from "#lib/cycle-b.ts"; export const a = () => b;',
  "lib/cycle-b.ts": 'import { a } from "#lib/cycle-a.ts"; export const b = () => a;',
  "lib/lost.ts": 'import { y } from "#lib/nowhere.ts"; export const z = y;',
  "components/reach.ts": 'import { x } from "#server/platform/clock.ts"; export const y = x;',
  "components/shape.ts": "export const x = 1;",
  "server/draw.ts": 'import { x } from "#components/shape.ts"; export const y = x;',
  "server/room.ts": "export const x = 1;",
  "server/platform/clock.ts": "export const x = 1;",
  "server/platform/reach.ts": 'import { x } from "#server/room.ts"; export const y = x;',
  ...Object.fromEntries(
    ["archive", "metocean", "tasks", "storms", "ingest", "http"].map((room) => [
      `server/${room}/reach.ts`,
      'import { x } from "#server/room.ts"; export const y = x;',
    ]),
  ),
};

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
      to: "server/room.ts",
      rule: "room-http",
    });
  });
});

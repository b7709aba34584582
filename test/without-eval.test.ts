import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

const root = path.join(import.meta.dirname, "..");
const SETTING = "api-client/without-eval.ts";

/** Modules that a file imports at run time, without imports of types only. */
function importsOf(file: string): string[] {
  const source = readFileSync(path.join(root, file), "utf8");
  const statements = source.matchAll(/^(?:import|export)\s+(?!type\b)(?:([^;"]*?)from\s+)?"([^"]+)";/gms);
  return [...statements].flatMap(([, names = "", module]) => {
    const braces = /^\{([^}]*)\}\s*$/.exec(names.trim())?.[1];
    const named = braces
      ?.split(",")
      .map((name) => name.trim())
      .filter(Boolean);
    return named?.length && named.every((name) => name.startsWith("type ")) ? [] : [module!];
  });
}

const resolve = (from: string, module: string) =>
  module.startsWith("#")
    ? module.slice(1)
    : module.startsWith(".")
      ? path.posix.join(path.posix.dirname(from), module)
      : module;

const known = new Map<string, boolean>();

/** Whether loading this file of lib/ creates schemas. */
function makesSchemas(file: string): boolean {
  if (file === "zod") return true;
  // It reads schemas and creates none.
  if (file === "lib/contract/number-range.ts") return false;
  if (!file.startsWith("lib/") || !existsSync(path.join(root, file))) return false;
  if (!known.has(file)) {
    known.set(file, false);
    known.set(
      file,
      importsOf(file).some((module) => makesSchemas(resolve(file, module))),
    );
  }
  return known.get(file)!;
}

it("no page creates a schema before zod's compilation is turned off, which the content security policy forbids", () => {
  const files = globSync("components/**/*.{ts,tsx}", { cwd: root }).filter(
    (file) => !file.includes(".test."),
  );
  const making = files.filter((file) =>
    importsOf(file).some((module) => makesSchemas(resolve(file, module))),
  );
  expect(making).toContain("components/api-client/reply-schemas.ts");
  const late = making.filter((file) => {
    const modules = importsOf(file).map((module) => resolve(file, module));
    const told = modules.findIndex((module) => module.endsWith(SETTING));
    const first = modules.findIndex(makesSchemas);
    return !file.endsWith(SETTING) && (told < 0 || told > first);
  });
  expect(late).toEqual([]);
});

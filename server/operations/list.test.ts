import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { operations } from "./list.ts";

const app = path.resolve(import.meta.dirname, "../../app");

const routeFiles = readdirSync(app, { recursive: true, encoding: "utf8" }).filter(
  (file) => path.basename(file) === "route.ts",
);

/** `(api)/task/[task_id]/route.ts` as `/task/{task_id}`. */
const patternOf = (file: string) =>
  `/${path.dirname(file).split(path.sep).slice(1).join("/")}`.replaceAll(/\[(\w+)\]/g, "{$1}");

it("every operation has its Next route file, and every route file its operation", () => {
  const patterns = [...new Set(operations.map((operation) => operation.path))];
  expect(routeFiles.map(patternOf).sort()).toEqual(patterns.sort());
});

it("every route file exports the handlers of the app", () => {
  for (const file of routeFiles) {
    expect(readFileSync(path.join(app, file), "utf8"), file).toBe(
      'export { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } from "#server/operations/next-route.ts";\n',
    );
  }
});

it("the route files of published operations are in (api), the others in (internal)", () => {
  const published = new Set(operations.filter(({ docs }) => docs).map((operation) => operation.path));
  for (const file of routeFiles) {
    // Health checks are documented, but for operators.
    if (/\/(healthz|readyz)$/.test(patternOf(file))) continue;
    expect(file.startsWith("(api)"), file).toBe(published.has(patternOf(file)));
  }
});

it("no two operations share a method and a path", () => {
  const names = operations.map((operation) => `${operation.method} ${operation.path}`);
  expect(new Set(names).size).toBe(names.length);
});

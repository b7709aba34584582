import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { z } from "zod";

const folders = [
  "app",
  "bench",
  "clients",
  "components",
  "e2e",
  "lib",
  "prisma",
  "scripts",
  "server",
  "test",
];

const reportSchema = z.object({
  modules: z.array(z.object({ source: z.string(), dependencies: z.array(z.unknown()) })),
  summary: z.object({
    violations: z.array(z.object({ from: z.string(), to: z.string(), rule: z.object({ name: z.string() }) })),
  }),
});

/**
 * Checks the imports of a project by the rules of its .dependency-cruiser.cjs.
 *
 * @returns `modules`: number of TypeScript files that were parsed.
 */
export function cruiseImports(root: string): {
  modules: number;
  violations: { from: string; to: string; rule: string }[];
} {
  const tool = path.join(import.meta.dirname, "../node_modules/dependency-cruiser/bin/dependency-cruise.mjs");
  const given = folders.filter((folder) => existsSync(path.join(root, folder)));
  const args = [tool, "--config", ".dependency-cruiser.cjs", "--output-type", "json", ...given];
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  if (!stdout.startsWith("{")) throw new Error(`dependency-cruiser failed:\n${stderr}`);
  const { modules, summary } = reportSchema.parse(JSON.parse(stdout));
  return {
    modules: modules.filter(({ source }) => /^(?!node_modules).*\.tsx?$/.test(source)).length,
    violations: summary.violations.map(({ from, to, rule }) => ({ from, to, rule: rule.name })),
  };
}

import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { whereBuilt } from "#test/built-pages.ts";
import { temporaryFolders } from "#test/databases.ts";
import { type DemoService, startDemoService } from "#test/demo-service.ts";
import { clientFolder, installClient, typeErrors } from "./built-client.ts";

const NAME = "README of the TypeScript client";

const readme = readFileSync(path.join(clientFolder, "README.md"), "utf8");
const snippets = [...readme.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code]) => code!);

/** What each snippet prints, in the order of the README. */
const printed: readonly RegExp[] = [
  /^(2026-03-0\S+ [\d.]+ m\/s\n){2}.*\S.*\n/,
  /^1000 [\d.]+ m\n1002 lines\n$/,
  /^(2026-03-0\S+ 4[5-9]\S* -\d\S* [\d.]+ m\/s\n){2,}$/,
  /^\d{4,} bytes 5 steps\nattachment; filename="open-metocean_\S+\.grb2"\napplication\/x-grib2 \d{4,} bytes\n$/,
  // How far it is, more than once, up to the end.
  /^(?:\d+ % \S+\n){2,}100000 rows\n$/,
  /^(?:[\d.]+\n)+Task cancelled by user\n$/,
  /^(2026-03-0\S+ (GO|CAUTION|NO) .*\n){5}[\s\S]*\S\n$/,
  /^body\.points\.0\.latitude .*90\n$/,
];

whereBuilt(NAME, () => describe(NAME, runSnippets));

function runSnippets(): void {
  const newFolder = temporaryFolders();
  let folder: string;
  let service: DemoService;

  beforeAll(async () => {
    folder = newFolder();
    [service] = await Promise.all([startDemoService("2026-03-01T12:00:00Z"), installClient(folder)]);
    for (const [index, code] of snippets.entries()) {
      const real = code.replaceAll("http://localhost:3000", service.url).replaceAll("your-key", service.key);
      expect(real).not.toBe(code);
      writeFileSync(path.join(folder, `snippet-${index}.ts`), real);
    }
  }, 180_000);
  afterAll(() => service?.stop());

  it("every snippet has the types that it uses", () => {
    expect(snippets).toHaveLength(printed.length);
    const files = snippets.map((_, index) => `snippet-${index}.ts`);
    expect(typeErrors(folder, files, "nodenext")).toBe("");
  }, 180_000);

  it.each(printed.map((pattern, index) => [index + 1, pattern] as const))(
    "snippet %i runs against the service",
    async (number, pattern) => {
      const run = promisify(execFile)(process.execPath, [`snippet-${number - 1}.ts`], { cwd: folder });
      const { stdout, stderr } = await run;
      expect(stderr).toBe("");
      expect(stdout).toMatch(pattern);
    },
    300_000,
  );
}

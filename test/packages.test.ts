import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import vm from "node:vm";
import { bufferSource } from "@open-metocean/grib2/byte-source";
import { decodeGrib2 } from "@open-metocean/grib2/decode";
import { scanGrib2 } from "@open-metocean/grib2/scan";
import { rolldown } from "rolldown";
import { beforeAll, describe, expect, it } from "vitest";
import { type Manifest, manifestOf, packageFolders, packPackages } from "#scripts/pack-packages.ts";
import { temporaryFolders } from "./databases.ts";

const root = path.join(import.meta.dirname, "..");
const contentOf = (file: string) => readFileSync(path.join(root, file), "utf8");

/** An empty folder in which the tarballs are installed, each with the packages that its own manifest names. */
let folder: string;
const installedAt = (name: string) => path.join(folder, "node_modules", name);
const newFolder = temporaryFolders();

beforeAll(() => {
  folder = newFolder();
  writeFileSync(path.join(folder, "package.json"), JSON.stringify({ type: "module" }));
  for (const [index, tarball] of packPackages(newFolder()).entries()) {
    const { name } = manifestOf(packageFolders[index]!);
    mkdirSync(installedAt(name), { recursive: true });
    execFileSync("tar", ["-xzf", tarball, "-C", installedAt(name), "--strip-components=1"]);
    installDependencies(installedAt(name));
  }
}, 300_000);

/** Copies the packages of the registry that a manifest names, and those that they name. */
function installDependencies(of: string): void {
  const { dependencies = {} } = JSON.parse(readFileSync(path.join(of, "package.json"), "utf8")) as Manifest;
  for (const name of Object.keys(dependencies).filter((name) => !name.startsWith("@open-metocean/"))) {
    cpSync(path.join(root, "node_modules", name), installedAt(name), { recursive: true });
    installDependencies(installedAt(name));
  }
}

/** A program of a README, and what it prints. */
const examples = packageFolders.flatMap((of) => {
  const blocks = contentOf(`${of}/README.md`).matchAll(/^```js\n([\s\S]*?)^```\n\n```text\n([\s\S]*?)^```/gm);
  return [...blocks].map(([, code, printed]) => ({ of, code: code!, printed: printed! }));
});

const clientScript = `
  import { ConnectionError, createClient } from "@open-metocean/client";
  const { points, tasks } = createClient({ url: "http://localhost", fetch: () => {} });
  console.log(typeof points, typeof tasks.points, new ConnectionError("x").name);
`;

/** A program with uses that the client's types allow, and uses that they refuse. */
const clientProgram = `
import { createClient, RateLimitError, type Conditions } from "@open-metocean/client";
const client = createClient({ url: "http://x", key: "k" });
export async function wind(): Promise<number | null | undefined> {
  const { result } = await client.points({
    points: [{ latitude: 1, longitude: 2, timestamp: "2026-01-01T00:00:00Z" }],
    variables: ["wind"],
  });
  const conditions: Conditions | undefined = result.results[0]?.conditions;
  return conditions?.Winds_10m_Intensity;
}
// @ts-expect-error There is no such variable.
void client.points({ points: [], variables: ["winds"] });
// @ts-expect-error It may be null.
export const speed: Promise<number> = wind();
export const names = [RateLimitError.name];
`;

/** Programs of the client's README; test/clients/service.test.ts runs them against a service. */
const clientExamples = [
  ...contentOf("clients/typescript/README.md").matchAll(/^```ts\n([\s\S]*?)^```/gm),
].map(([, code]) => code!);

function printedByNode(code: string): string {
  const file = path.join(folder, "program.js");
  writeFileSync(file, code);
  // Node does not strip types here, so a TypeScript source in a tarball makes the test fail.
  const args = ["--no-experimental-strip-types", "--no-warnings", file];
  return execFileSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
}

/** Runs a bundle for browsers where nothing of Node is there. @param given More globals. */
async function printedInBrowser(code: string, given: object = {}): Promise<string> {
  const file = path.join(folder, "page.js");
  writeFileSync(file, code);
  const bundle = await rolldown({ input: file, platform: "browser", logLevel: "silent" });
  const { output } = await bundle.generate({ format: "iife" });
  let printed = "";
  const log = (...values: unknown[]) => {
    printed += `${values.map(String).join(" ")}\n`;
  };
  const web = { atob, URL, TextDecoder, TextEncoder, Headers, AbortSignal, AbortController, crypto };
  vm.runInNewContext(output[0].code, { console: { log }, ...web, ...given });
  return printed;
}

describe.each(examples)("the example of $of", ({ code, printed }) => {
  it("prints in Node what the README says, as plain JavaScript", () => {
    expect(printedByNode(code)).toBe(printed);
  });

  it("prints the same in a browser, from a bundle", async () => {
    expect(await printedInBrowser(code)).toBe(printed);
  });
});

describe("packed packages", () => {
  it("each have an example", () => {
    const without = packageFolders.filter((of) => !examples.some((example) => example.of === of));
    // The examples of the client need a service.
    expect(without).toEqual(["clients/typescript"]);
  });

  it("have all files that they export, with declarations, a licence and a README, and no source or test", () => {
    for (const of of packageFolders) {
      const { name, exports } = manifestOf(of);
      const packed = JSON.parse(readFileSync(path.join(installedAt(name), "package.json"), "utf8"));
      expect(packed).toMatchObject({
        license: "Apache-2.0",
        type: "module",
        author: expect.any(String),
        description: expect.any(String),
        keywords: expect.any(Array),
        engines: { node: expect.any(String) },
      });
      expect(packed.private).toBeUndefined();
      expect(Object.keys(packed.exports)).toEqual(Object.keys(exports));
      const files = globSync("**/*.*", { cwd: installedAt(name) });
      for (const { types, default: script } of Object.values<Record<string, string>>(packed.exports))
        expect(files).toEqual(expect.arrayContaining([path.normalize(types!), path.normalize(script!)]));
      expect(files.filter((file) => /(?<!\.d)\.ts$|\.test\.|fixtures/.test(file))).toEqual([]);
      expect(readFileSync(path.join(installedAt(name), "LICENSE"), "utf8")).toBe(contentOf("LICENSE"));
      expect(files).toContain("README.md");
    }
  });

  it("import nothing that their manifest does not name", () => {
    for (const of of packageFolders) {
      const { name, dependencies = {} } = manifestOf(of);
      const imported = globSync("**/*.{js,ts}", { cwd: installedAt(name) }).flatMap((file) =>
        [
          ...readFileSync(path.join(installedAt(name), file), "utf8").matchAll(
            /(?:from|import)\s*\(?\s*"([^"]+)"/g,
          ),
        ].map(([, specifier]) => specifier!),
      );
      const packages = imported
        .filter((specifier) => !specifier.startsWith("."))
        .map((specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)![0]);
      expect([...new Set(packages)].sort()).toEqual(Object.keys(dependencies).sort());
    }
  });

  it("have the types that their examples use", () => {
    expect(clientExamples.length).toBeGreaterThan(5);
    const codes = [...examples.map(({ code }) => code), ...clientExamples, clientProgram];
    const programs = codes.map((code, index) => {
      writeFileSync(path.join(folder, `types-${index}.ts`), code);
      return `types-${index}.ts`;
    });
    const options = [
      "--noEmit",
      "--strict",
      // The libraries of TypeScript itself are not checked.
      "--skipDefaultLibCheck",
      "--target",
      "es2024",
      "--lib",
      "es2024,esnext.disposable,dom,dom.iterable",
    ];
    const tsc = path.join(root, "node_modules/typescript/bin/tsc");
    const args = [tsc, ...options, "--module", "nodenext", ...programs];
    expect(spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" }).stdout).toBe("");
  });

  it("make a client in Node and in a browser", async () => {
    expect(printedByNode(clientScript)).toBe("function function ConnectionError\n");
    expect(await printedInBrowser(clientScript)).toBe("function function ConnectionError\n");
  });
});

it("a browser decodes every packing to the numbers that Node decodes", async () => {
  const bytes = readFileSync(path.join(root, "lib/grib2/fixtures/templates.grib2"));
  const source = bufferSource("templates", bytes);
  const { fields } = scanGrib2(source);
  const expected = fields.map((field) => decodeGrib2(source, field));
  expect(new Set(fields.map(({ packing }) => packing.kind)).size).toBe(6);
  const values: Float32Array[] = [];
  const code = `
    import { bufferSource } from "@open-metocean/grib2/byte-source";
    import { decodeGrib2 } from "@open-metocean/grib2/decode";
    import { scanGrib2 } from "@open-metocean/grib2/scan";
    const source = bufferSource("templates", bytes);
    for (const field of scanGrib2(source).fields) put(decodeGrib2(source, field));
  `;
  const put = (array: ArrayLike<number>) => values.push(Float32Array.from(array));
  await printedInBrowser(code, { bytes, put });
  expect(values).toEqual(expected);
});

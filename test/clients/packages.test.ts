import { execFile, execFileSync, spawnSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { temporaryFolders } from "#test/databases.ts";
import { pythonPasses, wherePython } from "./outside.ts";

const root = path.join(import.meta.dirname, "../..");
const clientFolder = path.join(root, "clients/typescript");
const tsc = path.join(root, "node_modules/typescript/bin/tsc");
const contentOf = (file: string) => readFileSync(path.join(root, file), "utf8");

const program = `
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

const snippets = [...contentOf("clients/typescript/README.md").matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(
  ([, code]) => code!,
);

const newFolder = temporaryFolders();
let folder: string;
beforeAll(async () => {
  // The folder contains only the client as published.
  folder = newFolder();
  const installed = path.join(folder, "node_modules/@open-metocean/client");
  mkdirSync(installed, { recursive: true });
  const args = [tsc, "--project", clientFolder, "--outDir", path.join(installed, "dist")];
  await promisify(execFile)(process.execPath, args);
  cpSync(path.join(clientFolder, "package.json"), path.join(installed, "package.json"));
  writeFileSync(path.join(folder, "package.json"), JSON.stringify({ type: "module" }));
}, 120_000);

describe("the TypeScript client as it is published", () => {
  it("has the types that its README uses, with declarations of its own", () => {
    expect(snippets.length).toBeGreaterThan(5);
    const programs = [...snippets, program].map((code, index) => {
      writeFileSync(path.join(folder, `types-${index}.ts`), code);
      return `types-${index}.ts`;
    });
    const options = ["--noEmit", "--strict", "--target", "es2022", "--lib", "es2022,dom,dom.iterable"];
    const args = [tsc, ...options, "--module", "nodenext", ...programs];
    expect(spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" }).stdout).toBe("");
  }, 120_000);

  it("is plain JavaScript that Node imports, and needs no other package", () => {
    const script = `import("@open-metocean/client").then((client) => {
      const { points, tasks } = client.createClient({ url: "http://localhost" });
      console.log(typeof points, typeof tasks.points, new client.ConnectionError("x").name);
    })`;
    const printed = execFileSync(process.execPath, ["--no-experimental-strip-types", "--eval", script], {
      cwd: folder,
      encoding: "utf8",
    });
    expect(printed.trim()).toBe("function function ConnectionError");

    const dist = path.join(folder, "node_modules/@open-metocean/client/dist");
    const files = globSync("**/*.{js,ts}", { cwd: dist });
    expect(files.length).toBeGreaterThan(20);
    const imported = files.flatMap((file) =>
      [...readFileSync(path.join(dist, file), "utf8").matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)].map(
        ([, name]) => name!,
      ),
    );
    expect(imported.filter((name) => !name.startsWith("./"))).toEqual([]);
    const { dependencies, peerDependencies } = JSON.parse(
      readFileSync(path.join(clientFolder, "package.json"), "utf8"),
    );
    expect([dependencies, peerDependencies]).toEqual([undefined, undefined]);
  });
});

it.each(["clients/typescript", "clients/signalk", "clients/python"])(
  "%s is published with its licence and its authors, wherever its folder is",
  (folder) => {
    expect(contentOf(`${folder}/LICENSE`)).toBe(contentOf("LICENSE"));
    if (folder.endsWith("python")) {
      for (const field of ["license", "authors", "keywords", "classifiers"])
        expect(contentOf(`${folder}/pyproject.toml`)).toMatch(new RegExp(`^${field} = `, "m"));
      return;
    }
    expect(JSON.parse(contentOf(`${folder}/package.json`))).toMatchObject({
      license: "Apache-2.0",
      author: expect.any(String),
      keywords: expect.any(Array),
    });
    const pack = ["pack", "--dry-run", "--json", "--ignore-scripts"];
    const [packed] = JSON.parse(
      execFileSync("npm", pack, { cwd: path.join(root, folder), encoding: "utf8" }),
    );
    expect(packed.files.map((file: { path: string }) => file.path)).toEqual(
      expect.arrayContaining(["LICENSE", "README.md", "package.json"]),
    );
  },
);

it("packing the client needs no compiler of its own, and uses that of the service", () => {
  const { scripts } = JSON.parse(contentOf("clients/typescript/package.json"));
  const { devDependencies } = JSON.parse(contentOf("package.json"));
  expect(scripts.build).toContain(`npx --yes --package=typescript@${devDependencies.typescript} `);
});

wherePython(
  "the Python client is patient, typed in its errors, and never sends twice what is made once",
  () => pythonPasses("tests.test_faults"),
);

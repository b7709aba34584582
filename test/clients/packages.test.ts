import { execFile, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { whereBuilt } from "#test/built-pages.ts";
import { temporaryFolders } from "#test/databases.ts";
import { type DemoService, startDemoService } from "#test/demo-service.ts";
import { clientFolder, installClient, typeErrors } from "./built-client.ts";

const root = path.join(clientFolder, "../..");
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

/** Of the README, with a task of as many points as show progress. */
const snippets = [...contentOf("clients/typescript/README.md").matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(
  ([, code]) => code!.replaceAll("2026-03-0", "2026-01-0").replaceAll("100_000", "30_000"),
);

/** What each snippet prints, in the order of the README. */
const printed: readonly RegExp[] = [
  /^(2026-01-0\S+ [\d.]+ m\/s\n){2}.*\S.*\n/,
  /^1000 [\d.]+ m\n1002 lines\n$/,
  /^(2026-01-0\S+ 4[5-9]\S* -\d\S* [\d.]+ m\/s\n){2,}$/,
  /^\d{4,} bytes 5 steps\nattachment; filename="open-metocean_\S+\.grb2"\napplication\/x-grib2 \d{4,} bytes\n$/,
  // How far it is, more than once, up to the end.
  /^(?:\d+ % \S+\n){2,}30000 rows\n$/,
  /^(?:[\d.]+\n)+Task cancelled by user\n$/,
  /^(2026-01-0\S+ (GO|CAUTION|NO) .*\n){5}[\s\S]*\S\n$/,
  /^body\.points\.0\.latitude .*90\n$/,
];

/** Debian's Python first: it has the packages that others may lack. */
const python = ["/usr/bin/python3", "python3"].find((name) => {
  const { status } = spawnSync(name, ["-c", "import sys; sys.exit(sys.version_info < (3, 9))"]);
  return status === 0;
});
const newFolder = temporaryFolders();
let folder: string;
beforeAll(async () => {
  folder = newFolder();
  await installClient(folder);
}, 120_000);

describe("the TypeScript client as it is published", () => {
  it("has the types that its README uses, with declarations of its own", () => {
    expect(snippets).toHaveLength(printed.length);
    const programs = [...snippets, program].map((code, index) => {
      writeFileSync(path.join(folder, `types-${index}.ts`), code);
      return `types-${index}.ts`;
    });
    expect(typeErrors(folder, programs)).toBe("");
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

it("packing the client needs no compiler beside it, and takes that of the service", () => {
  const { scripts } = JSON.parse(contentOf("clients/typescript/package.json"));
  const { devDependencies } = JSON.parse(contentOf("package.json"));
  expect(scripts.build).toContain(`npx --yes --package=typescript@${devDependencies.typescript} `);
});

const SERVICE = "the clients and a running service";

whereBuilt(SERVICE, () =>
  describe(SERVICE, () => {
    let service: DemoService;
    beforeAll(async () => {
      service = await startDemoService();
    }, 120_000);
    afterAll(() => service?.stop());

    it.each(printed.map((pattern, index) => [index + 1, pattern] as const))(
      "snippet %i of the README for TypeScript prints what it should",
      async (number, pattern) => {
        const code = snippets[number - 1]!;
        const real = code
          .replaceAll("http://localhost:3000", service.url)
          .replaceAll("your-key", service.key);
        expect(real).not.toBe(code);
        writeFileSync(path.join(folder, `snippet-${number}.ts`), real);
        const run = promisify(execFile)(process.execPath, [`snippet-${number}.ts`], { cwd: folder });
        const { stdout, stderr } = await run;
        expect(stderr).toBe("");
        expect(stdout).toMatch(pattern);
      },
      120_000,
    );

    wherePython("the Python client has the numbers of the service, with tasks, and a README that runs", () =>
      expectPassed(["tests.test_service"], { METOCEAN_URL: service.url, METOCEAN_KEY: service.key }),
    );
  }),
);

wherePython(
  "the Python client is patient, typed in its errors, and never sends twice what is made once",
  () => expectPassed(["tests.test_faults"], {}),
);

function wherePython(name: string, test: () => Promise<void>): void {
  if (python !== undefined) it(name, test, 240_000);
  else if (process.env.CI) it(name, () => expect(python, "there is no Python 3.9").toBeDefined());
  else it.skip(`${name} (skipped: there is no Python 3.9)`, () => {});
}

/** Runs test modules in the folder of the client. */
async function expectPassed(modules: string[], env: Record<string, string>): Promise<void> {
  // -B: no compiled files in the source tree. Warnings are errors, but those of other packages.
  const child = spawn(python!, ["-B", "-W", "error:::open_metocean", "-m", "unittest", "-v", ...modules], {
    cwd: path.join(root, "clients/python"),
    stdio: ["ignore", "ignore", "pipe"],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: "test", ...env },
  });
  const [output, [status]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  expect(status, output).toBe(0);
  expect(output).toMatch(/Ran [1-9]\d* tests/);
}

import { execFileSync } from "node:child_process";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { temporaryFolders } from "#test/databases.ts";
import { clientFolder, installClient, typeErrors } from "./built-client.ts";

const folders = temporaryFolders();

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

it("the package is plain JavaScript that Node imports, with types of its own, and needs no other package", async () => {
  const folder = folders();
  await installClient(folder);
  const script = `import("@open-metocean/client").then((client) => {
    const { points, tasks } = client.createClient({ url: "http://localhost" });
    console.log(typeof points, typeof tasks.points, new client.ConnectionError("x").name);
  })`;
  const printed = execFileSync(process.execPath, ["--no-experimental-strip-types", "--eval", script], {
    cwd: folder,
    encoding: "utf8",
  });
  expect(printed.trim()).toBe("function function ConnectionError");

  writeFileSync(path.join(folder, "program.ts"), program);
  expect(typeErrors(folder, ["program.ts"], "bundler")).toBe("");

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
}, 180_000);

const root = path.join(clientFolder, "../..");
const text = (file: string) => readFileSync(path.join(root, file), "utf8");

it.each(["clients/typescript", "clients/signalk", "clients/python"])(
  "%s is published with its licence and its authors, wherever its folder is",
  (folder) => {
    expect(text(`${folder}/LICENSE`)).toBe(text("LICENSE"));
    if (folder.endsWith("python")) {
      for (const field of ["license", "authors", "keywords", "classifiers"])
        expect(text(`${folder}/pyproject.toml`)).toMatch(new RegExp(`^${field} = `, "m"));
      return;
    }
    expect(JSON.parse(text(`${folder}/package.json`))).toMatchObject({
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
  const { scripts } = JSON.parse(text("clients/typescript/package.json"));
  const { devDependencies } = JSON.parse(text("package.json"));
  expect(scripts.build).toContain(`npx --yes --package=typescript@${devDependencies.typescript} `);
});

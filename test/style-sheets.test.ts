import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

const root = path.join(import.meta.dirname, "..");

/** Files of the pages that git tracks or would add. */
function files(extensions: RegExp): string[] {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "app", "components"];
  return execFileSync("git", args, { cwd: root, encoding: "utf8" })
    .split("\0")
    .filter((file) => extensions.test(file) && existsSync(path.join(root, file)));
}

it("every style sheet is imported exactly once, so that no part of the page lacks its styles", () => {
  const imported = files(/\.(css|tsx?)$/).flatMap((file) =>
    [...readFileSync(path.join(root, file), "utf8").matchAll(/import "([.#][^"]+\.css)"/g)].map(([, name]) =>
      name!.startsWith("#") ? name!.slice(1) : path.join(path.dirname(file), name!),
    ),
  );
  // The root style sheet is imported where the pages begin.
  expect(imported.toSorted()).toEqual(files(/\.css$/).toSorted());
});

it("every class of a style sheet is used in a component, so that no element lacks its rule", () => {
  const source = files(/(?<!\.test)\.tsx?$/)
    .map((file) => readFileSync(path.join(root, file), "utf8"))
    .join("\n");
  const words = new Set(source.match(/[\w-]+/g));
  const classes = files(/\.css$/).flatMap((file) => {
    const css = readFileSync(path.join(root, file), "utf8").replaceAll(/\/\*[\s\S]*?\*\//g, "");
    return [...css.matchAll(/([^{};]+)\{/g)].flatMap(([, selector]) =>
      [...selector!.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name]) => name!),
    );
  });
  expect(classes.length).toBeGreaterThan(100);
  // Classes of the map's library are its own.
  expect(classes.filter((name) => !name.startsWith("maplibregl-") && !words.has(name))).toEqual([]);
});

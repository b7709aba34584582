import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

const root = path.join(import.meta.dirname, "..");

/**
 * Other spellings of what the pages name. The API keeps its own: `vmax_kt`, with unit `kt`, as bulletins have it.
 */
const otherSpellings = [
  // `kn` in lib/units.ts.
  /\bkts?\b/i,
  // `n mi`.
  /\bnmi\b|\bNM\b|\d nm\b|["`' ]nm["`']/,
  /\bOpen-?Met-?ocean\b|\bOpen Metocean\b|\bOpen Met Ocean\b|\bOpenMetOcean\b/,
];

/** Source without comments, whose words no reader sees. */
function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "");
}

it("pages write knots, nautical miles and the name of the service in one way", () => {
  const files = execFileSync(
    "git",
    ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "app", "components"],
    {
      cwd: root,
      encoding: "utf8",
    },
  )
    .split("\0")
    .filter((file) => /\.tsx?$/.test(file) && !file.includes(".test."));
  expect(files.length).toBeGreaterThan(100);
  const found = files.flatMap((file) =>
    withoutComments(readFileSync(path.join(root, file), "utf8"))
      .split("\n")
      .filter((line) => otherSpellings.some((other) => other.test(line)))
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});

it("notices each other spelling", () => {
  for (const text of ["75 kt", "12 nmi", '"5 nm"', "Open Metocean"])
    expect(
      otherSpellings.some((other) => other.test(text)),
      text,
    ).toBe(true);
  for (const text of ["vmax_kt", "thresholdKt", "6 n mi", "Open MetOcean", "/MetOcean"])
    expect(
      otherSpellings.some((other) => other.test(text)),
      text,
    ).toBe(false);
});

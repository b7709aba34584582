import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";

const components = path.resolve(import.meta.dirname, "..", "..");
const sources = readdirSync(components, { recursive: true, encoding: "utf8" })
  .filter((name) => /(?<!\.test)\.tsx?$/.test(name))
  .map((name) => readFileSync(path.join(components, name), "utf8"))
  .join("\n");

it("only types come from MapLibre's own package: else its code is sent twice", () => {
  expect(/^import (?!type )[^;]*from "maplibre-gl"/m.exec(sources)?.[0]).toBeUndefined();
});

it.each([
  ["maplibre.mjs", 245_000],
  ["deck.mjs", 130_000],
])("the library stays small: %s, %d bytes compressed", (file, most) => {
  const built = readFileSync(path.join(import.meta.dirname, "generated", file));
  expect(gzipSync(built).length).toBeLessThan(most);
});

// Builds what draws the map, without the parts that the map does not use, into components/map/library/generated:
// - maplibre.mjs: MapLibre from its sources, with the page and the worker in one file. As published the page's file and the
//   worker's hold much of the same code twice.
// - deck.mjs: deck.gl; next.config.mjs puts it in the place of its packages.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { rolldown } from "rolldown";
import {
  changedOfDeck,
  changedOfMapLibre,
  changedOfTiles,
  leftOutOfMapLibre,
  leftOutShaders,
  replacedOfDeck,
  replacedOfMapLibre,
  shortenShaders,
  usedOfDeck,
  usedOfMapLibre,
} from "./map-library-parts.mjs";

const root = path.resolve(import.meta.dirname, "..");
const packages = path.join(root, "node_modules");
const sources = path.join(packages, "maplibre-gl", "src");
const target = path.join(root, "components", "map", "library", "generated");

const ENTRY = "\0map-library";

mkdirSync(target, { recursive: true });
await build(
  "maplibre.mjs",
  mapLibreEntry(),
  mapLibreParts(),
  `MapLibre GL JS ${versionOf("maplibre-gl")}, BSD-3-Clause`,
);
await build("deck.mjs", deckEntry(), deckParts(), `deck.gl ${versionOf("@deck.gl/core")}, MIT`);

/**
 * @param {string} file Name of what is built.
 * @param {string} entry Text of its entry.
 * @param {Map<string, string>} parts Texts in place of modules, by path.
 * @param {string} notice Whose work it is.
 */
async function build(file, entry, parts, notice) {
  const unmet = new Set(parts.keys());
  const load = (id) => {
    unmet.delete(id);
    return id === ENTRY ? entry : parts.get(id);
  };
  const transform = (text, id) => (/@(?:deck|luma)\.gl\//.test(id) ? shortenShaders(text) : undefined);
  const bundle = await rolldown({
    input: ENTRY,
    cwd: root,
    platform: "browser",
    transform: {
      define: { "process.env.NODE_ENV": '"production"' },
      target: "es2022",
      // MapLibre's classes declare fields that the constructor of their base sets (`useDefineForClassFields: false`).
      typescript: { removeClassFieldsWithoutInitializer: true },
      assumptions: { setPublicClassFields: true },
    },
    plugins: [{ name: "parts", resolveId: (id) => (id === ENTRY ? id : undefined), load, transform }],
    onLog(level, log) {
      if (level === "warn") throw new Error(log.message);
    },
  });
  const { output } = await bundle.generate({ format: "esm", codeSplitting: false, minify: true });
  // A newer version may have moved a module: what is to be left out would come back unseen.
  if (unmet.size > 0) throw new Error(`${file}: nothing asks for ${[...unmet].join(", ")}.`);
  writeFileSync(path.join(target, file), `/*! ${notice} */\n${output[0].code}`);
}

/** In the worker the same file starts MapLibre's worker; on the page it is told where the worker is: here. */
function mapLibreEntry() {
  const from = (name) => JSON.stringify(path.join(sources, name));
  return [
    `import ${from("source/worker.ts")};`,
    `import { config } from ${from("util/config.ts")};`,
    "config.WORKER_URL = import.meta.url;",
    ...Object.entries(usedOfMapLibre).map(([name, file]) => `export { ${name} } from ${from(file)};`),
  ].join("\n");
}

function mapLibreParts() {
  const shaders = path.join(sources, "shaders", "glsl");
  return new Map([
    // Of its own package file MapLibre reads the version alone.
    [
      path.join(packages, "maplibre-gl", "package.json"),
      JSON.stringify({ version: versionOf("maplibre-gl") }),
    ],
    ...Object.entries(leftOutOfMapLibre).map(([file, names]) => [
      path.join(sources, file),
      names.map(leftOut).join("\n"),
    ]),
    ...replacements(replacedOfMapLibre),
    ...changesIn(sources, changedOfMapLibre),
    ...changesIn(packages, changedOfTiles),
    ...readdirSync(shaders)
      .filter((name) => leftOutShaders.test(name))
      .map((name) => [path.join(shaders, name), 'export default "";']),
  ]);
}

function replacements(texts) {
  return Object.entries(texts).map(([file, text]) => [path.join(packages, file), text]);
}

function changesIn(folder, changes) {
  return Object.entries(changes).map(([file, lines]) => [
    path.join(folder, file),
    lines.reduce(changed, readFileSync(path.join(folder, file), "utf8")),
  ]);
}

function changed(text, [line, replacement]) {
  if (text.split(line).length !== 2) throw new Error(`The map's library has not once: ${line}`);
  return text.replace(line, () => replacement);
}

function leftOut(name) {
  if (/^is[A-Z]/.test(name)) return `export const ${name} = () => false;`;
  if (/^default[A-Z]/.test(name)) return `export const ${name} = {};`;
  const message = `This map is built without MapLibre's ${name}: see scripts/map-library-parts.mjs.`;
  return `export function ${name}() { throw new Error(${JSON.stringify(message)}); }`;
}

function deckEntry() {
  return Object.entries(usedOfDeck)
    .map(([name, exports]) => `export { ${exports.join(", ")} } from ${JSON.stringify(name)};`)
    .join("\n");
}

function deckParts() {
  return new Map([...replacements(replacedOfDeck), ...changesIn(packages, changedOfDeck)]);
}

function versionOf(name) {
  return JSON.parse(readFileSync(path.join(packages, name, "package.json"), "utf8")).version;
}

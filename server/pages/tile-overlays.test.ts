import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { readTileOverlays } from "./tile-overlays.ts";

const scratch = mkdtempSync(path.join(tmpdir(), "tile-overlays-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
let folders = 0;

function folderOf(files: Record<string, string>): string {
  const folder = path.join(scratch, String(folders++));
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  return folder;
}

const tiles = "https://tiles.example.org/{z}/{x}/{y}.png";
const marks = `title: { en: Sea marks, de: Seezeichen }\ncredit: © OpenSeaMap\ntiles: "${tiles}"\n`;

it("reads the overlays of a folder in the order of their names; there are none without the folder", () => {
  const folder = folderOf({
    "radar.yaml": `title: Radar\ncredit: IEM\ntiles: "https://r.org/{YYYY}{MM}{DD}{HH}{mm}/{z}/{x}/{y}.png"\nzooms: [0, 8]\nopacity: 0.7\ntime: { every: 5, delay: 10 }\n`,
    "marks.yml": marks,
    "readme.txt": "not read",
  });
  expect(readTileOverlays(folder)).toEqual([
    {
      id: "marks",
      title: { en: "Sea marks", de: "Seezeichen" },
      credit: "© OpenSeaMap",
      tiles,
      tileSize: 256,
      zooms: [0, 19],
      opacity: 1,
    },
    expect.objectContaining({
      id: "radar",
      zooms: [0, 8],
      opacity: 0.7,
      time: { every: 5, delay: 10, keep: 24 },
    }),
  ]);
  expect(readTileOverlays(path.join(scratch, "none"))).toEqual([]);
});

it.each([
  [
    "another key",
    `${marks}colour: red\n`,
    /a\.yaml:4: colour: there is no such key; there are title, credit/,
  ],
  ["no credit", `title: A\ntiles: "${tiles}"\n`, /a\.yaml: credit: /],
  [
    "no English title",
    marks.replace("en: Sea marks, ", ""),
    /a\.yaml:1: title: a title in English is needed/,
  ],
  ["a file", marks.replace("https:", "file:"), /a\.yaml:3: tiles: an address that begins with https:/],
  ["a host of placeholders", marks.replace("tiles.ex", "{z}.ex"), /host without placeholders/],
  ["a password", marks.replace("tiles.ex", "me:secret@tiles.ex"), /without user and password/],
  [
    "a host that breaks the policy",
    marks.replace("example.org", "example.org; script-src *"),
    /an address that/,
  ],
  ["no row", marks.replace("{y}", "0"), /needs \{z\}, \{x\} and \{y\}/],
  ["an unknown placeholder", marks.replace("{z}", "{s}/{z}"), /there are the placeholders \{z\}/],
  ["an open placeholder", marks.replace(".png", "{"), /there are the placeholders \{z\}/],
  ["a time that the address lacks", `${marks}time: { every: 5 }\n`, /a\.yaml:4: time: .* need each other/],
  ["a time that is not described", marks.replace("{z}", "{time}/{z}"), /time: .* need each other/],
  [
    "the hour without the day",
    `${marks.replace("{z}", "{HH}/{z}")}time: { every: 60 }\n`,
    /a\.yaml:3: tiles: \{HH\} and \{mm\} need \{DD\}/,
  ],
  ["zooms backwards", `${marks}zooms: [9, 3]\n`, /a\.yaml:4: zooms: the lower zoom first/],
  ["opacity 0", `${marks}opacity: 0\n`, /a\.yaml:4: opacity: /],
  ["a list", "- a\n", /a\.yaml/],
  ["broken YAML", "title: [", /a\.yaml:1/],
])("names file, line and error of %s", (_, text, message) => {
  expect(() => readTileOverlays(folderOf({ "a.yaml": text }))).toThrow(message);
});

it("the name of a file is the id in links, and is used once", () => {
  expect(() => readTileOverlays(folderOf({ "Sea marks.yaml": marks }))).toThrow(
    /Sea marks\.yaml: its name needs small/,
  );
  expect(() => readTileOverlays(folderOf({ "a.yaml": marks, "a.json": "{}" }))).toThrow();
  expect(() => readTileOverlays(folderOf({ "a.yaml": marks, "a.yml": marks }))).toThrow(
    /two files have the name a/,
  );
});

it("the examples of the documents are valid", () => {
  const text = readFileSync(path.resolve(import.meta.dirname, "../../docs/overlays.md"), "utf8");
  const examples = [...text.matchAll(/```yaml\n# overlays\/(\S+)\n(.*?)```/gs)];
  const overlays = readTileOverlays(
    folderOf(Object.fromEntries(examples.map(([, name, yaml]) => [name, yaml!]))),
  );
  expect(overlays.map(({ id, time }) => [id, time?.every])).toEqual([
    ["goes-east", 10],
    ["sea-marks", undefined],
    ["us-radar", 5],
  ]);
});

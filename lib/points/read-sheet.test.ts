import { readFileSync } from "node:fs";
import { strToU8, zipSync } from "fflate";
import { expect, it } from "vitest";
import { seeded } from "#test/seeded.ts";
import { PointListError } from "./list-problem.ts";
import { readPointFile } from "./read-file.ts";
import { readSheet } from "./read-sheet.ts";

const book = new Uint8Array(readFileSync(new URL("fixtures/route.xlsx", import.meta.url)));

const archive = (files: Record<string, string | Uint8Array>) =>
  zipSync(
    Object.fromEntries(
      Object.entries(files).map(([name, of]) => [name, typeof of === "string" ? strToU8(of) : of]),
    ),
  );

const sheet = (rows: string) =>
  archive({
    "xl/workbook.xml": '<workbook><sheets><sheet name="a" r:id="r1"/></sheets></workbook>',
    "xl/worksheets/sheet1.xml": `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
  });

it("reads the first sheet: numbers, texts, dates, and rows where they are", () => {
  expect(readSheet(book)).toEqual([
    { line: 1, cells: ["Wegpunkt", "Breite", "Länge", "Zeit", "Uhr"] },
    { line: 2, cells: ["Brest & roads", "48.5", "5°15'W", "2026-09-15T12:00:00", "0.5"] },
    { line: 4, cells: ["", "0.3", "-5", "2026-09-16T00:00:00Z"] },
    { line: 7, cells: ["", "50", "-7", "2026-09-15T06:00:00"] },
  ]);
});

it("is a list of points like any other", async () => {
  const [list] = await readPointFile(book, { languages: ["de"] });
  expect(list).toMatchObject({ points: [{}, {}, {}] });
  expect(list?.unread).toBeUndefined();
  expect(list?.notes).toMatchObject({
    titles: { latitude: "Breite", longitude: "Länge" },
  });
  expect(list?.points[0]).toEqual({
    latitude: 48.5,
    longitude: -5.25,
    time: Date.parse("2026-09-15T12:00:00Z") / 1000,
    name: "Brest & roads",
  });
});

it("reads texts with runs and without a shared table", async () => {
  const cells =
    '<c r="A1" t="inlineStr"><is><r><t>la</t></r><r><t xml:space="preserve">t </t></r><rPh><t>x</t></rPh></is></c><c r="C1" t="str"><v>a&#65;</v></c>';
  expect(readSheet(sheet(`<row>${cells}</row><row r="1"/>`))).toEqual([
    { line: 1, cells: ["lat", "", "aA"] },
  ]);
});

it("stops before a bomb is inflated", async () => {
  const bomb = archive({
    "xl/workbook.xml": "<workbook/>",
    "xl/worksheets/sheet1.xml": new Uint8Array(120_000_000),
  });
  expect(bomb.length).toBeLessThan(200_000);
  expect(() => readSheet(bomb)).toThrow(/too large/);
});

it("stops at a count of entries that is forged", () => {
  const forged = book.slice();
  forged.fill(0xff, forged.length - 14, forged.length - 10);
  expect(() => readSheet(forged)).toThrow(/too large/);
});

it("is linear in what does not end", async () => {
  const start = process.cpuUsage();
  expect(() => readSheet(sheet("<row>".repeat(300_000)))).toThrow(PointListError);
  expect(() => readSheet(sheet(`<row>${"<c><v>".repeat(300_000)}</row>`))).toThrow(PointListError);
  expect(process.cpuUsage(start).user).toBeLessThan(3e6);
});

it("refuses other archives by their name", async () => {
  expect(() => readSheet(archive({ "content.xml": "<x/>" }))).toThrow(/OpenDocument/);
  expect(() => readSheet(archive({ "a.txt": "x" }))).toThrow(/no Excel workbook/);
});

it("reads or refuses damaged workbooks", async () => {
  const random = seeded(8);
  for (let round = 0; round < 300; round++) {
    const damaged = book.slice(0, random() < 0.2 ? Math.floor(book.length * random()) : book.length);
    for (let flips = 0; flips < 8; flips++)
      damaged[Math.floor(damaged.length * random())] = Math.floor(256 * random());
    await readPointFile(damaged, { languages: [] }).catch((error: unknown) => {
      expect(error).toBeInstanceOf(PointListError);
    });
  }
});

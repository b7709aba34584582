import { expect, it } from "vitest";
import { isFileList, listedDecks } from "./feeds.ts";

const NOW = Date.UTC(2026, 8, 15, 16) / 1000;
const row = (name: string, date: string) => `<a href="${name}">${name}</a>  ${date}  12K\n`;
const page = (rows: string) =>
  `<html><head><title>Index of /atcf/btk</title></head><body>${rows}</body></html>\n`;

it("names the decks that changed within two days, and those without a date, in the forms of the servers", () => {
  const rows = [
    row("bal222026.dat", "2026-09-13 16:00"),
    row("bal212026.dat", "2026-09-13 15:59"),
    row("bwp212026.dat", "14-Sep-2026 09:30"),
    row("bwp202026.dat", "01-Sep-2026 09:30"),
    row("bEP952026.dat", ""),
    row("aal222026.dat", "2026-09-15 12:00"),
    row("readme.txt", "2026-09-15 12:00"),
  ];
  expect(listedDecks(page(rows.join("")), NOW)).toEqual(["bal222026.dat", "bep952026.dat", "bwp212026.dat"]);
});

it("tells a whole list of files from a cut one and from another page", () => {
  const whole = page(row("bal222026.dat", ""));
  expect(isFileList(whole)).toBe(true);
  expect(isFileList(whole.slice(0, -20))).toBe(false);
  expect(isFileList("<html><body>Please prove that you are not a robot.</body></html>")).toBe(false);
});

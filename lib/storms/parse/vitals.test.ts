import { expect, it } from "vitest";
import { parseVitals } from "./vitals.ts";

/** Rows, each with its line end. */
const read = (text: string) => parseVitals(`${text}\n`);

const short =
  "JTWC 11W NOUL      20260725 1800 224N 1151E 300 057 0967 1004 0370 43 027 0222 0204 0167 0195 D";
const long =
  "NHC  06E FAUSTO    20260725 1200 190N 1359W 280 062 0971 1010 0426 44 037 0334 0241 0185 0334 D 0111 0074 0074 0130 72 210N 1496W 0056 0037 0028 0065";

it("brings winds back to the 5 kt they were made from: 43 m/s is 85 kt and category 2", () => {
  expect(read(short).reports[0]!.observed[0]!.vmaxKt).toBe(85);
  const wind = (metres: string) => read(short.replace(" 43 ", ` ${metres} `)).reports[0]!.observed[0]!.vmaxKt;
  expect(["18", "33", "49", "58", "70"].map(wind)).toEqual([35, 65, 95, 115, 135]);
  expect(wind("-9")).toBeNull();
  expect(wind("01")).toBeNull();
});

it("reads radii in km: of rows of 95 columns the gale's alone, of longer ones all three", () => {
  expect(short).toHaveLength(95);
  expect(read(short).reports[0]!.observed[0]!.radiiKm).toEqual({
    34: { ne: 222, se: 204, sw: 167, nw: 195 },
  });
  expect(read(long).reports[0]!.observed[0]!.radiiKm).toEqual({
    34: { ne: 334, se: 241, sw: 185, nw: 334 },
    50: { ne: 111, se: 74, sw: 74, nw: 130 },
    64: { ne: 56, se: 37, sw: 28, nw: 65 },
  });
});

it("takes −999 for missing", () => {
  const weak = short.replace("0222 0204 0167 0195", "-999 -999 -999 -999").replace(" 0967 ", " -999 ");
  expect(read(weak).reports[0]!.observed[0]).toMatchObject({ radiiKm: {}, mslpHpa: null });
});

it("knows basin and subregion by the letter, and names a southern season by its second year", () => {
  const letters = ["W", "A", "B", "S", "P", "E", "C", "L", "Q"].map((letter) => {
    const { basin, subregion, season } = read(short.replace("11W", `01${letter}`)).reports[0]!;
    return `${basin} ${subregion} ${season}`;
  });
  expect(letters).toEqual([
    "WP W 2026",
    "IO A 2026",
    "IO B 2026",
    "SH S 2027",
    "SH P 2027",
    "EP E 2026",
    "CP C 2026",
    "AL L 2026",
    "SL Q 2027",
  ]);
});

it("reports a bad row with its line", () => {
  const { reports, problems } = read([short, "JTWC 11W nonsense", short.replace("0725", "0732")].join("\n"));
  expect(reports).toHaveLength(1);
  expect(problems).toEqual([
    { line: 2, reason: "no row of TCVitals" },
    { line: 3, reason: "no such instant" },
  ]);
});

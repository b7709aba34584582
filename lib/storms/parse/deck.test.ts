import { describe, expect, it } from "vitest";
import { type Fix, stormId } from "../bulletin.ts";
import { parseDeck } from "./deck.ts";

const NM = 1.852;

/** Rows, each with its line end. */
const read = (text: string, name?: string, until?: number) => parseDeck(`${text}\n`, name, until);

/** A row of a best track; `change` replaces fields by their number. */
function row(change: Record<number, string> = {}): string {
  const fields =
    "WP, 19, 2021090506,   , BEST,   0, 123N, 1397E,  65,  980, TY,  34, NEQ,   60,   70,   80,   90, 1010,  200,  20,  60,   0,   W,   0,    ,   0,   0,    CHANTHU, M".split(
      ",",
    );
  for (const [index, text] of Object.entries(change)) fields[Number(index)] = text;
  return fields.join(",");
}

function onlyFix(text: string): Fix {
  const { reports, problems } = read(text);
  expect(problems).toEqual([]);
  expect(reports).toHaveLength(1);
  expect(reports[0]!.observed).toHaveLength(1);
  return reports[0]!.observed[0]!;
}

const reasonOf = (text: string) => read(text).problems.map(({ reason }) => reason);

it("merges the rows of a fix, each with the radii of another threshold", () => {
  const fix = onlyFix([row(), row({ 11: "50", 13: "30", 14: "0", 15: "0", 16: "35" })].join("\n"));
  expect(fix.radiiKm).toEqual({
    34: { ne: 60 * NM, se: 70 * NM, sw: 80 * NM, nw: 90 * NM },
    // A zero among others is a radius.
    50: { ne: 30 * NM, se: 0, sw: 0, nw: 35 * NM },
  });
});

it.each([
  ["NEQ", [60, 70, 80, 90]],
  ["SEQ", [90, 60, 70, 80]],
  ["SWQ", [80, 90, 60, 70]],
  ["NWQ", [70, 80, 90, 60]],
  ["AAA", [60, 60, 60, 60]],
])("assigns radii to geographic quadrants, starting with the one that %s names", (windcode, miles) => {
  const { ne, se, sw, nw } = onlyFix(row({ 12: windcode })).radiiKm[34]!;
  expect([ne, se, sw, nw]).toEqual(miles.map((radius) => radius * NM));
});

it("takes four zeros as missing radii, and a blank as a missing radius", () => {
  expect(onlyFix(row({ 13: "0", 14: "0", 15: "0", 16: "0" })).radiiKm).toEqual({});
  expect(onlyFix(row({ 16: "" })).radiiKm[34]!.nw).toBeNull();
  expect(onlyFix(row({ 11: "", 12: "", 13: "", 14: "", 15: "", 16: "" })).radiiKm).toEqual({});
});

it("reads minutes from the column of a best track and from dates of twelve digits", () => {
  const base = Date.UTC(2021, 8, 5, 6) / 1000;
  expect(onlyFix(row({ 3: "15" })).time).toBe(base + 15 * 60);
  expect(onlyFix(row({ 2: "202109050645" })).time).toBe(base + 45 * 60);
  // In an a-deck the column is the technique's number.
  const { forecast } = read(row({ 3: "03", 4: "JTWC", 5: "12" })).reports[0]!;
  expect(forecast).toMatchObject({ base, points: [{ time: base + 12 * 3600, fhr: 12 }] });
});

it("follows a track across 180°", () => {
  const { observed } = read(
    [row({ 7: "1797E" }), row({ 2: "2021090512", 7: "1781W" }), row({ 2: "2021090518", 7: "1800W" })].join(
      "\n",
    ),
  ).reports[0]!;
  expect(observed.map(({ longitude }) => longitude)).toEqual([179.7, -178.1, -180]);
});

it("takes the newest forecast, and the official one: OFCL in the Atlantic, JTWC in the west Pacific", () => {
  const rows = [
    row({ 4: "JTWC", 5: "24" }),
    row({ 2: "2021090512", 4: "JTWC", 5: "24", 6: "150N" }),
    row({ 2: "2021090518", 4: "OFCL", 5: "24", 6: "300N" }),
    row({ 2: "2021090518", 4: "GFSO", 5: "24", 6: "310N" }),
  ].join("\n");
  const [report, ...others] = read(rows).reports;
  expect(others).toEqual([]);
  expect(report!.forecast!.points).toMatchObject([{ fhr: 24, latitude: 15 }]);
  const atlantic = read(row({ 0: "AL", 4: "OFCL", 5: "24" })).reports[0]!;
  expect(atlantic.forecast!.points).toHaveLength(1);
  expect(read(row({ 0: "AL", 4: "JTWC", 5: "24" })).reports).toEqual([]);
});

it.each([
  ["INVEST", "TWENTY-NIN", null],
  ["TWENTYSIX", "GENESIS004", null],
  ["INVEST", "TWO", null],
  ["FOUR", "DEBBY", "DEBBY"],
  ["DEBBY", "FOUR", "DEBBY"],
  ["DEBBY", "ERNESTO", "ERNESTO"],
])("takes the last name of a deck, and number words as no name (%s, %s)", (first, last, name) => {
  const text = [row({ 27: first }), row({ 2: "2021090512", 27: last })].join("\n");
  expect(read(text).reports[0]!.name).toBe(name);
});

it("takes the season from the file name, otherwise from its fixes, southern ones by their second year", () => {
  const idsOf = (text: string, file = "") => read(text, file).reports.map(stormId);
  const south = { 0: "SH", 2: "2023120400", 6: "77S", 22: "P" };
  expect(idsOf(row(south))).toEqual(["SH192024"]);
  expect(idsOf(row({ ...south, 2: "2024060100" }))).toEqual(["SH192024"]);
  expect(idsOf(row({ 2: "2022010200" }), "btk/bwp192021.dat")).toEqual(["WP192021"]);
  expect(idsOf(row({ 0: "LS", 1: "01", 6: "250S", 22: "Q" }))).toEqual(["SL012022"]);
});

it("reads the earlier number of an invest", () => {
  const remark = `${row()}, , genesis-num, 019, SPAWNINVEST, wp722021 to wp902021, `;
  expect(read(remark).reports[0]!.formerly).toEqual(["WP902021"]);
  expect(read(`${row()}, TRANSITIONED, wpB02021 to wp192021,`).reports[0]!.formerly).toEqual([]);
  expect(read(row({ 1: "90" })).reports[0]!.isInvest).toBe(true);
});

describe("a value that cannot be read is reported and missing; the rest of the row counts", () => {
  const radii = [{ 34: { ne: 60 * NM, se: 70 * NM, sw: 80 * NM, nw: 90 * NM } }, {}];
  it.each([
    ["a wind that is none", { 8: "6a" }, /no wind/, { vmaxKt: null, mslpHpa: 980 }],
    ["a wind out of range", { 8: "999" }, /out of range/, { vmaxKt: null, mslpHpa: 980 }],
    ["a pressure out of range", { 9: "98" }, /out of range/, { vmaxKt: 65, mslpHpa: null }],
    ["an unknown order of quadrants", { 12: "NNQ" }, /order of quadrants/, { radiiKm: radii[1], vmaxKt: 65 }],
    ["a radius that is none", { 14: "x" }, /no radius/, { radiiKm: radii[1], vmaxKt: 65 }],
    ["an unknown threshold", { 11: "3x" }, /no threshold/, { radiiKm: radii[1], vmaxKt: 65 }],
    ["a pressure of 9999, which is missing", { 9: "9999" }, undefined, { mslpHpa: null, radiiKm: radii[0] }],
  ] as [string, Record<number, string>, RegExp | undefined, Partial<Fix>][])(
    "%s",
    (_, change, reason, fix) => {
      const { reports, problems } = read(row(change));
      expect(problems).toEqual(reason ? [{ line: 1, reason: expect.stringMatching(reason) }] : []);
      expect(reports[0]!.observed).toMatchObject([fix]);
    },
  );
});

describe("a bad row is reported with its line and left out", () => {
  it.each([
    ["no basin", { 0: "XX" }, /basin/],
    ["a genesis number", { 1: "B0" }, /storm number/],
    ["no real date", { 2: "2021023006" }, /no such instant/],
    ["a short date", { 2: "20210905" }, /no date/],
    ["no position", { 6: "0", 7: "0" }, /missing/],
    ["a zero position", { 6: "0N", 7: "0W" }, /missing/],
    ["a latitude beyond the pole", { 6: "912N" }, /no position/],
    ["a latitude without its side", { 6: "123" }, /no position/],
  ] as [string, Record<number, string>, RegExp][])("%s", (_, change, reason) => {
    const { reports, problems } = read([row(), row({ 2: "2021090512", ...change })].join("\n"));
    expect(problems).toEqual([{ line: 2, reason: expect.stringMatching(reason) }]);
    expect(reports[0]!.observed).toHaveLength(1);
  });
});

it("reads no number that a deck ends within: 120 kt does not become 12, nor a radius of 250 n mi 25", () => {
  const rows = [row(), row({ 2: "2021090512", 8: "120", 13: "250" })].join("\n");
  const [whole] = read(row()).reports;
  for (let end = row().length + 2; end <= rows.length; end++) {
    const { reports, problems, isCut } = parseDeck(rows.slice(0, end));
    expect(reports).toEqual([whole]);
    expect(isCut).toBe(true);
    expect(problems).toEqual([
      { line: 2, reason: expect.stringMatching(/^cut: the last row has no line end/) },
    ]);
  }
  expect(read(rows).reports[0]!.observed.map(({ vmaxKt }) => vmaxKt)).toEqual([65, 120]);
});

it("reads how far seas of 12 ft reach, once a fix, from the quadrant that the code names", () => {
  const seas = (code: string, ...miles: string[]) =>
    `${row({ 28: " D" })}, 12, ${code}, ${miles.join(", ")},`;
  const row50 = `${row({ 11: "50", 28: " D" })}, 12, NEQ,  180,  120,    0,   60,`;
  const fix = onlyFix([seas("NEQ", "180", "120", "0", "60"), row50].join("\n"));
  expect(fix.seas12ftKm).toEqual({ ne: 180 * NM, se: 120 * NM, sw: 0, nw: 60 * NM });
  expect(onlyFix(seas("SEQ", "1", "2", "3", "4")).seas12ftKm).toEqual({
    ne: 4 * NM,
    se: NM,
    sw: 2 * NM,
    nw: 3 * NM,
  });
  expect(onlyFix(seas("AAA", "90", "0", "0", "0")).seas12ftKm!.sw).toBe(90 * NM);
  expect(onlyFix(seas("NEQ", "0", "0", "0", "0")).seas12ftKm).toBeUndefined();
  expect(onlyFix(row()).seas12ftKm).toBeUndefined();
  // Other heights are no seas of 12 ft.
  expect(onlyFix(seas("NEQ", "180", "120", "0", "60").replace(" 12,", " 15,")).seas12ftKm).toBeUndefined();
  expect(reasonOf(seas("NEQ", "x", "1", "1", "1"))).toEqual([expect.stringMatching(/no radius/)]);
});

it("takes 0 and blanks of wind and pressure as missing", () => {
  expect(onlyFix(row({ 8: "0", 9: "0", 10: "" }))).toMatchObject({
    vmaxKt: null,
    mslpHpa: null,
    stage: null,
  });
  expect(onlyFix(row({ 8: "", 9: "" }))).toMatchObject({ vmaxKt: null, mslpHpa: null });
});

it("ignores a subregion that the basin does not have", () => {
  const text = [row({ 0: "SH", 6: "77S", 22: "P" }), row({ 0: "SH", 2: "2021090512", 6: "77S", 22: "W" })];
  expect(read(text.join("\n")).reports[0]!.subregion).toBe("P");
});

it("reads analyses of CARQ with their history, the newest of a time first", () => {
  const { reports } = read(
    [row({ 4: "CARQ" }), row({ 2: "2021090512", 4: "CARQ", 5: "-6", 8: "70" })].join("\n"),
  );
  expect(reports[0]).toMatchObject({ source: "analysis", observed: [{ vmaxKt: 70 }] });
});

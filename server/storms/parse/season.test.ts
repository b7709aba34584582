import { describe, expect, it } from "vitest";
import { stormId } from "#server/storms/bulletin.ts";
import { parseText } from "./text.ts";

/** A storm that lives over a New Year, or over the first of July in the south. */
interface Crossing {
  basin: string;
  letter: string;
  number: number;
  season: number;
  /** Base times before and after, `YYYYMMDDHH`. */
  bases: [string, string];
}

const crossings: Crossing[] = [
  { basin: "WP", letter: "W", number: 36, season: 2018, bases: ["2018123118", "2019010100"] },
  { basin: "IO", letter: "B", number: 5, season: 2026, bases: ["2026123118", "2027010200"] },
  { basin: "IO", letter: "A", number: 7, season: 2026, bases: ["2026123112", "2027010700"] },
  { basin: "AL", letter: "L", number: 30, season: 2005, bases: ["2005123018", "2006010606"] },
  { basin: "EP", letter: "E", number: 20, season: 2026, bases: ["2026123118", "2027010100"] },
  { basin: "CP", letter: "C", number: 3, season: 2026, bases: ["2026123118", "2027010100"] },
  { basin: "SH", letter: "S", number: 8, season: 2027, bases: ["2026123118", "2027010100"] },
  { basin: "SH", letter: "P", number: 8, season: 2027, bases: ["2026123118", "2027010100"] },
  { basin: "SH", letter: "P", number: 27, season: 2027, bases: ["2027063018", "2027070306"] },
  { basin: "SL", letter: "Q", number: 2, season: 2027, bases: ["2026123118", "2027010100"] },
  // A storm that is numbered in the new year is of the new year.
  { basin: "WP", letter: "W", number: 1, season: 2027, bases: ["2027010100", "2027010212"] },
  { basin: "SH", letter: "S", number: 1, season: 2028, bases: ["2027070200", "2027071012"] },
];

const months = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
const two = (number: number) => String(number).padStart(2, "0");

const seconds = (base: string) =>
  Date.UTC(+base.slice(0, 4), +base.slice(4, 6) - 1, +base.slice(6, 8), +base.slice(8)) / 1000;

/** `DDHHMM` of three hours later, when a warning is issued, and the whole date. */
function issuedAfter(base: string) {
  const date = new Date((seconds(base) + 3 * 3600) * 1000);
  const time = `${two(date.getUTCDate())}${two(date.getUTCHours())}00`;
  const day = `${two(date.getUTCDate())}${months[date.getUTCMonth()]}${two(date.getUTCFullYear() % 100)}`;
  return { time, day };
}

type Text = (of: Crossing, base: string) => { name: string; text: string };

const side = ({ basin }: Crossing) => (basin === "SH" || basin === "SL" ? "S" : "N");

/** Each form in which a storm is told, in a file whose name does not give the season. */
const forms: Record<string, Text> = {
  "a coded warning": (of, base) => ({
    name: "wtpn51.pgtw..txt",
    text: `WTPN51 PGTW ${issuedAfter(base).time}
WARNING    ATCG MIL ${two(of.number)}${of.letter} NWP ${base.slice(2)}3000
${base} ${two(of.number)}${of.letter} NAMED      010  01 305 12 SATL 060
T000 100${side(of)} 1000E 050
T012 110${side(of)} 1010E 050
NNNN
`,
  }),
  "a warning in words": (of, base) => ({
    name: "wtpn31.pgtw..txt",
    text: `WTPN31 PGTW ${issuedAfter(base).time}
SUBJ/TROPICAL CYCLONE WARNING//
RMKS/
1. TROPICAL STORM ${two(of.number)}${of.letter} (NAMED) WARNING NR 010
   WARNING POSITION:
   ${base.slice(6)}00Z --- NEAR 10.0${side(of)} 100.0E
   MAX SUSTAINED WINDS - 035 KT, GUSTS 045 KT
REMARKS:
${issuedAfter(base).day}. TROPICAL STORM ${two(of.number)}${of.letter} (NAMED).//
NNNN
`,
  }),
  "vital statistics": (of, base) => ({
    name: "tcvitals.txt",
    text: `JTWC ${two(of.number)}${of.letter} NAMED      ${base.slice(0, 8)} ${base.slice(8)}00 100${side(of)} 1000E 300 067 1002 1005 0537 18 092 -999 -999 -999 -999 M\n`,
  }),
  "a deck": (of, base) => ({
    name: "deck.dat",
    text: `${of.basin}, ${two(of.number)}, ${base},   , BEST,   0, 100${side(of)}, 1000E,  35, 1000, TS,  34, NEQ,    0,    0,    0,    0, 1010,  200,  20,  60,   0,    ,   0,    ,   0,   0,      NAMED, M,\n`,
  }),
};

/** What is in a year with a name of its own. */
const named: Record<string, (of: Crossing) => string> = {
  "a coded warning": ({ basin, number, season }) => `${basin.toLowerCase()}${two(number)}${season % 100}.tcw`,
  "a warning in words": ({ basin, number, season }) =>
    `${basin.toLowerCase()}${two(number)}${season % 100}web.txt`,
  "a deck": ({ basin, number, season }) => `btk/b${basin.toLowerCase()}${two(number)}${season}.dat`,
};

const idsOf = (name: string, text: string, now: number) => {
  const { reports, problems } = parseText(name, text, now);
  expect(problems).toEqual([]);
  return reports.map(stormId);
};

describe.each(Object.entries(forms))(
  "%s has one id for a storm before and after the turn of a season",
  (kind, form) => {
    it.each(crossings)("$basin$number of $season", (of) => {
      const id = `${of.basin}${two(of.number)}${of.season}`;
      for (const base of of.bases) {
        const { name, text } = form(of, base);
        expect(idsOf(name, text, seconds(base) + 4 * 3600)).toEqual([id]);
        const file = named[kind]?.(of);
        if (file !== undefined) expect(idsOf(file, text, seconds(base) + 4 * 3600)).toEqual([id]);
      }
    });

    it("does not ask the clock when it is read", () => {
      const of = crossings[0]!;
      const { name, text } = form(of, of.bases[0]);
      // Within the 18 h in which a warning counts, on either side of New Year.
      for (const hours of [3.5, 5, 7, 17]) {
        expect(idsOf(name, text, seconds(of.bases[0]) + hours * 3600)).toEqual(["WP362018"]);
      }
    });
  },
);

it("has one report for the rows of a storm of both years", () => {
  const of = crossings[0]!;
  for (const kind of ["vital statistics", "a deck"]) {
    const rows = of.bases.map((base) => forms[kind]!(of, base).text).join("");
    expect(idsOf("rows.txt", rows, seconds(of.bases[1]))).toEqual(["WP362018"]);
  }
});

it("takes nothing from the name of another storm's file", () => {
  const of = crossings[6]!;
  const { text } = forms["a coded warning"]!(of, of.bases[0]);
  for (const name of ["sh0924.tcw", "sh0812.tcw", "wp0827.tcw"])
    expect(idsOf(name, text, seconds(of.bases[0]) + 4 * 3600)).toEqual(["SH082027"]);
});

describe("the JMA", () => {
  const bulletin = (typhoonNumber: string, iso: string) =>
    JSON.stringify([
      { part: "title", typhoonNumber, issue: { UTC: iso }, name: { en: "" } },
      { advancedHours: 0, validtime: { UTC: iso }, center: [12, 130] },
    ]);

  it("a depression keeps the year of its code, and a storm that of its number", () => {
    const ids = ["2026-12-31T18:00:00Z", "2027-01-01T00:00:00Z"].flatMap((iso) =>
      ["b", "2628"].flatMap((number) =>
        idsOf("TC2641/specifications.json", bulletin(number, iso), Date.parse(iso) / 1000),
      ),
    );
    expect(ids).toEqual(["WP922026", "WP282026", "WP922026", "WP282026"]);
  });

  it("a text advisory has the year in the storm's number", () => {
    const text = (heading: string, time: string) =>
      `WTPQ50 RJTD ${heading}\nNAME  TS 2628 NAMED (2628)\nANALYSIS\nPSTN  ${time}UTC 12.0N 130.0E GOOD\nMXWD  035KT=\n`;
    expect(idsOf("wtpq50.txt", text("312100", "312100"), seconds("2026123122"))).toEqual(["WP282026"]);
    expect(idsOf("wtpq50.txt", text("010000", "010000"), seconds("2027010101"))).toEqual(["WP282026"]);
  });
});

it("NHC's list has the season in the id, and a formation alert in the name of its file", () => {
  const list = (lastUpdate: string) =>
    JSON.stringify({
      activeStorms: [{ id: "al302005", lastUpdate, latitudeNumeric: 25, longitudeNumeric: -40 }],
    });
  for (const time of ["2005-12-31T21:00:00Z", "2006-01-01T03:00:00Z"])
    expect(idsOf("CurrentStorms.json", list(time), Date.parse(time) / 1000)).toEqual(["AL302005"]);
  const alert = (time: string) => `WTPN21 PGTW ${time}
SUBJ/TROPICAL CYCLONE FORMATION ALERT (INVEST 92W)//
RMKS/
1. FORMATION OF A SIGNIFICANT TROPICAL CYCLONE IS POSSIBLE WITHIN A 120 NM RADIUS OF 13.1N 144.2E.
METSAT IMAGERY AT ${time}Z INDICATES THAT A CIRCULATION CENTER IS LOCATED NEAR 13.1N 144.2E.//
NNNN
`;
  expect(idsOf("wp9226web.txt", alert("312000"), seconds("2026123121"))).toEqual(["WP922026"]);
  expect(idsOf("wp9226web.txt", alert("010200"), seconds("2027010103"))).toEqual(["WP922026"]);
});

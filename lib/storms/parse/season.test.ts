import { describe, expect, it } from "vitest";
import { at } from "../../../test/storm-texts.ts";
import { stormId } from "../bulletin.ts";
import { parseText } from "./text.ts";

/** Storms that exist over a New Year, or over the first of July in the south: two base times, before and after. */
const crossings: [id: string, letter: string, before: string, after: string][] = [
  ["WP362018", "W", "2018123118", "2019010100"],
  ["IO052026", "B", "2026123118", "2027010200"],
  ["IO072026", "A", "2026123112", "2027010700"],
  ["AL302005", "L", "2005123018", "2006010606"],
  ["EP202026", "E", "2026123118", "2027010100"],
  ["CP032026", "C", "2026123118", "2027010100"],
  ["SH082027", "S", "2026123118", "2027010100"],
  ["SH272027", "P", "2027063018", "2027070306"],
  ["SL022027", "Q", "2026123118", "2027010100"],
  // A storm that gets its number in the new year belongs to the new year.
  ["WP012027", "W", "2027010100", "2027010212"],
  ["SH012028", "S", "2027070200", "2027071012"],
];

const seconds = (base: string) => at(base.replace(/(....)(..)(..)(..)/, "$1-$2-$3T$4:00"));

interface Told {
  id: string;
  letter: string;
  base: string;
  /** `DDHHMM` and `DDMMMYY` three hours later, when a warning is issued. */
  issued: string;
  day: string;
}

function told(id: string, letter: string, base: string): Told {
  const date = new Date((seconds(base) + 3 * 3600) * 1000);
  const [, day, month, year, hour] = date.toUTCString().split(/[ :]/);
  return {
    id,
    letter,
    base,
    issued: `${day}${hour}00`,
    day: `${day}${month!.toUpperCase()}${year!.slice(2)}`,
  };
}

const side = ({ id }: Told) => (/^S[HL]/.test(id) ? "S" : "N");
const digits = ({ id }: Told) => id.slice(2, 4);

/** Each form in which a storm is reported, with names of files that give the season and names that do not. */
const forms: Record<string, { names: (id: string) => string[]; text: (of: Told) => string }> = {
  "a coded warning": {
    names: (id) => ["wtpn51.pgtw..txt", `${id.slice(0, 4).toLowerCase()}${id.slice(6)}.tcw`],
    text: (of) => `WTPN51 PGTW ${of.issued}
WARNING    ATCG MIL ${digits(of)}${of.letter} NWP ${of.base.slice(2)}3000
${of.base} ${digits(of)}${of.letter} NAMED      010  01 305 12 SATL 060
T000 100${side(of)} 1000E 050
T012 110${side(of)} 1010E 050
NNNN
`,
  },
  "a warning in words": {
    names: (id) => ["wtpn31.pgtw..txt", `${id.slice(0, 4).toLowerCase()}${id.slice(6)}web.txt`],
    text: (of) => `WTPN31 PGTW ${of.issued}
SUBJ/TROPICAL CYCLONE WARNING//
RMKS/
1. TROPICAL STORM ${digits(of)}${of.letter} (NAMED) WARNING NR 010
   WARNING POSITION:
   ${of.base.slice(6)}00Z --- NEAR 10.0${side(of)} 100.0E
   MAX SUSTAINED WINDS - 035 KT, GUSTS 045 KT
REMARKS:
${of.day}. TROPICAL STORM ${digits(of)}${of.letter} (NAMED).//
NNNN
`,
  },
  "vital statistics": {
    names: () => ["tcvitals.txt"],
    text: (of) =>
      `JTWC ${digits(of)}${of.letter} NAMED      ${of.base.slice(0, 8)} ${of.base.slice(8)}00 100${side(of)} 1000E 300 067 1002 1005 0537 18 092 -999 -999 -999 -999 M\n`,
  },
  "a deck": {
    names: (id) => ["deck.dat", `btk/b${id.toLowerCase()}.dat`],
    text: (of) =>
      `${of.id.slice(0, 2)}, ${digits(of)}, ${of.base},   , BEST,   0, 100${side(of)}, 1000E,  35, 1000, TS,  34, NEQ,    0,    0,    0,    0, 1010,  200,  20,  60,   0,    ,   0,    ,   0,   0,      NAMED, M,\n`,
  },
};

const idsOf = (name: string, text: string, now: number) => {
  const { reports, problems } = parseText(name, text, now);
  expect(problems).toEqual([]);
  return reports.map(stormId);
};

describe.each(Object.values(forms))(
  "a storm has one id before and after the turn of a season",
  ({ names, text }) => {
    it.each(crossings)("%s", (id, letter, ...bases) => {
      // Reads each text at two times within the 18 h in which a warning counts.
      for (const base of bases)
        for (const name of names(id))
          for (const hours of [4, 17])
            expect(idsOf(name, text(told(id, letter, base)), seconds(base) + hours * 3600)).toEqual([id]);
    });
  },
);

it("has one report for the rows of a storm of both years, and nothing from the name of another storm's file", () => {
  const [id, letter, before, after] = crossings[0]!;
  for (const kind of ["vital statistics", "a deck"]) {
    const rows = [before, after].map((base) => forms[kind]!.text(told(id, letter, base))).join("");
    expect(idsOf("rows.txt", rows, seconds(after))).toEqual([id]);
  }
  const south = forms["a coded warning"]!.text(told("SH082027", "S", "2026123118"));
  for (const name of ["sh0924.tcw", "sh0812.tcw", "wp0827.tcw"])
    expect(idsOf(name, south, seconds("2026123122"))).toEqual(["SH082027"]);
});

it("of the JMA a depression keeps the year of its code, and a storm that of its number", () => {
  const bulletin = (typhoonNumber: string, iso: string) =>
    JSON.stringify([
      { part: "title", typhoonNumber, issue: { UTC: iso }, name: { en: "" } },
      { advancedHours: 0, validtime: { UTC: iso }, center: [12, 181.2] },
    ]);
  for (const iso of ["2026-12-31T18:00:00Z", "2027-01-01T00:00:00Z"])
    for (const [number, id] of [
      ["b", "WP922026"],
      ["2628", "WP282026"],
    ] as const)
      expect(idsOf("TC2641/specifications.json", bulletin(number, iso), at(iso))).toEqual([id]);
  for (const [time, base] of [
    ["312100", "2026123122"],
    ["010000", "2027010101"],
  ] as const) {
    const advisory = `WTPQ50 RJTD ${time}\nNAME  TS 2628 NAMED (2628)\nANALYSIS\nPSTN  ${time}UTC 12.0N 130.0E GOOD\nMXWD  035KT=\n`;
    expect(idsOf("wtpq50.txt", advisory, seconds(base))).toEqual(["WP282026"]);
  }
});

it("NHC's list has the season in the id, and a formation alert in the name of its file", () => {
  for (const lastUpdate of ["2005-12-31T21:00:00Z", "2006-01-01T03:00:00Z"]) {
    const storm = { id: "al302005", lastUpdate, latitudeNumeric: 25, longitudeNumeric: -40 };
    const list = JSON.stringify({ activeStorms: [storm] });
    expect(idsOf("CurrentStorms.json", list, at(lastUpdate))).toEqual(["AL302005"]);
  }
  for (const [time, base] of [
    ["312000", "2026123121"],
    ["010200", "2027010103"],
  ] as const) {
    const alert = `WTPN21 PGTW ${time}
SUBJ/TROPICAL CYCLONE FORMATION ALERT (INVEST 92W)//
RMKS/
1. FORMATION OF A SIGNIFICANT TROPICAL CYCLONE IS POSSIBLE WITHIN A 120 NM RADIUS OF 13.1N 144.2E.
METSAT IMAGERY AT ${time}Z INDICATES THAT A CIRCULATION CENTER IS LOCATED NEAR 13.1N 144.2E.//
NNNN
`;
    expect(idsOf("wp9226web.txt", alert, seconds(base))).toEqual(["WP922026"]);
  }
});

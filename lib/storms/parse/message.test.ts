import { MILE_KM } from "@open-metocean/geo/sphere";
import { describe, expect, it } from "vitest";
import { at } from "../../../test/storm-texts.ts";
import { DEGREES, nearestDay, newestDay, placeOf, stormName, TENTHS } from "./message.ts";
import { parseText } from "./text.ts";

const now = at("2026-08-18T16:00");

it.each([
  [DEGREES, 1, "21.4N 128.2E", 21.4, 128.2],
  [DEGREES, 1, "23N 126.7E", 23, 126.7],
  [DEGREES, 1, "9.5 S, 179 W", -9.5, -179],
  [DEGREES, 1, "12.85N120.25E", 12.85, 120.25],
  [DEGREES, 1, "NEAR...21.4N 128.2E", 21.4, 128.2],
  [TENTHS, 10, "214N 1282E", 21.4, 128.2],
  [TENTHS, 10, " 95N1325W", 9.5, -132.5],
  [TENTHS, 10, "5S 804E", -0.5, 80.4],
  [TENTHS, 10, "000N 0000E", 0, 0],
])("reads a position however it is written: %s", (pattern, perDegree, text, latitude, longitude) => {
  const place = placeOf(new RegExp(pattern).exec(text)!.slice(1), perDegree)!;
  expect(place.latitude).toBeCloseTo(latitude, 9);
  expect(place.longitude).toBeCloseTo(longitude, 9);
});

it("reads no position in the middle of a number, and none beyond a pole", () => {
  for (const text of ["121.4N 128.2E", "21.41.4N 128.2E"]) expect(new RegExp(DEGREES).test(text)).toBe(false);
  expect(placeOf(["95", "N", "120", "E"])).toBeUndefined();
});

describe("a coded warning near the equator", () => {
  const past = ["0226081800  88N1340W  20", "0226081806  92N1333W  20", "0226081812  95N1325W  20"];
  const text = (...rows: string[]) =>
    `WTPN51 PHNC 181500
WARNING    ATCG MIL 02C CPA 260818133833
2026081812 02C TWO-C      002  01 095 07 SATL 060
T000  95N 1325W 020
T012  98N 1310W 025 R034 60 NE QD 35 SE QD 0 SW QD 70 NW QD
AMP
REMARKS:
//
${rows.join("\n")}
`;
  const read = (warning: string) => parseText("cp0226.tcw", warning, now);
  const expected = {
    name: null,
    observed: [
      { time: at("2026-08-18T00:00"), latitude: 8.8, longitude: -134, vmaxKt: 20 },
      { time: at("2026-08-18T06:00"), latitude: 9.2, longitude: -133.3 },
      { time: at("2026-08-18T12:00"), latitude: 9.5, longitude: -132.5 },
    ],
    forecast: {
      points: [{ fhr: 0 }, { fhr: 12, latitude: 9.8, longitude: -131, radiiKm: { 34: { sw: 0 } } }],
    },
  };

  it.each([
    ["with NNNN", text(...past, "NNNN"), 0],
    ["without it", text(...past), 0],
    ["in lower case", text(...past, "NNNN").toLowerCase(), 0],
    ["where the row of the base time cannot be read", text(...past.slice(0, 2), "0226081812 ????"), 1],
  ])("is read with its whole past track, %s", (_, warning, count) => {
    const { reports, problems, isCut } = read(warning);
    expect([problems.length, isCut]).toEqual([count, undefined]);
    expect(reports).toMatchObject([expected]);
  });

  it("is cut where the past track stops before the base time, or within its last row", () => {
    for (const warning of [text(...past.slice(0, 2)), text(...past).trimEnd(), text()])
      expect(read(warning)).toMatchObject({ reports: [], isCut: true });
  });

  it("has a correction of a row instead of the row", () => {
    const [first, second, third] = past;
    const { reports } = read(text(first!, second!, "0226081806  93N1331W  25", third!));
    expect(reports[0]!.observed[1]).toMatchObject({ latitude: 9.3, longitude: -133.1, vmaxKt: 25 });
  });
});

it("values below a position that cannot be read are not those of the position above it", () => {
  const text = `WTPN31 PGTW 181500
1. TROPICAL STORM 25W (SURIGAE) WARNING NR 010
   181200Z --- NEAR 9.0N 131.0E
   MAX SUSTAINED WINDS - 050 KT, GUSTS 065 KT
   12 HRS, VALID AT:
   190000Z --- 1O.0N 130.0E
   MAX SUSTAINED WINDS - 120 KT, GUSTS 145 KT
REMARKS:
NNNN
`;
  const { reports, problems } = parseText("wp2526web.txt", text, now);
  expect(problems).toEqual([{ line: 6, reason: "no such position" }]);
  expect(reports[0]!.observed).toMatchObject([{ vmaxKt: 50 }]);
});

const loose: [name: string, text: string, fix: object][] = [
  [
    "abpwweb.txt",
    `ABPW10 PGTW 180600
SUBJ/SIGNIFICANT TROPICAL WEATHER ADVISORY/180600Z-190600ZAUG2026//
RMKS/
1. WESTERN NORTH PACIFIC AREA:
   B. TROPICAL DISTURBANCE SUMMARY:
      (1) THE AREA OF CONVECTION (INVEST 98W) PREVIOUSLY LOCATED NEAR 22.1N
125.0E IS NOW LOCATED NEAR 23N 126.7E. THE POTENTIAL FOR THE DEVELOPMENT OF A
SIGNIFICANT TROPICAL CYCLONE WITHIN THE NEXT 24 HOURS IS LOW.//
NNNN
`,
    { latitude: 23, longitude: 126.7 },
  ],
  [
    "wp2526web.txt",
    `WTPN31 PGTW 181500
1. TROPICAL STORM 25W (SURIGAE) WARNING NR 010
   WARNING POSITION:
   181200Z --- NEAR 9N 131 E
   MAX SUSTAINED WINDS - 50 KT, GUSTS 65 KT
   RADIUS OF 34 KT WINDS - 60 NM NORTHEAST QUADRANT
                           35 NM SOUTHEAST QUADRANT
   12 HRS, VALID AT:
   190000Z --- 10 N 130E
REMARKS:
18AUG26. TROPICAL STORM 25W (SURIGAE).//
NNNN
`,
    { latitude: 9, longitude: 131, vmaxKt: 50, radiiKm: { 34: { ne: 60 * MILE_KM, se: 35 * MILE_KM } } },
  ],
  [
    "wp9226web.txt",
    `WTPN21 PGTW 181300
RMKS/
1. FORMATION OF A SIGNIFICANT TROPICAL CYCLONE IS POSSIBLE WITHIN
185 NM EITHER SIDE OF A LINE FROM 12N 144.5E TO 16.1 N 139E
WITHIN THE NEXT 12 TO 24 HOURS. METSAT IMAGERY AT 181200Z INDICATES THAT
A CIRCULATION CENTER IS LOCATED NEAR 12N 144E. (INVEST 92W)//
9226081806 98N1450E 15
9226081812 120N 1440E 15
`,
    { latitude: 12, longitude: 144 },
  ],
  [
    "vitals.txt",
    "JTWC 11W TEST NAME 20260818 0600  95N 1159E 295 067 0975 1004 0324 38 031 -999 -999 -999 -999 M\n",
    { latitude: 9.5, longitude: 115.9 },
  ],
  [
    "bwp192026.dat",
    "WP, 19, 2026081806,   , BEST,   0,  95N, 1159E,  65,  980, TY,  34, NEQ,   60,   70,   80,   90,\n",
    { latitude: 9.5, longitude: 115.9, mslpHpa: 980 },
  ],
  [
    "wtpq50.txt",
    "WTPQ50 RJTD 180600\nNAME  TS 2613 DOLPHIN\nPSTN  180600UTC 9N 127.5E FAIR\n24HF  190600UTC 10N 126E 35NM 70%=\n",
    { latitude: 9, longitude: 127.5 },
  ],
];

it.each(loose)("whole degrees, blanks and lower case are read in %s", (name, text, fix) => {
  for (const written of [text, text.toLowerCase()]) {
    const { reports, problems, alert } = parseText(name, written, now);
    expect(problems).toEqual([]);
    expect(reports).toMatchObject([{ observed: [fix] }]);
    if (alert)
      expect(alert.alert!.line).toEqual([
        { lat: 12, lon: 144.5 },
        { lat: 16.1, lon: 139 },
      ]);
  }
});

it("tells names from numbers and placeholders", () => {
  const none = "TWO|Two-C|ONE-E|TWENTY-ONE-E|TWENTYONE-|SEVENTEEN-|INVEST|GENESIS004|TWO C".split("|");
  expect(none.map(stormName)).toEqual(none.map(() => null));
  const names = ["SURIGAE", "IN-FA", "SAN-BA", "KONG-REY", "LALA"];
  expect(names.map(stormName)).toEqual(names);
});

it("takes the day of a text for the last such day that has passed, though the next one is nearer", () => {
  const received = at("2026-09-10T00:00");
  expect(newestDay("240600", received)).toBe(at("2026-08-24T06:00"));
  expect(nearestDay("240600", received)).toBe(at("2026-09-24T06:00"));
  // Clocks differ: a text may be up to a day ahead.
  expect(newestDay("102300", received)).toBe(at("2026-09-10T23:00"));
});

import { expect, it } from "vitest";
import { parseText } from "./text.ts";

const seconds = (iso: string) => Date.parse(iso) / 1000;
const now = seconds("2026-09-12T02:00:00Z");

const head = `ALERT      ATCG MIL 97X XXX 260912010023
2026091118
 12.8 -112.7
 15.4 -117.7
145
 12.9 -112.8
112130
120100
`;
const words = `RMKS/
1. FORMATION OF A SIGNIFICANT TROPICAL CYCLONE IS POSSIBLE WITHIN
145 NM EITHER SIDE OF A LINE FROM 12.8N 112.7W TO 15.4N 117.7W
WITHIN THE NEXT 12 TO 24 HOURS. WINDS IN THE AREA ARE ESTIMATED TO BE
20 TO 25 KNOTS. METSAT IMAGERY AT 112130Z INDICATES THAT A
CIRCULATION CENTER IS LOCATED NEAR 12.9N 112.8W.
3. THIS ALERT WILL BE REISSUED, UPGRADED TO WARNING OR CANCELLED BY
130100Z.
//
`;
const past = "9726091112  95N1119W  20\n9726091118 129N1128W  20\n";

it.each([
  ["with NNNN", `${head}${words}${past}NNNN\n`],
  ["without it", `${head}${words}${past}`],
  ["under a heading", `WTPN21 PHNC 120100\n${head}${words}${past}NNNN\n`],
])("a formation alert in its coded form is read, and the invest is that of its file: %s", (_, text) => {
  const { reports, alert, problems } = parseText("ep9726.tcw", text, now);
  expect(problems).toEqual([]);
  expect(reports).toMatchObject([
    {
      source: "formation alert",
      basin: "EP",
      number: 97,
      season: 2026,
      subregion: "E",
      observed: [{ time: seconds("2026-09-11T21:30:00Z"), latitude: 12.9, longitude: -112.8, vmaxKt: 25 }],
    },
  ]);
  expect(alert).toMatchObject({
    storm: "EP972026",
    issued: seconds("2026-09-12T01:00:00Z"),
    alert: {
      valid_until: seconds("2026-09-13T01:00:00Z"),
      line: [
        { lat: 12.8, lon: -112.7 },
        { lat: 15.4, lon: -117.7 },
      ],
      half_width_km: 268.5,
    },
  });
});

it("its coded head is enough where the words state no area", () => {
  const { reports, alert } = parseText("sh9727.tcw", `${head}RMKS/\n1. NO WORDS.\n//\nNNNN\n`, now);
  expect(reports).toMatchObject([
    { basin: "SH", observed: [{ time: seconds("2026-09-11T18:00:00Z"), latitude: 12.9, longitude: -112.8 }] },
  ]);
  expect(alert!.alert).toMatchObject({ half_width_km: 268.5, valid_until: seconds("2026-09-13T01:00:00Z") });
});

it("one that ends in its middle is cut, and one without a file of an invest names none", () => {
  const whole = `${head}${words}${past}`;
  for (const end of [head.length, head.length + 200, whole.length - 3])
    expect(parseText("ep9726.tcw", whole.slice(0, end), now)).toMatchObject({ reports: [], isCut: true });
  expect(parseText("alert.tcw", `${whole}NNNN\n`, now)).toMatchObject({
    reports: [],
    problems: [{ line: 0 }],
  });
});

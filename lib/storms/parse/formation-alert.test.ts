import { expect, it } from "vitest";
import { at, fixture } from "../../../test/storm-texts.ts";
import { parseText } from "./text.ts";

const now = at("2026-09-25T14:00");
const file = "wp9826web.txt";

/** An alert in JTWC's layout. */
const alertText = ({
  heading = "WTPN22 PGTW 251300",
  subject = "SUBJ/TROPICAL CYCLONE FORMATION ALERT (INVEST 98W)//\n",
  area = "160 NM EITHER SIDE OF A LINE FROM 17.4N 124.7E TO 17.1N 115.8E",
  remarks = "THE AREA OF CONVECTION (INVEST 98W) PREVIOUSLY LOCATED NEAR\n17.3N 124.6E IS NOW LOCATED NEAR 17.5N 123.8E",
}) => `${heading}
MSGID/GENADMIN/JOINT TYPHOON WRNCEN PEARL HARBOR HI//
${subject}REF/A/JOINT TYPHOON WRNCEN PEARL HARBOR HI/241951ZSEP26//
AMPN/REF A IS A TROPICAL CYCLONE FORMATION ALERT (WTPN21 PGTW 242000)//
RMKS/
1. FORMATION OF A SIGNIFICANT TROPICAL CYCLONE IS POSSIBLE WITHIN
${area}
WITHIN THE NEXT 12 TO 24 HOURS. WINDS IN THE AREA ARE ESTIMATED TO BE 18
TO 23 KNOTS. METSAT IMAGERY AT 251230Z INDICATES THAT A CIRCULATION CENTER IS
LOCATED NEAR 17.5N 123.8E. THE SYSTEM IS MOVING WEST-NORTHWESTWARD AT 08 KNOTS.
2. REMARKS: ${remarks}. MINIMUM SEA LEVEL
PRESSURE IS ESTIMATED TO BE NEAR 998 MB. THE POTENTIAL FOR THE
DEVELOPMENT OF A SIGNIFICANT TROPICAL CYCLONE WITHIN THE NEXT 24 HOURS IS
HIGH.
3. THIS ALERT WILL BE REISSUED, UPGRADED TO WARNING OR CANCELLED BY
261300Z.
4. SEE REF A FOR DETAILS ON A TROPICAL CYCLONE FORMATION ALERT LOCATED
NEAR 13.7N 144.2E (INVEST 97W).//
NNNN
`;

it("has its corridor, winds, motion, likelihood and end", () => {
  const { alert, reports } = parseText(file, alertText({}), now);
  expect(alert).toMatchObject({
    storm: "WP982026",
    issued: at("2026-09-25T13:00"),
    alert: {
      valid_until: at("2026-09-26T13:00"),
      bulletin: "WTPN22",
      likelihood: "high",
      line: [
        { lat: 17.4, lon: 124.7 },
        { lat: 17.1, lon: 115.8 },
      ],
      half_width_km: 296.3,
      winds_kt: { min: 18, max: 23 },
      mslp_hpa: 998,
      heading_deg: 292.5,
      speed_kmh: 14.8,
    },
  });
  // Where the centre was seen: neither an end of the corridor nor another system of a later paragraph.
  const seen = { time: at("2026-09-25T12:30"), latitude: 17.5, longitude: 123.8, vmaxKt: 23, mslpHpa: 998 };
  expect(reports).toMatchObject([
    { source: "formation alert", number: 98, isFinal: false, observed: [seen] },
  ]);
});

it.each([
  ["A 125 NM RADIUS OF 15.1N 121.0E", 231.5, [{ lat: 15.1, lon: 121 }]],
  [
    "180 NM EITHER SIDE OF A LINE FROM 9.0S 178.5E TO 14.5S 176.0W",
    333.4,
    [
      { lat: -9, lon: 178.5 },
      { lat: -14.5, lon: -176 },
    ],
  ],
])("has an area that is a circle, or crosses 180°: %s", (area, half_width_km, line) => {
  const { alert } = parseText("sh.txt", alertText({ heading: "WTPS21 PGTW 251300", area }), now);
  expect(alert!.alert).toMatchObject({ half_width_km, line });
  expect(alert!.alert!.corridor.at(-1)).toEqual(alert!.alert!.corridor[0]);
});

it("is known in copies without a subject, by its remarks or by its past positions", () => {
  const bare = alertText({ subject: "" });
  const nameless = bare.replaceAll(/ \(INVEST 9\dW\)/g, "");
  const past = `${nameless.replace("NNNN\n", "")}9726092506 123N 1443E  20\n9726092512 129N 1445E  20\nNNNN\n`;
  const of = (text: string) => parseText("wtpn22.pgtw..txt", text, now);
  expect([of(bare).alert!.storm, of(past).alert!.storm]).toEqual(["WP982026", "WP972026"]);
  expect(of(nameless).problems[0]!.reason).toBe("a formation alert that names no invest");
});

const nowhere = (text: string) => text.replaceAll(/\d+\.\d[NS] +\d+\.\dE/g, "THE COAST");

it.each([
  ["wp9226web-cancelled.txt", (text: string) => text, true, 1, []],
  ["wp9226web-cancelled.txt", nowhere, true, 0, []],
  ["wp9226web.txt", (text: string) => text, false, 1, []],
  ["wp9226web.txt", nowhere, false, 0, ["no position", "a formation alert without its area"]],
])("%s ends or names its invest, with a position or without", (name, change, isFinal, fixes, reasons) => {
  const { reports, problems } = parseText("wp9226web.txt", change(fixture(name)), now);
  expect(reports).toMatchObject([{ source: "formation alert", number: 92, isFinal }]);
  expect([reports[0]!.observed.length, problems.map(({ reason }) => reason)]).toEqual([fixes, reasons]);
});

it.each([
  "THE ALERT ON INVEST 97W HAS BEEN CANCELLED",
  "TCFA (INVEST 97W), REF A, IS HEREBY CANCELLED",
  "REF A IS CANCELLED AND REPLACED BY THIS ALERT",
  "THE PREVIOUS ALERT ON INVEST 98W IS CANCELLED",
])("stays in force where its remarks say: %s", (remark) => {
  const remarks = `THE AREA (INVEST 98W) IS LOCATED NEAR 17.5N 123.8E. ${remark}`;
  const { alert, reports, problems } = parseText(file, alertText({ remarks }), now);
  expect(alert).toMatchObject({ storm: "WP982026", alert: { half_width_km: 296.3 } });
  expect([reports[0]!.isFinal, problems]).toEqual([false, []]);
});

it.each([
  ["TROPICAL CYCLONE FORMATION ALERT CANCELLATION (INVEST 98W)", "THE AREA HAS DISSIPATED"],
  ["TROPICAL CYCLONE FORMATION ALERT (INVEST 98W)", "THIS ALERT IS CANCELLED"],
  ["TROPICAL CYCLONE FORMATION ALERT (INVEST 98W)", "THIS ALERT (WTPN21 PGTW 242000) HAS BEEN CANCELED"],
  ["TROPICAL CYCLONE FORMATION ALERT (INVEST 98W)", "THE ALERT FOR 98W (REF A) IS HEREBY CANCELLED"],
  ["TROPICAL CYCLONE FORMATION ALERT (INVEST 98W)", "REF A IS HEREBY CANCELLED"],
])("is cancelled by its own subject or statement: %s, %s", (subject, statement) => {
  const text = (slot: string) => `${slot} PGTW 251300
SUBJ/${subject}//
AMPN/REF A IS A TROPICAL CYCLONE FORMATION ALERT (WTPN21 PGTW 242000)//
RMKS/
1. ${statement}.
2. THE ALERT ON INVEST 97W REMAINS IN FORCE.//
NNNN
`;
  const { alert, reports, problems } = parseText(file, text("WTPN21"), now);
  const cancelled = { storm: "WP982026", issued: at("2026-09-25T13:00"), alert: null };
  expect([alert, reports[0]!.isFinal, problems]).toEqual([cancelled, true, []]);
  // The reference to a text of another heading is not this alert.
  const other = parseText(file, text("WTPN22"), now).alert;
  expect(other).toEqual(statement.startsWith("REF A") ? undefined : cancelled);
});

it.each([
  [alertText({}).split("3. THIS ALERT")[0]!, /^cut: /],
  [alertText({ area: "A 1250 NM RADIUS OF 15.1N 121.0E" }), /impossible area/],
  [alertText({ area: "THE AREA" }), /^a formation alert without its area$/],
])("is refused where it is cut off or its area is impossible", (text, reason) => {
  expect(parseText("wp.txt", text, now).problems[0]!.reason).toMatch(reason);
});

const later = at("2026-09-12T02:00");
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
WITHIN THE NEXT 12 TO 24 HOURS. METSAT IMAGERY AT 112130Z INDICATES THAT A
CIRCULATION CENTER IS LOCATED NEAR 12.9N 112.8W.
//
`;
const past = "9726091112  95N1119W  20\n9726091118 129N1128W  20\n";

it.each([
  ["with NNNN", `${head}${words}${past}NNNN\n`, "11T21:30"],
  ["without it", `${head}${words}${past}`, "11T21:30"],
  ["under a heading", `WTPN21 PHNC 120100\n${head}${words}${past}NNNN\n`, "11T21:30"],
  ["without words on the area", `${head}RMKS/\n1. NO WORDS.\n//\nNNNN\n`, "11T18:00"],
])("is read in its coded form, and the invest is that of its file: %s", (_, text, seen) => {
  const { reports, alert, problems } = parseText("ep9726.tcw", text, later);
  expect(problems).toEqual([]);
  const fix = { time: at(`2026-09-${seen}`), latitude: 12.9, longitude: -112.8 };
  expect(reports).toMatchObject([{ basin: "EP", number: 97, season: 2026, subregion: "E", observed: [fix] }]);
  expect(alert).toMatchObject({
    storm: "EP972026",
    issued: at("2026-09-12T01:00"),
    alert: {
      valid_until: at("2026-09-13T01:00"),
      half_width_km: 268.5,
      line: [{ lat: 12.8 }, { lat: 15.4 }],
    },
  });
});

it("is cut in its coded form where it ends in its middle, and names no invest without a file of one", () => {
  const whole = `${head}${words}${past}`;
  for (const end of [head.length, head.length + 200, whole.length - 3])
    expect(parseText("ep9726.tcw", whole.slice(0, end), later)).toMatchObject({ reports: [], isCut: true });
  expect(parseText("alert.tcw", `${whole}NNNN\n`, later)).toMatchObject({ reports: [], problems: [{}] });
});

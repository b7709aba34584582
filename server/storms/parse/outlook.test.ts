import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseText } from "./text.ts";

const fixture = (name: string) => readFileSync(join(import.meta.dirname, "fixtures", name), "utf8");
const outlook = fixture("abpwweb.txt");
const now = Date.UTC(2026, 8, 25, 14) / 1000;

/** A disturbance paragraph in the layout of JTWC's advisories, among the other sections that they have. */
const advisory = (paragraph: string, ending = "3. JUSTIFICATION FOR REISSUE: NONE.//\nNNNN\n") =>
  `ABIO10 PGTW 250800
MSGID/GENADMIN/JOINT TYPHOON WRNCEN PEARL HARBOR HI//
SUBJ/SIGNIFICANT TROPICAL WEATHER ADVISORY FOR THE INDIAN OCEAN
REISSUED/250800Z-251800ZSEP2026//
REF/A/JOINT TYPHOON WRNCEN PEARL HARBOR HI/250430ZSEP26//
AMPN/REF A IS A TROPICAL CYCLONE FORMATION ALERT.//
RMKS/
1. NORTH INDIAN OCEAN AREA (MALAY PENINSULA WEST TO COAST OF
AFRICA):
   A. TROPICAL CYCLONE SUMMARY: NONE.
   B. TROPICAL DISTURBANCE SUMMARY:
      (1) ${paragraph}
      (2) NO OTHER SUSPECT AREAS.
   C. SUBTROPICAL SYSTEM SUMMARY: NONE.
2. SOUTH INDIAN OCEAN AREA (135E WEST TO COAST OF AFRICA):
   A. TROPICAL CYCLONE SUMMARY: NONE.
   B. TROPICAL DISTURBANCE SUMMARY: NONE.
   C. SUBTROPICAL SYSTEM SUMMARY:
      (1) THE SUBTROPICAL SYSTEM (INVEST 96S) PREVIOUSLY LOCATED NEAR
31.0S 70.1E IS NOW LOCATED NEAR 32.2S 72.4E. THE POTENTIAL FOR TRANSITION
INTO A SIGNIFICANT TROPICAL CYCLONE WITHIN THE NEXT 24 HOURS IS LOW.
${ending}`;

const read = (text: string, at = now) => parseText("abioweb.txt", text, at);

describe("an outlook of JTWC", () => {
  it("has its areas with likelihood, winds, pressure and paragraph, and until when it holds", () => {
    expect(parseText("abpwweb.txt", outlook, now).outlook).toEqual({
      product: "ABPW10",
      agency: "jtwc",
      basins: ["west_pacific", "south_pacific"],
      issued_at: Date.UTC(2026, 8, 25, 6) / 1000,
      valid_until: Date.UTC(2026, 8, 26, 6) / 1000,
      areas: [
        expect.objectContaining({
          id: "WP982026",
          storm_id: "WP982026",
          designation: "98W",
          name: null,
          likelihood: "medium",
          within_hours: 24,
          percent_48h: null,
          percent_7d: null,
          place: { lat: 12.9, lon: 144.5 },
          polygon: null,
          winds_kt: { min: 15, max: 20 },
          mslp_hpa: 1006,
          text: expect.stringMatching(/^THE AREA OF CONVECTION \(INVEST 98W\) .* HOURS IS MEDIUM\.$/),
        }),
        expect.objectContaining({ id: "SH912027", likelihood: "low", winds_kt: null, mslp_hpa: null }),
      ],
      systems: [
        {
          kind: "tropical_cyclone",
          designation: "25W",
          name: "SURIGAE",
          place: { lat: 20, lon: 130.5 },
          text: expect.stringContaining("TROPICAL STORM 25W"),
        },
      ],
    });
  });

  it("lists an area without a number, but reports no invest of it", () => {
    const { outlook: found, reports } = read(
      advisory(
        "AN AREA OF CONVECTION HAS PERSISTED NEAR 10.5N\n88.2E, APPROXIMATELY 240 NM WEST OF LAND. THE POTENTIAL FOR THE\nDEVELOPMENT OF A SIGNIFICANT TROPICAL CYCLONE WITHIN THE NEXT 24\nHOURS REMAINS LOW.",
      ),
    );
    expect(reports).toEqual([]);
    expect(found!.areas).toMatchObject([
      {
        id: "ABIO10-1",
        storm_id: null,
        designation: null,
        likelihood: "low",
        place: { lat: 10.5, lon: 88.2 },
      },
    ]);
  });

  it("takes no subtropical system for an invest, whatever number it has", () => {
    const { outlook: found, reports } = read(
      advisory(
        "THE AREA OF CONVECTION (INVEST 92B) PREVIOUSLY LOCATED NEAR\n14.4N 98.0E IS NOW LOCATED NEAR 14.9N 96.6E. THE POTENTIAL FOR THE\nDEVELOPMENT OF A SIGNIFICANT TROPICAL CYCLONE WITHIN THE NEXT 24 HOURS\nIS UPGRADED FROM MEDIUM TO HIGH. SEE REF A (WTIO21 PGTW 250430).",
      ),
    );
    expect(reports.map(({ number, basin }) => [basin, number])).toEqual([["IO", 92]]);
    expect(found!.areas.map(({ designation, likelihood }) => [designation, likelihood])).toEqual([
      ["92B", "high"],
    ]);
    expect(found!.systems).toMatchObject([
      { kind: "subtropical_system", designation: "96S", name: null, place: { lat: -32.2, lon: 72.4 } },
    ]);
    expect(found!.valid_until).toBe(Date.UTC(2026, 8, 25, 18) / 1000);
  });

  it.each([
    "PREVIOUSLY LOCATED NEAR\n17.3N 96.9E HAS DISSIPATED AND IS NO LONGER SUSPECT FOR THE DEVELOPMENT\nOF A SIGNIFICANT TROPICAL CYCLONE IN THE NEXT 24 HOURS.",
    "PREVIOUSLY LOCATED NEAR\n17.3N 96.9E IS NOW THE SUBJECT OF A TROPICAL CYCLONE WARNING. SEE REF A\n(WTIO31 PGTW 250900) FOR FURTHER DETAILS.",
  ])("makes no fix of where an invest was before: %s", (what) => {
    const {
      outlook: found,
      reports,
      problems,
    } = read(advisory(`THE AREA OF CONVECTION (INVEST 92B) ${what}`));
    expect([found!.areas, reports.flatMap(({ observed }) => observed), problems]).toEqual([[], [], []]);
  });

  it("reports an invest without a position, and reads the others", () => {
    const nowhere = outlook.replaceAll("9.8S 179.4W", "THE LINE");
    const { reports, problems } = parseText("abpwweb.txt", nowhere, now);
    expect(problems).toEqual([{ line: 0, reason: "INVEST 91P: no position" }]);
    expect(reports.map(({ number, observed }) => [number, observed.length])).toEqual([
      [98, 1],
      [91, 0],
    ]);
  });

  it("does not take an old text for a new one: the period names month and year", () => {
    const inOctober = Date.UTC(2026, 9, 25, 14) / 1000;
    expect(parseText("abpwweb.txt", outlook, inOctober).outlook!.issued_at).toBe(
      Date.UTC(2026, 8, 25, 6) / 1000,
    );
  });

  it("lists nothing where a section says so in a numbered paragraph", () => {
    const none = advisory("NONE.")
      .replaceAll("SUMMARY: NONE.", "SUMMARY:\n      (1) NONE.")
      .replace(/\(1\) THE SUBTROPICAL[\s\S]*IS LOW\./, "(1) NONE.");
    const { outlook: found, reports, problems } = read(none);
    expect([found?.areas, found?.systems, reports, problems]).toEqual([[], [], [], []]);
    expect(read(none.replace("3. JUSTIFICATION FOR REISSUE: NONE.", "")).outlook?.systems).toEqual([]);
  });

  it("is refused where it is cut off, in every line", () => {
    const lines = outlook.trimEnd().split("\n");
    for (let kept = 5; kept < lines.length - 1; kept++) {
      const { problems, outlook: found } = parseText("abpwweb.txt", lines.slice(0, kept).join("\n"), now);
      expect([kept, found, problems[0]?.reason]).toEqual([
        kept,
        undefined,
        "cut: no NNNN, and no end of the remarks",
      ]);
    }
  });
});

/** A formation alert in JTWC's layout. */
const alertText = ({
  heading = "WTPN22 PGTW 251300",
  subject = "SUBJ/TROPICAL CYCLONE FORMATION ALERT (INVEST 98W)//\n",
  area = "160 NM EITHER SIDE OF A LINE FROM 17.4N 124.7E TO 17.1N 115.8E",
  remarks = "THE AREA OF CONVECTION (INVEST 98W) PREVIOUSLY LOCATED NEAR\n17.3N 124.6E IS NOW LOCATED NEAR 17.5N 123.8E",
  ending = "4. SEE REF A FOR DETAILS ON A TROPICAL CYCLONE FORMATION ALERT LOCATED\nNEAR 13.7N 144.2E (INVEST 97W).//\nNNNN\n",
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
${ending}`;

describe("a formation alert", () => {
  it("has its corridor, winds, motion, likelihood and end", () => {
    const { alert, reports } = parseText("wp9826web.txt", alertText({}), now);
    expect(alert).toMatchObject({
      storm: "WP982026",
      issued: Date.UTC(2026, 8, 25, 13) / 1000,
      alert: {
        valid_until: Date.UTC(2026, 8, 26, 13) / 1000,
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
    expect(alert!.alert!.corridor.at(-1)).toEqual(alert!.alert!.corridor[0]);
    // The position of its own system, not that of another one that a later paragraph refers to.
    expect(reports).toMatchObject([
      {
        number: 98,
        isFinal: false,
        observed: [{ latitude: 17.5, longitude: 123.8, vmaxKt: 23, mslpHpa: 998 }],
      },
    ]);
  });

  it("may be a circle", () => {
    const { alert } = parseText("wp.txt", alertText({ area: "A 125 NM RADIUS OF 15.1N 121.0E" }), now);
    expect(alert!.alert).toMatchObject({ line: [{ lat: 15.1, lon: 121 }], half_width_km: 231.5 });
  });

  it("crosses 180°", () => {
    const area = "180 NM EITHER SIDE OF A LINE FROM 9.0S 178.5E TO 14.5S 176.0W";
    const { alert } = parseText("sh.txt", alertText({ heading: "WTPS21 PGTW 251300", area }), now);
    expect(alert!.alert!.line).toEqual([
      { lat: -9, lon: 178.5 },
      { lat: -14.5, lon: -176 },
    ]);
    expect(alert!.alert!.corridor.every(({ lon }) => Math.abs(lon) > 170)).toBe(true);
  });

  it("is known in copies without a subject, by its remarks or by its past positions", () => {
    const bare = alertText({ subject: "" });
    expect(parseText("wtpn22.pgtw..txt", bare, now).alert).toMatchObject({ storm: "WP982026" });
    const nameless = bare.replaceAll(/ \(INVEST 9\dW\)/g, "");
    const past = `${nameless.replace("NNNN\n", "")}9726092506 123N 1443E  20\n9726092512 129N 1445E  20\nNNNN\n`;
    expect(parseText("wtpn22.pgtw..txt", past, now).alert).toMatchObject({ storm: "WP972026" });
    expect(parseText("wtpn22.pgtw..txt", nameless, now).problems[0]!.reason).toBe(
      "a formation alert that names no invest",
    );
  });

  it("ends with its cancellation, with a position or without", () => {
    const cancelled = (what: string) => `WTPN21 PGTW 251300
MSGID/GENADMIN/JOINT TYPHOON WRNCEN PEARL HARBOR HI//
SUBJ/CANCELLATION OF TROPICAL CYCLONE FORMATION ALERT (INVEST 98W)//
RMKS/
1. THE AREA OF CONVECTION (INVEST 98W) ${what}//
NNNN
`;
    const moved = cancelled("PREVIOUSLY LOCATED NEAR 14.4N\n118.0E IS NOW LOCATED NEAR 17.3N 116.9E.");
    expect(parseText("wp9826web.txt", moved, now)).toMatchObject({
      alert: { storm: "WP982026", alert: null },
      reports: [{ isFinal: true, observed: [{ latitude: 17.3, longitude: 116.9 }] }],
    });
    const gone = parseText("wp9826web.txt", cancelled("HAS DISSIPATED."), now);
    expect(gone).toMatchObject({
      alert: { storm: "WP982026", issued: Date.UTC(2026, 8, 25, 13) / 1000, alert: null },
      reports: [{ isFinal: true, observed: [] }],
      problems: [],
    });
  });

  it.each([
    "THE ALERT ON INVEST 97W HAS BEEN CANCELLED",
    "TCFA (INVEST 97W), REF A, IS HEREBY CANCELLED",
    "REF A IS CANCELLED AND REPLACED BY THIS ALERT",
    "THE PREVIOUS ALERT ON INVEST 98W IS CANCELLED",
  ])("stays in force where its remarks say: %s", (remark) => {
    const remarks = `THE AREA (INVEST 98W) IS LOCATED NEAR 17.5N 123.8E. ${remark}`;
    const { alert, reports, problems } = parseText("wp9826web.txt", alertText({ remarks }), now);
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
REF/A/JOINT TYPHOON WRNCEN PEARL HARBOR HI/241951ZSEP26//
AMPN/REF A IS A TROPICAL CYCLONE FORMATION ALERT (WTPN21 PGTW 242000)//
RMKS/
1. ${statement}.
2. THE ALERT ON INVEST 97W REMAINS IN FORCE.//
NNNN
`;
    expect(parseText("wp9826web.txt", text("WTPN21"), now)).toMatchObject({
      alert: { storm: "WP982026", alert: null },
      reports: [{ isFinal: true }],
      problems: [],
    });
    // The reference to a text of another heading is not this alert.
    const other = parseText("wp9826web.txt", text("WTPN22"), now).alert;
    expect(other).toEqual(statement.startsWith("REF A") ? undefined : { ...other, alert: null });
  });

  it("is not a warning that refers to the alert which it replaces", () => {
    const warning = `WTPN31 PGTW 251500
SUBJ/TROPICAL DEPRESSION 26W (TWENTYSIX) WARNING NR 001//
REF/A/JOINT TYPHOON WRNCEN PEARL HARBOR HI/251251ZSEP26//
AMPN/REF A IS A TROPICAL CYCLONE FORMATION ALERT (WTPN22 PGTW 251300)//
RMKS/
1. TROPICAL DEPRESSION 26W (TWENTYSIX) WARNING NR 001
   WARNING POSITION:
   251200Z --- NEAR 17.5N 123.8E
   PRESENT WIND DISTRIBUTION:
   MAX SUSTAINED WINDS - 030 KT, GUSTS 040 KT
2. NEXT WARNINGS AT 252100Z, 260300Z, 260900Z AND 261500Z.//
NNNN
`;
    const { reports, problems, alert } = parseText("wp2626web.txt", warning, now);
    expect([problems, alert]).toEqual([[], undefined]);
    expect(reports).toMatchObject([{ source: "warning", number: 26 }]);
  });

  it("is refused where it is cut off or its area is impossible", () => {
    const cut = alertText({}).split("3. THIS ALERT")[0]!;
    expect(parseText("wp.txt", cut, now).problems[0]!.reason).toMatch(/^cut: /);
    const wide = parseText("wp.txt", alertText({ area: "A 1250 NM RADIUS OF 15.1N 121.0E" }), now);
    expect(wide.problems[0]!.reason).toContain("impossible area");
    expect(parseText("wp.txt", alertText({ area: "THE AREA" }), now).problems[0]!.reason).toBe(
      "a formation alert without its area",
    );
  });
});

it("takes an outlook of 16 days ago for one of this month, and not of the next", () => {
  const [newest] = parseText("abpwweb.txt", outlook, Date.UTC(2026, 9, 11, 7) / 1000).reports;
  expect(newest!.issued).toBe(Date.UTC(2026, 8, 25, 6) / 1000);
});

const likely = "THE POTENTIAL FOR THE DEVELOPMENT OF A SIGNIFICANT TROPICAL CYCLONE WITHIN THE NEXT 24 HOURS";
const there = "HAS PERSISTED NEAR 12.9N 144.5E";

/** An outlook of one disturbance in JTWC's layout. */
const readOne = (where: string, chance: string, head = "B.", item = "(1) ") =>
  parseText(
    "abpwweb.txt",
    `ABPW10 PGTW 250600
SUBJ/SIGNIFICANT TROPICAL WEATHER ADVISORY/250600Z-260600ZSEP2026//
RMKS/
1. NORTHERN AREA:
   A. TROPICAL CYCLONE SUMMARY: NONE.
   ${head} TROPICAL DISTURBANCE SUMMARY:
      ${item}THE AREA (INVEST 98W) ${where}. ${likely} ${chance}.
   C. SUBTROPICAL SYSTEM SUMMARY: NONE.//
NNNN
`,
    now,
  );

it.each([
  ["IS HIGH DUE TO LOW VERTICAL WIND SHEAR", "high"],
  ["IS UPGRADED TO HIGH FROM MEDIUM", "high"],
  ["IS NOW MEDIUM AS THE LOW DEEPENS", "medium"],
  ["IS DOWNGRADED FROM HIGH TO LOW", "low"],
  ["REMAINS LOW", "low"],
])("the likelihood is what the potential is said to be: %s", (chance, likelihood) => {
  expect(readOne(there, chance).outlook!.areas).toMatchObject([{ likelihood }]);
});

it.each(["HAS REMAINED NEARLY STATIONARY NEAR 12.9N 144.5E", "IS CENTERED NEAR 12.9N, 144.5E"])(
  "a place is read where it is stated as: %s",
  (where) => {
    const { outlook, problems } = readOne(where, "IS HIGH");
    expect(outlook!.areas).toMatchObject([{ place: { lat: 12.9, lon: 144.5 } }]);
    expect(problems).toEqual([]);
  },
);

it("an area whose place is not understood is listed without one, and reported", () => {
  const { outlook, problems } = readOne("IS SOUTH OF GUAM", "IS HIGH");
  expect(outlook!.areas).toMatchObject([{ designation: "98W", likelihood: "high", place: null }]);
  expect(problems).toEqual([{ line: 0, reason: "INVEST 98W: no position" }]);
});

it.each([
  ["B.", ""],
  ["(B)", "(1) "],
  ["B.", "1. "],
])("an area is read also under the head %s with the number '%s'", (head, item) => {
  expect(readOne(there, "IS HIGH", head, item).outlook!.areas).toMatchObject([{ designation: "98W" }]);
});

it("an outlook whose likelihood belongs to no section is refused: the last one stays", () => {
  const { outlook, problems } = readOne(there, "IS HIGH", "D.");
  expect([outlook, problems[0]!.reason]).toEqual([undefined, expect.stringContaining("names no area")]);
});

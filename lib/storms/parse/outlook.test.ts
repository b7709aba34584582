import { describe, expect, it } from "vitest";
import { at, fixture } from "../../../test/storm-texts.ts";
import { parseText } from "./text.ts";

const west = fixture("abpwweb.txt");
const now = at("2026-09-25T14:00");
const read = (text: string, then = now) => parseText("abpwweb.txt", text, then);

interface Section {
  /** Head of the disturbances. */
  head?: string;
  tropical?: string;
  subtropical?: string;
}

/** An advisory in JTWC's layout. */
const advisory = ({ head = "B.", tropical = "NONE.", subtropical = "NONE." }: Section) =>
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
   ${head} TROPICAL DISTURBANCE SUMMARY: ${tropical}
   C. SUBTROPICAL SYSTEM SUMMARY: ${subtropical}
3. JUSTIFICATION FOR REISSUE: NONE.//
NNNN
`;

const potential =
  "THE POTENTIAL FOR THE\nDEVELOPMENT OF A SIGNIFICANT TROPICAL CYCLONE WITHIN THE NEXT 24 HOURS";
const there = "HAS PERSISTED NEAR 12.9N 88.5E";

/** One disturbance. */
const readOne = (where: string, chance: string, head = "B.", item = "\n   (1) ") =>
  read(advisory({ head, tropical: `${item}THE AREA (INVEST 98B) ${where}. ${potential} ${chance}.` }));

describe("an outlook of JTWC", () => {
  it("has its areas with likelihood, winds, pressure and paragraph, and until when it holds", () => {
    const { outlook, reports, problems } = read(west);
    expect(problems).toEqual([]);
    expect(outlook).toEqual({
      product: "ABPW10",
      agency: "jtwc",
      basins: ["west_pacific", "south_pacific"],
      issued_at: at("2026-09-25T06:00"),
      valid_until: at("2026-09-26T06:00"),
      areas: [
        {
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
        },
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
    // Each invest is reported at its present place; if a text gives a range of winds, the higher one is taken.
    expect(reports).toMatchObject([
      {
        source: "outlook",
        ...{ basin: "WP", number: 98, season: 2026, isInvest: true },
        observed: [{ latitude: 12.9, longitude: 144.5, vmaxKt: 20, mslpHpa: 1006, stage: "DB" }],
      },
      { basin: "SH", number: 91, subregion: "P", season: 2027, observed: [{ latitude: -9.8, vmaxKt: null }] },
    ]);
  });

  it("lists an area without a number, but reports no invest of it", () => {
    const tropical = `\n   (1) AN AREA OF CONVECTION ${there}. ${potential} REMAINS LOW.\n   (2) NO OTHER SUSPECT AREAS.`;
    const { outlook, reports } = read(advisory({ tropical }));
    expect(reports).toEqual([]);
    const place = { lat: 12.9, lon: 88.5 };
    expect(outlook!.areas).toMatchObject([
      { id: "ABIO10-1", storm_id: null, designation: null, likelihood: "low", place },
    ]);
  });

  it("takes no subtropical system for an invest, whatever number it has", () => {
    const subtropical =
      "\n   (1) THE SUBTROPICAL SYSTEM (INVEST 96S) PREVIOUSLY LOCATED NEAR\n31.0S 70.1E IS NOW LOCATED NEAR 32.2S 72.4E. THE POTENTIAL FOR TRANSITION\nINTO A SIGNIFICANT TROPICAL CYCLONE WITHIN THE NEXT 24 HOURS IS LOW.";
    const { outlook, reports } = read(advisory({ subtropical }));
    expect([reports, outlook!.areas, outlook!.valid_until]).toEqual([[], [], at("2026-09-25T18:00")]);
    expect(outlook!.systems).toMatchObject([
      { kind: "subtropical_system", designation: "96S", name: null, place: { lat: -32.2, lon: 72.4 } },
    ]);
  });

  it.each([
    "HAS DISSIPATED AND IS NO LONGER SUSPECT FOR THE DEVELOPMENT\nOF A SIGNIFICANT TROPICAL CYCLONE IN THE NEXT 24 HOURS.",
    "IS NOW THE SUBJECT OF A TROPICAL CYCLONE WARNING. SEE REF A\n(WTIO31 PGTW 250900) FOR FURTHER DETAILS.",
  ])("makes no fix of where an invest was before: %s", (what) => {
    const tropical = `\n   (1) THE AREA (INVEST 92B) PREVIOUSLY LOCATED NEAR\n17.3N 96.9E ${what}`;
    const { outlook, reports, problems } = read(advisory({ tropical }));
    expect([outlook!.areas, reports.flatMap(({ observed }) => observed), problems]).toEqual([[], [], []]);
  });

  it("is dated by the month and year of its period, or by the day that has passed last", () => {
    for (const then of ["2026-10-25T14:00", "2026-10-11T07:00"])
      expect(read(west, at(then)).outlook!.issued_at).toBe(at("2026-09-25T06:00"));
  });

  it("lists nothing where a section says so in a numbered paragraph", () => {
    const none = "\n   (1) NONE.";
    const { outlook, reports, problems } = read(advisory({ tropical: none, subtropical: none }));
    expect([outlook?.areas, outlook?.systems, reports, problems]).toEqual([[], [], [], []]);
  });

  it("reports an invest without a position, and reads the others", () => {
    const { reports, problems } = read(west.replaceAll("9.8S 179.4W", "THE LINE"));
    expect(problems).toEqual([{ line: 0, reason: "INVEST 91P: no position" }]);
    expect(reports.map(({ number, observed }) => [number, observed.length])).toEqual([
      [98, 1],
      [91, 0],
    ]);
    const { outlook } = readOne("IS SOUTH OF CEYLON", "IS HIGH");
    expect(outlook!.areas).toMatchObject([{ designation: "98B", likelihood: "high", place: null }]);
  });

  it.each([
    ["IS HIGH DUE TO LOW VERTICAL WIND SHEAR", "high"],
    ["IS UPGRADED TO HIGH FROM MEDIUM", "high"],
    ["IS UPGRADED FROM MEDIUM TO HIGH", "high"],
    ["IS NOW MEDIUM AS THE LOW DEEPENS", "medium"],
    ["IS DOWNGRADED FROM HIGH TO LOW", "low"],
    ["REMAINS LOW", "low"],
  ])("the likelihood is what the potential is said to be: %s", (chance, likelihood) => {
    expect(readOne(there, chance).outlook!.areas).toMatchObject([{ likelihood }]);
  });

  it.each([
    ["HAS REMAINED NEARLY STATIONARY NEAR 12.9N 88.5E", "B.", "\n   (1) "],
    ["IS CENTERED NEAR 12.9N, 88.5E", "B.", "\n   (1) "],
    [there, "B.", "\n   "],
    [there, "(B)", "\n   (1) "],
    [there, "B.", "\n   1. "],
  ])("an area is read in other words and numbers too: %s, %s%s", (where, head, item) => {
    const { outlook, problems } = readOne(where, "IS HIGH", head, item);
    expect(outlook!.areas).toMatchObject([{ designation: "98B", place: { lat: 12.9, lon: 88.5 } }]);
    expect(problems).toEqual([]);
  });

  it("is refused where its likelihood belongs to no section: the last one stays", () => {
    const { outlook, problems } = readOne(there, "IS HIGH", "D.");
    expect([outlook, problems[0]!.reason]).toEqual([undefined, expect.stringContaining("names no area")]);
  });
});

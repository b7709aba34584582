import { emptyReport, type Parsed, type Report } from "@open-metocean/storms/bulletin";
import { describe, expect, it } from "vitest";
import { BASE, fix } from "#test/storm-feed.ts";
import { deriveStorms, issuedUntil } from "./derive.ts";

const HOUR = 3600;

const report = (issued: number, more: Partial<Report> = {}): Report => ({
  ...emptyReport("warning", {
    provider: "jtwc",
    basin: "WP",
    number: 25,
    season: 2026,
    issued: BASE + issued * HOUR,
  }),
  ...more,
});
const until = (reports: Report[], more: Partial<Parsed> = {}) =>
  issuedUntil({ reports, problems: [], ...more }, BASE);

describe("a text that is stamped ahead of the clock", () => {
  it("by up to 6 h is read and marked", () => {
    const { reports, problems } = until([report(3, { observed: [fix(2.5, 20, 140)] })]);
    expect(reports).toMatchObject([{ observed: [{ latitude: 20 }] }]);
    expect(problems).toEqual([{ line: 0, reason: "stamped 3.0 h ahead of this clock", isRead: true }]);
  });

  it("by its heading alone is read as of the newest time that it states", () => {
    const { reports, problems } = until([report(20, { observed: [fix(-6, 19, 140), fix(0, 20, 140)] })]);
    expect(reports).toMatchObject([{ issued: BASE, observed: [{}, {}] }]);
    expect(problems).toMatchObject([{ reason: "stamped 20.0 h ahead of this clock", isRead: true }]);
  });

  it("is left out without a word in a replay: where it has older bulletins too, or is of another day", () => {
    const older = report(-3, { observed: [fix(-3, 20, 140)] });
    expect(until([older, report(3, { observed: [fix(3, 20, 140)] })])).toEqual({
      reports: [older],
      problems: [],
    });
    expect(until([report(48, { observed: [fix(0, 20, 140)] })])).toEqual({ reports: [], problems: [] });
  });
});

describe("a deck", () => {
  const stamp = (hour: number) =>
    new Date(1000 * (BASE + hour * HOUR)).toISOString().slice(0, 13).replaceAll(/[-T]/g, "");
  const derived = (...hours: number[]) => {
    const rows = hours.map((hour) => `WP, 25, ${stamp(hour)},   , BEST,   0, 165N,  1370E,  55,  985, TS,\n`);
    const texts = [{ source: "bwp252026.dat", text: rows.join(""), receivedAt: BASE }];
    return deriveStorms({ provider: "jtwc", texts, previous: [], now: BASE });
  };

  it("whose rows are all up to 6 h ahead is read and marked: the clock is slow, and the storm is there", () => {
    const { storms, problems } = derived(2);
    expect(storms).toMatchObject([{ entry: { id: "WP252026", is_active: true } }]);
    expect(problems).toMatchObject([{ reason: "stamped 2.0 h ahead of this clock", isRead: true }]);
  });

  it.each([
    ["goes on after that", [2, 8, 14]],
    ["begins after that", [8]],
  ])("that %s is of a past that is replayed, and says nothing yet", (_, hours) => {
    expect(derived(...hours)).toMatchObject({ storms: [], problems: [] });
  });
});

const outlook = (heading: string) => `ABPW10 PGTW ${heading}
RMKS/
1. NORTHERN AREA:
   B. TROPICAL DISTURBANCE SUMMARY:
      (1) THE AREA OF CONVECTION (INVEST 98W) HAS PERSISTED NEAR 13.0N 144.3E. THE POTENTIAL FOR
THE DEVELOPMENT OF A SIGNIFICANT TROPICAL CYCLONE WITHIN THE NEXT 24 HOURS IS LOW.//
NNNN
`;

it("an outlook of two hours ahead has its invest on the map, and is not taken for one of the month before later", () => {
  const texts = [{ source: "abpwweb.txt", text: outlook("151400"), receivedAt: BASE }];
  const first = deriveStorms({ provider: "jtwc", texts, previous: [], now: BASE });
  expect(first.storms).toMatchObject([
    { entry: { id: "WP982026", is_active: true, development: { likelihood: "low" } } },
  ]);
  expect(first.problems).toMatchObject([{ reason: "stamped 2.0 h ahead of this clock", isRead: true }]);
  const { storms, feed, areas } = first;
  const later = BASE + 4 * HOUR;
  const next = deriveStorms({
    provider: "jtwc",
    texts: texts.map((text) => ({ ...text, receivedAt: later })),
    previous: storms,
    areas,
    feed,
    now: later,
  });
  expect([next.storms.length, next.areas.outlooks.length, next.problems]).toEqual([1, 1, []]);
});

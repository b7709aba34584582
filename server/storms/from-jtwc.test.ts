import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { emptyReport, type Parsed, type Report } from "#server/storms/parse/report.ts";
import { parseText } from "#server/storms/parse/text.ts";
import { describeWithSamples } from "#test/samples.ts";
import { ahead, BASE, bulletin, fix } from "#test/storm-feed.ts";
import { jtwcBulletins } from "./from-jtwc.ts";
import { stormId } from "./identity.ts";

const HOUR = 3600;

function report(more: Partial<Report> = {}): Report {
  const identity = { provider: "jtwc", basin: "WP", number: 1, season: 2026, issued: BASE } as const;
  return { ...emptyReport("best track", { ...identity, ...more }), observed: [fix(0, 20, 140)], ...more };
}

const parsed = (...reports: Report[]): Parsed[] => [{ reports, problems: [] }];

it("prefers the most trusted source of a fix and fills in what it lacks", () => {
  const best = report({ observed: [fix(-6, 19, 140), fix(0, 20, 140, { vmaxKt: 60, mslpHpa: null })] });
  const warning = report({
    source: "warning",
    observed: [fix(0, 20.3, 140, { vmaxKt: 70, mslpHpa: 950, stage: "TY" })],
    forecast: { base: BASE, points: [ahead(0, 20, 140), ahead(12, 22, 140)] },
  });
  const vitals = report({ source: "vital statistics", observed: [fix(0, 21, 141), fix(3, 21, 141)] });
  const [storm, ...others] = jtwcBulletins(parsed(vitals, warning, best), [], BASE);
  expect(others).toEqual([]);
  expect(storm!.observed).toMatchObject([
    { time: BASE - 6 * HOUR },
    { time: BASE, latitude: 20, vmaxKt: 60, mslpHpa: 950, stage: "TY" },
    { time: BASE + 3 * HOUR },
  ]);
  expect(storm!.forecast!.points).toHaveLength(2);
});

it("takes the newest forecast, and keeps it until a newer one comes", () => {
  const points = [ahead(0, 20, 140), ahead(12, 22, 140)];
  const older = report({ source: "warning", forecast: { base: BASE - 6 * HOUR, points } });
  const newer = report({ source: "warning", forecast: { base: BASE, points } });
  expect(jtwcBulletins(parsed(newer, older), [], BASE)[0]!.forecast!.base).toBe(BASE);
  const previous = [bulletin({ forecast: { base: BASE, points } })];
  expect(jtwcBulletins(parsed(report()), previous, BASE)[0]!.forecast!.base).toBe(BASE);
});

it("publishes an unreported storm until 24 h after it ended by 24 h of silence", () => {
  const previous = [bulletin({ isFinal: false })];
  const after = (hours: number) => jtwcBulletins([], previous, BASE + hours * HOUR).length;
  expect([after(3), after(24), after(48), after(49)]).toEqual([1, 1, 1, 0]);
});

it("publishes a storm for 24 h after its final warning, and it can become active again", () => {
  const final = report({ source: "warning", isFinal: true });
  const after = (hours: number) => jtwcBulletins(parsed(final), [], BASE + hours * HOUR);
  expect(after(24)).toMatchObject([{ isFinal: true }]);
  expect(after(25)).toEqual([]);
  const again = report({ source: "warning", issued: BASE + HOUR });
  expect(jtwcBulletins(parsed(final, again), [], BASE + HOUR)).toMatchObject([{ isFinal: false }]);
});

it("ends a storm that the list of its basin leaves out, but none of another basin", () => {
  const atlantic = report({ basin: "AL" });
  const pacific = report({});
  const listed = { provider: "jtwc", basins: ["AL", "EP", "CP"], keys: ["AL052026"] } as const;
  const texts: Parsed[] = [
    { reports: [atlantic, pacific], problems: [], listed: { ...listed, keys: [...listed.keys] } },
  ];
  expect(jtwcBulletins(texts, [], BASE).map(({ basin, isFinal }) => [basin, isFinal])).toEqual([
    ["AL", true],
    ["WP", false],
  ]);
});

it("drops an invest that became a storm, by the deck's remark or by place and time of the storm's start", () => {
  const invest = (more: Partial<Report> = {}) => report({ number: 90, isInvest: true, ...more });
  const ids = (...reports: Report[]) => jtwcBulletins(parsed(...reports), [], BASE).map(stormId);
  const far = { observed: [fix(0, -20, 60)] };
  expect(ids(report(), invest(far))).toEqual(["WP012026", "WP902026"]);
  expect(ids(report({ formerly: ["WP902026"] }), invest(far))).toEqual(["WP012026"]);
  const [storm] = jtwcBulletins(
    parsed(report(), invest({ observed: [fix(-12, 19, 140), fix(-6, 19.5, 140)] })),
    [],
    BASE,
  );
  expect(storm!.observed.map(({ time }) => (time - BASE) / HOUR)).toEqual([-12, -6, 0]);
});

it("does not merge an invest with an earlier one of the same number", () => {
  const before = bulletin({ number: 90, isInvest: true, observed: [fix(-24 * 20, 10, 160)] });
  const [invest] = jtwcBulletins(parsed(report({ number: 90, isInvest: true })), [before], BASE);
  expect(invest!.observed).toHaveLength(1);
});

it("drops a fix that a best track no longer has", () => {
  const previous = [bulletin({ observed: [fix(-6, 19, 140), fix(-3, 60, 10), fix(3, 20.5, 140)] })];
  const best = report({ observed: [fix(-6, 19, 140), fix(0, 20, 140)] });
  const [storm] = jtwcBulletins(parsed(best), previous, BASE + 3 * HOUR);
  expect(storm!.observed.map(({ time }) => (time - BASE) / HOUR)).toEqual([-6, 0, 3]);
});

it("takes the newest name of a storm, and none from another provider", () => {
  const named = report({ source: "warning", name: "DEMOQUAY", issued: BASE - HOUR });
  expect(jtwcBulletins(parsed(report({ name: null }), named), [], BASE)[0]!.name).toBe("DEMOQUAY");
  expect(jtwcBulletins(parsed(report({ provider: "jma" })), [], BASE)).toEqual([]);
});

describeWithSamples("decks of one storm", (samples) => {
  it("merges best track, analyses and forecast of Florence under one id", () => {
    const files = [
      "atcf/bdeck/bal062018.dat",
      "atcf/adeck/florence2018_OFCL.dat",
      "atcf/adeck/a-deck_CARQ.22",
    ];
    const now = Date.parse("2018-09-18T15:00:00Z") / 1000;
    const texts = files.map((file) => parseText(file, readFileSync(join(samples, file), "utf8"), now));
    const [florence, ...others] = jtwcBulletins(texts, [], now);
    expect(others).toEqual([]);
    expect(florence).toMatchObject({ basin: "AL", number: 6, season: 2018, name: "FLORENCE" });
    expect(florence!.observed).toHaveLength(79);
    expect(florence!.forecast!.points.map(({ fhr }) => fhr)).toEqual([0, 3, 12]);
  });
});

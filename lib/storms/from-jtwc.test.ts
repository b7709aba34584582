import { expect, it } from "vitest";
import { ahead, BASE, bulletin, fix, parsed, report } from "../../test/storm-feed.ts";
import { isActive, silenceClock } from "./activity.ts";
import { type Bulletin, type Parsed, type Report, stormId } from "./bulletin.ts";
import { jtwcBulletins } from "./from-jtwc.ts";

const HOUR = 3600;

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

it("does not end a storm whose deck is out before the first advisory, which the list does not have yet", () => {
  const listed = (keys: string[]) => ({ provider: "jtwc", basins: ["AL", "EP", "CP"], keys }) as const;
  const invest = report({ basin: "AL", number: 91, isInvest: true });
  const storm = report({ basin: "AL", observed: [fix(-6, 19, 141), fix(0, 20, 140)] });
  const read = (of: Report, keys: string[], known: Bulletin[], hour: number) =>
    jtwcBulletins(
      [{ reports: [of], problems: [], listed: { ...listed(keys), basins: ["AL"], keys } }],
      known,
      BASE + hour * HOUR,
    );
  const before = read(invest, [], [], 1);
  const born = read(storm, [], before, 2);
  expect(born).toMatchObject([{ number: 1, isFinal: false }]);
  const known = read(storm, ["AL012026"], born, 3);
  expect(read(storm, [], known, 4)).toMatchObject([{ number: 1, isFinal: true }]);
  // Without an advisory for long it has none.
  expect(read(storm, [], born, 10)).toMatchObject([{ number: 1, isFinal: true }]);
});

it("drops an invest that became a storm, by the deck's remark or by place and time of the storm's start", () => {
  const invest = (more: Partial<Report> = {}) => report({ number: 90, isInvest: true, ...more });
  const ids = (...reports: Report[]) => jtwcBulletins(parsed(...reports), [], BASE).map(stormId);
  const far = { observed: [fix(-36, 16, 143)] };
  expect(ids(report(), invest(far))).toEqual(["WP012026", "WP902026"]);
  expect(ids(report({ formerly: ["WP902026"] }), invest(far))).toEqual(["WP012026"]);
  const [storm] = jtwcBulletins(
    parsed(report(), invest({ observed: [fix(-12, 19, 140), fix(-6, 19.5, 140)] })),
    [],
    BASE,
  );
  expect(storm!.observed.map(({ time }) => (time - BASE) / HOUR)).toEqual([-12, -6, 0]);
});

it("does not hide a live invest because of an old storm that came from an invest with the same number", () => {
  const live = report({ number: 90, isInvest: true });
  const formerly = { formerly: ["WP902026"] };
  const ids = (...reports: Report[]) => jtwcBulletins(parsed(...reports), [], BASE).map(stormId);
  // A storm of the month before whose deck is still in the folder.
  expect(
    ids(report({ ...formerly, observed: [fix(-24 * 30, 20, 140), fix(-24 * 20, 30, 150)] }), live),
  ).toEqual(["WP902026"]);
  // A storm that has lasted two weeks and is still near.
  const old = Array.from({ length: 57 }, (_, index) => fix(6 * index - 336, 20, 100 + index / 1.6));
  expect(ids(report({ ...formerly, observed: old }), live).toSorted()).toEqual(["WP012026", "WP902026"]);
});

it("publishes two centres' texts on one storm under two ids as one storm, under the id it had first", () => {
  const path = (hours: number[]) => hours.map((hour) => fix(hour, 15, -139.5 - hour / 4));
  const east = report({ basin: "EP", number: 5, name: "DORA", observed: path([-12, -6, 0, 6, 12]) });
  const central = report({
    source: "warning",
    basin: "CP",
    number: 1,
    subregion: "C",
    observed: path([6, 12, 18]),
    issued: BASE + 21 * HOUR,
  });
  const now = BASE + 21 * HOUR;
  const whole = jtwcBulletins(parsed(central, east), [], now);
  expect(whole).toMatchObject([{ basin: "EP", number: 5, name: "DORA", aliases: ["CP012026"] }]);
  expect(whole[0]!.observed.map(({ time }) => (time - BASE) / HOUR)).toEqual([-12, -6, 0, 6, 12, 18]);
  // `05E` and not `05C`.
  expect(whole[0]!.subregion).toBeNull();
  // The first centre's deck has gone; the second centre's continues.
  const later = report({ ...central, observed: path([24]), issued: BASE + 27 * HOUR });
  const [storm, ...others] = jtwcBulletins(parsed(later), whole, BASE + 27 * HOUR);
  expect(others).toEqual([]);
  expect(storm).toMatchObject({ basin: "EP", number: 5, aliases: ["CP012026"] });
  expect(storm!.observed.at(-1)!.time).toBe(BASE + 24 * HOUR);
});

it("goes on with a storm west of 180° that NHC's list leaves out, because JTWC has taken over", () => {
  const crossed = report({ basin: "EP", number: 5, observed: [fix(-6, 15, -179.5), fix(0, 15, 179.5)] });
  const texts: Parsed[] = [
    { reports: [crossed], problems: [], listed: { provider: "jtwc", basins: ["AL", "EP", "CP"], keys: [] } },
  ];
  expect(jtwcBulletins(texts, [], BASE)).toMatchObject([{ isFinal: false }]);
});

it("stays ended when the text that ended it is obsolete or cut", () => {
  const final = report({ source: "warning", isFinal: true });
  const ended = jtwcBulletins(parsed(final), [], BASE);
  expect(jtwcBulletins(parsed(report()), ended, BASE + 6 * HOUR)).toMatchObject([{ isFinal: true }]);
  const again = report({ source: "warning", issued: BASE + 12 * HOUR, observed: [fix(12, 21, 140)] });
  expect(jtwcBulletins(parsed(again), ended, BASE + 12 * HOUR)).toMatchObject([{ isFinal: false }]);
});

it("lives again by a text that is newer than the one that ended it, also when a deck was read before", () => {
  const read = (known: Bulletin[], hour: number, ...reports: Report[]) =>
    jtwcBulletins(parsed(...reports), known, BASE + hour * HOUR);
  const deck = (hour: number, more: Partial<Report> = {}) =>
    report({ observed: [fix(0, 20, 140), fix(hour, 20.5, 140)], issued: BASE + hour * HOUR, ...more });
  const forecast = (hour: number) =>
    report({
      source: "warning",
      issued: BASE + hour * HOUR,
      observed: [],
      forecast: { base: BASE + hour * HOUR, points: [ahead(0, 20, 140), ahead(12, 22, 140)] },
    });
  const final = report({ source: "warning", isFinal: true });
  const ended = read(read([], 0, final), 6, deck(6), final);
  expect(ended).toMatchObject([{ isFinal: true }]);
  expect(read(ended, 7, deck(6), forecast(0))).toMatchObject([{ isFinal: true }]);
  const again = read(ended, 7, deck(6), forecast(6));
  expect(again).toMatchObject([{ isFinal: false }]);
  expect(read(again, 12, deck(12))).toMatchObject([{ isFinal: false }]);

  const invest = { number: 98, isInvest: true };
  const cancelled = report({ ...invest, source: "formation alert", isFinal: true, observed: [] });
  const known = read([], 0, deck(0, invest));
  const over = read(read(known, 1, cancelled), 7, deck(6, invest), cancelled);
  expect(over).toMatchObject([{ isFinal: true }]);
  const alert = report({ ...invest, source: "formation alert", issued: BASE + 6 * HOUR });
  expect(read(over, 8, deck(6, invest), alert)).toMatchObject([{ isFinal: false }]);
});

it("ends a storm by a final warning without a position, and publishes none that has only that", () => {
  const final = report({ source: "warning", isFinal: true, observed: [], issued: BASE + HOUR });
  const known = jtwcBulletins(parsed(report()), [], BASE);
  expect(jtwcBulletins(parsed(final), known, BASE + HOUR)).toMatchObject([{ isFinal: true }]);
  expect(jtwcBulletins(parsed(final), [], BASE + HOUR)).toEqual([]);
});

it("keeps what is lost of a forecast or of the last fix when a deck ends early", () => {
  const radiiKm = { 34: { ne: 90, se: 90, sw: 90, nw: 90 }, 50: { ne: 40, se: 40, sw: 40, nw: 40 } };
  const points = [ahead(0, 20, 140), ahead(12, 22, 140), ahead(24, 24, 140)];
  const whole = report({ observed: [fix(0, 20, 140, { radiiKm })], forecast: { base: BASE, points } });
  const cut = report({
    observed: [fix(0, 20, 140, { radiiKm: { 34: radiiKm[34] } })],
    forecast: { base: BASE, points: points.slice(0, 2) },
  });
  const known = jtwcBulletins(parsed(whole), [], BASE);
  const [storm] = jtwcBulletins(parsed(cut), known, BASE);
  expect(storm!.forecast!.points).toHaveLength(3);
  expect(storm!.observed[0]!.radiiKm).toEqual(radiiKm);
  // A revised fix has the radii of its own text alone.
  const revised = report({ observed: [fix(0, 20.4, 140, { radiiKm: { 34: radiiKm[34] } })] });
  expect(jtwcBulletins(parsed(revised), known, BASE)[0]!.observed[0]!.radiiKm).toEqual({ 34: radiiKm[34] });
});

it("ends the last storm of a season some days after its feed fell silent", () => {
  const known = jtwcBulletins(parsed(report()), [], BASE);
  const storms = (hours: number) => {
    const now = BASE + hours * HOUR;
    const clock = silenceClock(known, () => BASE, now);
    return jtwcBulletins(parsed(report()), known, now, clock).map((each) => isActive(each, now, clock(each)));
  };
  expect(storms(6 * 24)).toEqual([true]);
  expect(storms(6 * 24 + 1)).toEqual([false]);
  expect(storms(7 * 24 + 1)).toEqual([]);
});

it("leaves out a fix that a less trusted text gives within an hour of another one", () => {
  const landfall = (minutes: number) => ({ ...fix(0, 20, 140), time: BASE + minutes * 60 });
  const best = report({ observed: [fix(-6, 19, 140), landfall(-5)] });
  const list = report({ source: "advisory list", observed: [fix(0, 20.2, 140)] });
  const times = (known: Bulletin[]) => known[0]!.observed.map(({ time }) => (time - BASE) / 60);
  const whole = jtwcBulletins(parsed(list, best), [], BASE);
  expect(times(whole)).toEqual([-360, -5]);
  const first = jtwcBulletins(parsed(list), [], BASE);
  expect(times(first)).toEqual([0]);
  expect(times(jtwcBulletins(parsed(best), first, BASE))).toEqual([-360, -5]);
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

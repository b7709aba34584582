import { type Bulletin, type Report, stormId } from "@open-metocean/storms/bulletin";
import { jtwcBulletins } from "@open-metocean/storms/from-jtwc";
import { expect, it } from "vitest";
import { ahead, BASE, fix, parsed, report } from "#test/storm-feed.ts";

const HOUR = 3600;

/** A best track without a name. */
function deck(basin: string, number: number, observed: Report["observed"], more: Partial<Report> = {}) {
  return report({ basin, number, observed, issued: observed.at(-1)!.time, ...more });
}

/** A storm that moves west towards 140°W; its last fix is at the hour. */
const east = (hour: number) =>
  [-12, -6, 0, 6, 12].filter((each) => each <= hour).map((each) => fix(each, 16.6, -143 - each / 4));

function read(hour: number, known: readonly Bulletin[], ...reports: Report[]): Bulletin[] {
  return jtwcBulletins(parsed(...reports), known, BASE + hour * HOUR);
}

const idsOf = (storms: readonly Bulletin[]) => storms.map(stormId).toSorted();

it("does not take a storm for another one of the next basin because its first fix is near", () => {
  const other = deck("CP", 1, [fix(0, 17, -143.6, { vmaxKt: 30 })]);
  const storms = read(0, [], deck("EP", 12, east(0)), other);
  expect(idsOf(storms)).toEqual(["CP012026", "EP122026"]);
  expect(storms.find(({ basin }) => basin === "EP")!.observed.at(-1)).toMatchObject({ vmaxKt: 70 });
});

it("publishes a storm that two centres have from its first fix under the id of the basin of that", () => {
  const path = (west: number) => [0, 6].map((hour) => fix(hour, 15, west - hour / 4));
  for (const [west, basin] of [
    [-138, "EP"],
    [-150, "CP"],
  ] as const) {
    const storms = read(6, [], deck("CP", 1, path(west)), deck("EP", 12, path(west)));
    expect(storms).toMatchObject([{ basin }]);
  }
});

it("gives up the id, the fixes and the forecast of another storm when it turns out to be one", () => {
  const points = [ahead(6, 17, -144), ahead(18, 18, -147)];
  const near = deck("CP", 1, [fix(0, 16.7, -143), fix(6, 17, -144.5, { vmaxKt: 30 })], {
    forecast: { base: BASE + 6 * HOUR, points },
  });
  const one = read(6, [], deck("EP", 12, east(6)), near);
  expect(one).toMatchObject([{ basin: "EP", aliases: ["CP012026"] }]);
  const away = { ...near, observed: [...near.observed, fix(12, 12, -140), fix(18, 11, -139)] };
  const still = read(12, one, deck("EP", 12, east(6)), away);
  expect(idsOf(still)).toEqual(["EP122026"]);
  const apart = read(18, still, deck("EP", 12, east(12)), away);
  expect(idsOf(apart)).toEqual(["CP012026", "EP122026"]);
  const storm = apart.find(({ basin }) => basin === "EP")!;
  expect(storm.aliases).toBeUndefined();
  expect(storm.forecast).toBeUndefined();
  expect(storm.observed).toEqual(east(12));
  // They remain two storms when the first centre's deck is missing.
  expect(idsOf(read(19, apart, away))).toEqual(["CP012026", "EP122026"]);
});

it("keeps the id and the earlier track of a storm when the deck of its first centre leaves the mirror", () => {
  for (const [first, second, longitude] of [
    ["AL", "EP", -84],
    ["CP", "WP", -176],
  ] as const) {
    const path = (hours: number[]) => hours.map((hour) => fix(hour, 12, longitude - hour / 4));
    const whole = path([-24, -18, -12, -6, 0]);
    const before = deck(first, 2, whole);
    const begun = read(0, read(-6, [], before), before, deck(second, 4, whole.slice(-2)));
    expect(begun).toMatchObject([{ basin: first, aliases: [`${second}042026`] }]);
    const after = deck(second, 4, path([-6, 0, 6]));
    const [storm, ...others] = read(6, begun, after);
    expect(others).toEqual([]);
    expect(storm).toMatchObject({ basin: first, number: 2, aliases: [`${second}042026`] });
    expect(storm!.observed).toEqual([...whole, ...path([6])]);
    // A fix is removed if the second deck covers its time and lacks it.
    const revised = deck(second, 4, path([-6, 6]));
    expect(read(7, [storm!], revised)[0]!.observed).toEqual(path([-24, -18, -12, -6, 6]));
  }
});

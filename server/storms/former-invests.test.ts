import { type Bulletin, type Report, stormId } from "@open-metocean/storms/bulletin";
import { jtwcBulletins } from "@open-metocean/storms/from-jtwc";
import { expect, it } from "vitest";
import { BASE, fix, parsed, report as reportOf } from "#test/storm-feed.ts";

const HOUR = 3600;

const report = (more: Partial<Report>) => reportOf({ number: 25, ...more });

/** A storm of two days that moves west; its last fix is at the hour. */
const path = (from: number, to: number) =>
  Array.from({ length: (to - from) / 6 + 1 }, (_, index) => fix(from + 6 * index, 16.6, 136 - index / 4));

const storm = report({ observed: path(-48, 0) });
const ended = report({ source: "warning", isFinal: true, observed: path(0, 0), issued: BASE + HOUR });
const invest = (from: number, to: number) =>
  report({
    number: 98,
    isInvest: true,
    observed: path(from, to).map((each) => ({ ...each, longitude: 135.5 })),
    issued: BASE + to * HOUR,
  });

function read(hour: number, known: readonly Bulletin[], ...reports: Report[]): Bulletin[] {
  return jtwcBulletins(parsed(...reports), known, BASE + hour * HOUR);
}

const idsOf = (storms: readonly Bulletin[]) => storms.map(stormId).toSorted();

it("shows an invest that begins where a storm has ended, and hides it when the storm is warned of again", () => {
  const remnant = read(12.5, read(1, [], storm, ended), storm, ended, invest(12, 12));
  expect(idsOf(remnant)).toEqual(["WP252026", "WP982026"]);
  expect(remnant.find(({ number }) => number === 25)).toMatchObject({ isFinal: true });
  expect(remnant.find(({ number }) => number === 25)!.aliases).toBeUndefined();
  const later = read(18.5, remnant, storm, ended, invest(12, 18));
  expect(idsOf(later)).toEqual(["WP252026", "WP982026"]);
  const again = report({ source: "warning", observed: path(24, 24), issued: BASE + 25 * HOUR });
  const back = read(25, later, storm, again, invest(12, 18));
  expect(back).toMatchObject([{ number: 25, isFinal: false, aliases: ["WP982026"] }]);
});

it("shows an invest that continues after the storm that came from it has ended, even if no text ends that storm", () => {
  const whole = report({ ...storm, formerly: ["WP982026"] });
  const before = read(1, [], whole, ended, invest(-72, -48));
  expect(before).toMatchObject([{ number: 25, aliases: ["WP982026"] }]);
  const after = read(12, before, whole, ended, invest(-72, 12));
  expect(idsOf(after)).toEqual(["WP252026", "WP982026"]);
  // The id is that of the invest alone.
  expect(after.find(({ number }) => number === 25)!.aliases).toBeUndefined();
  expect(idsOf(read(25, [], storm, invest(-72, 24)))).toEqual(["WP252026", "WP982026"]);
  expect(idsOf(read(24, [], storm, invest(-72, 24)))).toEqual(["WP252026"]);
});

it("shows an invest that begins where a storm has ended whose best track continues", () => {
  const whole = report({ observed: path(-48, 18), issued: BASE + 18 * HOUR });
  expect(idsOf(read(18, read(1, [], storm, ended), whole, ended, invest(12, 18)))).toEqual([
    "WP252026",
    "WP982026",
  ]);
});

it("hides each invest that a storm came from, including one that began a day after the first one", () => {
  const first = report({ ...invest(-54, -24), number: 97 });
  const storms = read(1, [], report({ observed: path(-12, 0) }), ended, first, invest(-24, -12));
  expect(storms).toMatchObject([{ number: 25, isFinal: true, aliases: ["WP972026", "WP982026"] }]);
});

/** An invest along the storm's path, the given number of degrees east of it. */
const beside = (degrees: number, from: number, to: number, more: Partial<Report> = {}) =>
  report({
    number: 97,
    isInvest: true,
    observed: path(from, to).map((each, index) => ({
      ...each,
      longitude: 136 + degrees - (from + 48) / 24 - index / 4,
    })),
    issued: BASE + to * HOUR,
    ...more,
  });
const living = (more: Partial<Report> = {}) =>
  report({ observed: path(-48, 0).map((each) => ({ ...each, stage: "TS" })), ...more });

it("shows an invest that is watched 200 km from an active storm, because it is another system", () => {
  expect(idsOf(read(1, [], living(), beside(2, -24, 0)))).toEqual(["WP252026", "WP972026"]);
  // The deck of the storm is late, so the storm may have moved as far as it does within 6 h.
  expect(idsOf(read(6, [], living(), beside(2.7, -24, 6)))).toEqual(["WP252026"]);
  // An outlook between two fixes places it.
  const between = report({ ...beside(2, 0, 0), observed: [fix(-3, 16.6, 136.1)], source: "outlook" });
  expect(idsOf(read(1, [], living(), between))).toEqual(["WP252026", "WP972026"]);
});

it("shows an invest near a storm whose texts name another invest as its origin, unless both are at one place", () => {
  const own = path(-48, 0).slice(6);
  const named = living({ observed: own, formerly: ["WP982026"] });
  expect(idsOf(read(1, [], named, beside(2, -30, -24)))).toEqual(["WP252026", "WP972026"]);
  expect(idsOf(read(1, [], named, beside(0.5, -24, -12)))).toEqual(["WP252026"]);
  // The invest that the storm came from may be as far away as a storm moves in the hours without fixes.
  expect(idsOf(read(1, [], named, beside(2, -30, -24, { number: 98 })))).toEqual(["WP252026"]);
});

it("continues from its invest's newest fix while the first deck of the storm is read in part", () => {
  const watched = read(1, [], invest(-24, 0));
  const cut = report({ observed: path(-24, -12), formerly: ["WP982026"], issued: BASE - 11 * HOUR });
  const [storm, ...others] = read(2, watched, invest(-24, 0), cut);
  expect(others).toEqual([]);
  expect(storm).toMatchObject({ number: 25, aliases: ["WP982026"] });
  const hours = storm!.observed.map(({ time }) => (time - BASE) / HOUR);
  expect(hours).toEqual([-24, -18, -12, -6, 0]);
  // The whole deck places the storm by itself.
  const whole = report({ ...cut, observed: path(-24, 0), issued: BASE + HOUR });
  const [later] = read(3, [storm!], invest(-24, 0), whole);
  expect(later!.observed.map(({ longitude }) => longitude)).toEqual(
    whole.observed.map(({ longitude }) => longitude),
  );
});

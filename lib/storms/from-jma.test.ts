import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { distanceKm } from "@open-metocean/geo/sphere";
import { expect, it } from "vitest";
import { describeWithSamples } from "../../test/samples.ts";
import { BASE, fix } from "../../test/storm-feed.ts";
import { isActive } from "./activity.ts";
import { type Bulletin, emptyReport, type Parsed, type Report, stormId } from "./bulletin.ts";
import { jmaBulletins } from "./from-jma.ts";
import { parseText } from "./parse/text.ts";

const HOUR = 3600;

function report(hour: number, more: Partial<Report> = {}): Report {
  const identity = {
    provider: "jma",
    basin: "WP",
    number: 91,
    season: 2026,
    issued: BASE + hour * HOUR,
  } as const;
  return {
    ...emptyReport("warning", { ...identity, ...more }),
    code: "TC2601",
    observed: [fix(hour, 20 + hour / 6, 140)],
    ...more,
  };
}

const list = (...keys: string[]): Parsed => ({
  reports: [],
  problems: [],
  listed: { provider: "jma", basins: ["WP"], keys },
});

it("follows a depression by its code when it is numbered and named", () => {
  const first = jmaBulletins([{ reports: [report(0)], problems: [] }], [], BASE);
  expect(first.map(stormId)).toEqual(["WP912026"]);
  const named = report(6, { number: 14, isInvest: false, name: "KUJIRA" });
  const second = jmaBulletins([{ reports: [named], problems: [] }], first, BASE + 6 * HOUR);
  expect(second).toMatchObject([{ number: 14, name: "KUJIRA", isInvest: false, code: "TC2601" }]);
  expect(second[0]!.observed.map(({ time }) => (time - BASE) / HOUR)).toEqual([0, 6]);
});

it("ends a storm whose code leaves the list, and publishes it for another 24 h", () => {
  const previous: Bulletin[] = jmaBulletins([{ reports: [report(0)], problems: [] }], [], BASE);
  const after = (hours: number) => jmaBulletins([list("TC2602")], previous, BASE + hours * HOUR);
  expect(after(3)).toMatchObject([{ isFinal: true }]);
  expect(after(25)).toEqual([]);
  expect(jmaBulletins([list("TC2601")], previous, BASE + 3 * HOUR)).toMatchObject([{ isFinal: false }]);
});

/** The line that JMA draws behind a storm, one point an analysis; times are counted back by 3 h, as the parser does. */
function drawn(hour: number, points: number): Report {
  const places = Array.from({ length: points }, (_, index) => {
    const back = points - 1 - index;
    return fix(hour - 3 * back, 20 + (hour - back) / 6, 140, { vmaxKt: null, mslpHpa: null });
  });
  return report(hour, { source: "drawn track", observed: places });
}

it("adds no fix to the past when bulletins come hourly and the drawn line has a point an hour", () => {
  let known: Bulletin[] = [];
  for (let hour = 0; hour <= 48; hour++) {
    known = jmaBulletins(
      [{ reports: [drawn(hour, 4 + hour), report(hour)], problems: [] }],
      known,
      BASE + hour * HOUR,
    );
    const hours = known[0]!.observed.map(({ time }) => (time - BASE) / HOUR);
    expect(hours).toEqual([-9, -6, -3, ...Array.from({ length: hour + 1 }, (_, index) => index)]);
  }
});

it("loses no point of the past when a mirror shows an older bulletin for once", () => {
  const bare = { vmaxKt: null, mslpHpa: null };
  const place = (hour: number) => fix(hour, 20 + hour / 6, 140, bare);
  const threeHourly = (hour: number): Report =>
    report(hour, {
      source: "drawn track",
      observed: [15, 12, 9, 6, 3, 0].map((back) => place(hour - back)),
    });
  const read = (known: Bulletin[], ...reports: Report[]) =>
    jmaBulletins([{ reports, problems: [] }], known, BASE + 4 * HOUR);
  const hoursOf = ([storm]: Bulletin[]) => storm!.observed.map(({ time }) => (time - BASE) / HOUR);
  const known = read([], threeHourly(0), report(0));
  const older = read(known, threeHourly(-9), report(0));
  expect(hoursOf(older)).toEqual([-24, -21, -18, -15, -12, -9, -6, -3, 0]);
  expect(hoursOf(read(older, threeHourly(3), report(3)))).toEqual([...hoursOf(older), 3]);
  // An analysis where the line has it at that time proves the line's times as well.
  expect(hoursOf(read(known, threeHourly(0), report(-9)))).toEqual([-15, -12, -9, -6, -3, 0]);
  // The line of hourly bulletins has other places at the times that are counted back.
  const hourly = read([], drawn(0, 6), report(0));
  expect(hoursOf(read(hourly, report(-9)))).toEqual([-15, -12, -9, 0]);
});

it("begins where JMA's own line begins when a depression was given up and comes back", () => {
  const first = jmaBulletins([{ reports: [drawn(0, 4), report(0)], problems: [] }], [], BASE);
  const again = [{ reports: [drawn(36, 2), report(36)], problems: [] }];
  const [storm] = jmaBulletins(again, first, BASE + 36 * HOUR);
  expect(storm!.observed.map(({ time }) => (time - BASE) / HOUR)).toEqual([33, 36]);
  // After a feed has been frozen for as long, JMA's line continues.
  const back = [{ reports: [drawn(36, 16), report(36)], problems: [] }];
  const [whole] = jmaBulletins(back, first, BASE + 36 * HOUR);
  expect(whole!.observed.map(({ time }) => (time - BASE) / HOUR)).toEqual([-9, -6, -3, 0, 36]);
});

it("keeps a storm active while the list has it, however old its bulletins are", () => {
  const texts = [{ reports: [report(0)], problems: [] }, list("TC2601")];
  let known: Bulletin[] = [];
  for (let hour = 0; hour <= 240; hour += 6) {
    const now = BASE + hour * HOUR;
    known = jmaBulletins(texts, known, now);
    expect(known.map((storm) => isActive(storm, now))).toEqual([true]);
  }
  // A list that cannot be read proves nothing.
  known = jmaBulletins([{ reports: [report(0)], problems: [] }], known, BASE + 250 * HOUR);
  expect(known.map((storm) => isActive(storm, BASE + 250 * HOUR))).toEqual([true]);
  expect(jmaBulletins([list()], known, BASE + 260 * HOUR)).toEqual([]);
});

it("stays ended after it was removed, while its bulletins stay and the list is missing", () => {
  const text = { reports: [report(0)], problems: [] };
  const removed = jmaBulletins([text, list()], [], BASE + HOUR);
  const read = (hour: number, ...texts: Parsed[]) =>
    jmaBulletins(texts, [], BASE + hour * HOUR, undefined, removed).map(({ isFinal }) => isFinal);
  expect(read(23, text)).toEqual([true]);
  expect(read(26, text)).toEqual([]);
  expect(read(26, text, list("TC2601"))).toEqual([false]);
  expect(read(26, { reports: [report(26)], problems: [] })).toEqual([false]);
});

it("keeps no forecast after the last bulletin of a weakening storm, which is an analysis alone", () => {
  const points = [0, 24].map((fhr) => ({ ...fix(fhr, 20, 140), fhr }));
  const before = report(0, { forecast: { base: BASE, points } });
  const alone = (stage: string) => report(3, { observed: [fix(3, 20.5, 140, { stage })] });
  const forecastAfter = (last: Report) =>
    jmaBulletins([{ reports: [before, last], problems: [] }], [], BASE + 4 * HOUR)[0]!.forecast;
  expect(forecastAfter(alone("TD"))).toBeUndefined();
  expect(forecastAfter(alone("LOW"))).toBeUndefined();
  // Hourly bulletins of a typhoon have no forecast either: the last one stays.
  expect(forecastAfter(alone("TY"))?.base).toBe(BASE);
});

it("takes the forecast of the drawn track while that with winds is missing, and the last one if there is none", () => {
  const points = [0, 24].map((fhr) => ({ ...fix(fhr, 20, 140), fhr }));
  const first = jmaBulletins(
    [{ reports: [report(0, { forecast: { base: BASE, points } })], problems: [] }],
    [],
    BASE,
  );
  const line = (more: Partial<Report>) => {
    const text = { reports: [{ ...drawn(9, 4), ...more }], problems: [] };
    return jmaBulletins([text], first, BASE + 9 * HOUR)[0]!.forecast?.base;
  };
  expect(line({})).toBe(BASE);
  expect(line({ forecast: { base: BASE + 9 * HOUR, points } })).toBe(BASE + 9 * HOUR);
});

it("lists the ids that a storm had before it was numbered, and keeps the season of its code over New Year", () => {
  const first = jmaBulletins([{ reports: [report(0)], problems: [] }], [], BASE);
  const named = report(6, { number: 14, isInvest: false, name: "KUJIRA" });
  const [storm] = jmaBulletins([{ reports: [named], problems: [] }], first, BASE + 6 * HOUR);
  expect(storm!.aliases).toEqual(["WP912026"]);
  const january = jmaBulletins([{ reports: [report(6, { season: 2027 })], problems: [] }], first, BASE);
  expect(january.map(stormId)).toEqual(["WP912026"]);
});

it("gives up the id of the depression that a storm came from when another depression has its letter", () => {
  const first = jmaBulletins([{ reports: [report(0)], problems: [] }], [], BASE);
  const named = report(6, { number: 14, isInvest: false, name: "KUJIRA" });
  const next = report(6, { code: "TC2699" });
  const storms = jmaBulletins([{ reports: [named, next], problems: [] }], first, BASE + 6 * HOUR);
  expect(storms.map((storm) => [stormId(storm), storm.aliases]).toSorted()).toEqual([
    ["WP142026", undefined],
    ["WP912026", undefined],
  ]);
});

describeWithSamples("bulletins one after the other", (samples) => {
  const folder = "jma/bulletins";
  const files = readdirSync(join(samples, folder));
  it.each(files)("give the same storm as all at once, and no fix that no text gave: %s", (file) => {
    const archive = JSON.parse(readFileSync(join(samples, folder, file), "utf8")) as {
      tcId: string;
      snapshots: { specifications: unknown; forecast: unknown }[];
    };
    const code = archive.tcId;
    const texts = archive.snapshots.map(({ specifications, forecast }) =>
      [specifications, forecast].map((half) => parseText(`${code}/x.json`, JSON.stringify(half), 0)),
    );
    const given = new Set<string>();
    let known: Bulletin[] = [];
    let now = 0;
    for (const halves of texts) {
      const { issued } = halves[0]!.reports[0]!;
      for (const { reports } of halves)
        for (const { observed } of reports)
          for (const { latitude, longitude } of observed) given.add(`${latitude} ${longitude}`);
      // Every hour until the next bulletin the mirror has the same texts.
      for (let hour = 0; hour < 3; hour++) {
        now = issued + hour * HOUR;
        known = jmaBulletins([...halves, list(code)], known, now);
        expect(known).toHaveLength(1);
        const { observed } = known[0]!;
        for (const [index, { time, latitude, longitude }] of observed.entries()) {
          expect(given).toContain(`${latitude} ${longitude}`);
          const earlier = observed[index - 1];
          if (!earlier) continue;
          expect(time).toBeGreaterThan(earlier.time);
          const hours = (time - earlier.time) / HOUR;
          expect(distanceKm(earlier, { latitude, longitude }) / hours).toBeLessThan(150);
        }
      }
    }
    expect(known).toEqual(jmaBulletins([...texts.flat(), list(code)], [], now));
  });
});

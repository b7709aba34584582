import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { emptyReport, type Parsed, type Report } from "#server/storms/parse/report.ts";
import { parseText } from "#server/storms/parse/text.ts";
import { describeWithSamples } from "#test/samples.ts";
import { BASE, fix } from "#test/storm-feed.ts";
import type { Bulletin } from "./bulletin.ts";
import { jmaBulletins } from "./from-jma.ts";
import { stormId } from "./identity.ts";

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

it("takes the drawn track before the first bulletin, and only once", () => {
  const drawn = (hour: number) =>
    report(hour, {
      source: "drawn track",
      observed: [fix(hour - 6, 1, 1), fix(hour - 3, 2, 2), fix(hour, 3, 3)],
    });
  const first = jmaBulletins([{ reports: [drawn(0), report(0)], problems: [] }], [], BASE);
  expect(first[0]!.observed.map(({ time, latitude }) => [(time - BASE) / HOUR, latitude])).toEqual([
    [-6, 1],
    [-3, 2],
    [0, 20],
  ]);
  const second = jmaBulletins([{ reports: [drawn(6), report(6)], problems: [] }], first, BASE + 6 * HOUR);
  expect(second[0]!.observed.map(({ time }) => (time - BASE) / HOUR)).toEqual([-6, -3, 0, 6]);
});

it("ends a storm whose code leaves the list, and publishes it for another 24 h", () => {
  const previous: Bulletin[] = jmaBulletins([{ reports: [report(0)], problems: [] }], [], BASE);
  const after = (hours: number) => jmaBulletins([list("TC2602")], previous, BASE + hours * HOUR);
  expect(after(3)).toMatchObject([{ isFinal: true }]);
  expect(after(25)).toEqual([]);
  expect(jmaBulletins([list("TC2601")], previous, BASE + 3 * HOUR)).toMatchObject([{ isFinal: false }]);
});

it("gives a reused letter to the new depression", () => {
  const previous = jmaBulletins([{ reports: [report(0)], problems: [] }], [], BASE);
  const next = report(12, { code: "TC2602" });
  const bulletins = jmaBulletins(
    [{ reports: [next], problems: [] }, list("TC2602")],
    previous,
    BASE + 12 * HOUR,
  );
  expect(bulletins.map(({ code }) => code)).toEqual(["TC2602"]);
});

describeWithSamples("an archive of bulletins", (samples) => {
  it("is one storm from letter to name, with ascending times", () => {
    const now = Date.parse("2026-08-22T19:00:00Z") / 1000;
    const file = "jma/bulletins/tc_TC2621.json";
    const text = parseText(file, readFileSync(join(samples, file), "utf8"), now);
    const [saudel, ...others] = jmaBulletins([text], [], now);
    expect(others).toEqual([]);
    expect(saudel).toMatchObject({
      number: 18,
      season: 2026,
      name: "SAUDEL",
      isInvest: false,
      code: "TC2621",
    });
    const times = saudel!.observed.map(({ time }) => time);
    expect(times).toEqual([...new Set(times)].sort((one, other) => one - other));
    expect(times.at(-1)).toBe(Date.parse("2026-08-22T18:00:00Z") / 1000);
    expect(saudel!.forecast!.base).toBe(times.at(-1));
  });
});

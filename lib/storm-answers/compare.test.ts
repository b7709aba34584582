import { destination, MILE_KM } from "@open-metocean/geo/sphere";
import { expect, it } from "vitest";
import { aheadPoint, BASE, stormOf, trackPoint } from "#test/storms.ts";
import { compareTracks, sameStorms } from "./compare.ts";

const HOUR = 3600;
const centre = (hour: number) => destination({ latitude: 18, longitude: 178 }, 80, 25 * hour);

/**
 * A storm at a distance south of the track, n mi, observed and forecast at the given hours after the base
 * time.
 */
function entry(provider: "jtwc" | "jma", miles: number, kt: number, fixes: number[], ahead: number[]) {
  const place = (hour: number) => destination(centre(hour), 180, miles * MILE_KM);
  const points = ahead.map((hour) => aheadPoint(hour, place(hour), { vmax_kt: kt + hour }));
  const observed = fixes.map((hour) => trackPoint(hour, place(hour), { vmax_kt: kt + hour }));
  return stormOf(points, {
    provider,
    tracks: { observed, forecast: { issued_at: BASE, cone_source: "nhc", points } },
  });
}

const jtwc = entry("jtwc", 0, 80, [-12, -6, 0], [0, 12, 24, 48]);
const jma = entry("jma", 30, 70, [-12, -9, -6, -3, 0, 3], [3, 24, 36, 48, 72]);
const { differences, averagingMinutes } = compareTracks(jtwc, jma);
const at = (hour: number) => differences.find(({ time }) => time === BASE + hour * HOUR);

it("compares two tracks wherever one has a point and both are known, also across 180°", () => {
  expect(differences.map(({ time }) => (time - BASE) / HOUR)).toEqual([
    -12, -9, -6, -3, 0, 3, 12, 24, 36, 48,
  ]);
  for (const { miles } of differences) expect(Math.abs(miles - 30)).toBeLessThan(0.3);
});

it("tells observations from forecasts, and given points from interpolated ones", () => {
  expect(at(-6)).toMatchObject({ stage: "observed", exact: true });
  expect(at(-9)).toMatchObject({
    stage: "observed",
    exact: false,
    jtwc: { exact: false },
    jma: { exact: true },
  });
  // Only one of the two providers has observed hour 3.
  expect(at(3)).toMatchObject({ stage: "forecast", exact: false });
  expect(at(24)).toMatchObject({ stage: "forecast", exact: true });
});

it("names the averaging periods of the winds that it subtracts, and has null where one is missing", () => {
  expect(averagingMinutes).toEqual({ jtwc: 1, jma: 10 });
  for (const { windKt } of differences) expect(windKt).toBeCloseTo(10, 9);
  const calm = structuredClone(jma);
  for (const point of calm.tracks.observed) point.vmax_kt = null;
  expect(compareTracks(jtwc, calm).differences[0]!.windKt).toBeNull();
});

it("does not bridge a gap in the observations", () => {
  const rare = entry("jtwc", 0, 80, [-48, 0], [0, 24]);
  const often = entry("jma", 30, 70, [-48, -24, 0], [0, 24]);
  const { differences: known } = compareTracks(rare, often);
  expect(known.map(({ time }) => (time - BASE) / HOUR)).toEqual([-48, 0, 24]);
});

const here = { latitude: 20, longitude: 179.9 };
const track = (km: number, hours = [0, 12, 24]) =>
  hours.map((hour) =>
    aheadPoint(hour, destination(destination(here, 90, km), 0, hour * 20), { vmax_kt: 60 + km }),
  );
const ours = stormOf(track(0), { id: "WP252026" });
const theirs = (km: number, hours?: number[]) =>
  stormOf(track(km, hours), { provider: "jma", id: "WP262026" });

it("matches a storm of two providers by position, across 180°, with one partner at most", () => {
  const [near, nearer, far] = [theirs(200), theirs(100), theirs(350)];
  expect(sameStorms([ours], [near, nearer, far], BASE)).toMatchObject([{ jtwc: ours, jma: nearer }]);
  expect(sameStorms([ours], [far], BASE)).toEqual([]);
});

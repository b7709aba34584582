import { expect, it } from "vitest";
import { destination } from "#lib/geo/sphere.ts";
import { aheadPoint, BASE, stormOf } from "#test/storms.ts";
import { sameStorms } from "./compare.ts";

const here = { latitude: 20, longitude: 179.9 };
const track = (km: number, hours = [0, 12, 24]) =>
  hours.map((hour) =>
    aheadPoint(hour, destination(destination(here, 90, km), 0, hour * 20), { vmax_kt: 60 + km }),
  );
const jtwc = stormOf(track(0), { id: "WP252026" });
const jma = (km: number, hours?: number[]) => stormOf(track(km, hours), { provider: "jma", id: "WP262026" });

it("matches a storm of two providers by position, across 180°, with one partner at most", () => {
  const [near, nearer, far] = [jma(200), jma(100), jma(350)];
  expect(sameStorms([jtwc], [near, nearer, far], BASE)).toMatchObject([{ jtwc, jma: nearer }]);
  expect(sameStorms([jtwc], [far], BASE)).toEqual([]);
});

it("compares the two at their common times, without converting winds", () => {
  const [pair] = sameStorms([jtwc], [jma(100, [0, 24, 36])], BASE);
  expect(pair!.differences.map(({ time }) => (time - BASE) / 3600)).toEqual([0, 24]);
  expect(pair!.differences[0]).toMatchObject({ jtwc: { vmax_kt: 60 }, jma: { vmax_kt: 160 } });
  expect(pair!.differences[0]!.km).toBeCloseTo(100, 6);
});

import { dangerArea } from "@open-metocean/storms/danger";
import { expect, it } from "vitest";
import { HOUR_S } from "#lib/time.ts";
import { aheadPoint, allRound, BASE, stormOf } from "#test/storms.ts";
import { defaultLimits } from "./limits.ts";
import type { Passage } from "./march.ts";
import { stormsOnTheWay } from "./storms-near.ts";

// The storm stays at 20° N, 180° for five days; its danger area ends after three.
const still = stormOf(
  [0, 24, 48, 72, 96, 120].map((hour) =>
    aheadPoint(hour, { latitude: 20, longitude: 180 }, allRound(200, 90, null)),
  ),
);

/** Storms met on the way along these latitudes and longitudes at these forecast hours. */
function onTheWay(entry: typeof still, ...way: [hour: number, latitude: number, longitude: number][]) {
  const passings = way.map(([hour, latitude, longitude]) => ({
    latitude,
    longitude,
    time: BASE + hour * HOUR_S,
  }));
  const pieces = passings.slice(0, -1).map((start) => ({ start }));
  const passage = { pieces, end: passings.at(-1)! } as unknown as Passage;
  const area = (one: typeof still) => dangerArea(one, "classic");
  return stormsOnTheWay([entry], passage, area, defaultLimits.sail, BASE);
}

function worstNear(...way: [hour: number, longitude: number][]) {
  const { near } = onTheWay(
    still,
    ...way.map(([hour, longitude]) => [hour, 20, longitude] as [number, number, number]),
  );
  return near.reduce((worst, one) => (one.measured!.ratio > worst.measured!.ratio ? one : worst));
}

it("a storm that is met after its danger area has ended counts by its gales and cone", () => {
  const { measured, at } = worstNear([0, 160], [72, 165], [110, 179]);
  expect(measured).toEqual({ limit: "storm_km", value: 0, ratio: 10 });
  expect(at.time).toBeGreaterThan(BASE + 72 * HOUR_S);
});

it("within the time of the danger area its distance counts", () => {
  const { measured } = worstNear([0, 160], [70, 165]);
  // The result is 1567 km from the centre minus 200 km of gales and 300 n mi.
  expect(measured!.value).toBeGreaterThan(750);
  expect(measured!.value).toBeLessThan(860);
});

it("a storm is where it is at that time, not everywhere that it will be within three days", () => {
  // The storm moves east along 20° N by 10° a day. The vessel lies on its track, and has left a day before it
  // arrives.
  const moving = stormOf(
    [0, 24, 48, 72].map((hour) =>
      aheadPoint(hour, { latitude: 20, longitude: 140 + (10 * hour) / 24 }, allRound(200, 90, null)),
    ),
  );
  const { near, wire } = onTheWay(moving, [0, 20, 165], [24, 8, 165], [48, -4, 165]);
  // At 48 h the storm is at 160° E, 2730 km away, and its gales plus the error after 2 days reach 570 km.
  expect(near[0]!.measured!.value).toBeGreaterThan(1200);
  // The vessel has nevertheless entered the three-day area that maps draw.
  expect(wire.results[0]!.danger!.enters).not.toBeNull();
});

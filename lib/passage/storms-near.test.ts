import { expect, it } from "vitest";
import { dangerArea } from "#lib/storms/danger-area.ts";
import { HOUR_S } from "#lib/time.ts";
import { aheadPoint, allRound, BASE, stormOf } from "#test/storms.ts";
import { defaultLimits } from "./limits.ts";
import type { Passage } from "./march.ts";
import { stormsOnTheWay } from "./storms-near.ts";

// It stays at 20° N, 180° for five days; its danger area ends after three.
const still = stormOf(
  [0, 24, 48, 72, 96, 120].map((hour) =>
    aheadPoint(hour, { latitude: 20, longitude: 180 }, allRound(200, 90, null)),
  ),
);

function near(...way: [hour: number, longitude: number][]) {
  const passings = way.map(([hour, longitude]) => ({ latitude: 20, longitude, time: BASE + hour * HOUR_S }));
  const passage = {
    pieces: passings.slice(0, -1).map((start) => ({ start })),
    end: passings.at(-1)!,
  } as unknown as Passage;
  const areaOf = () => dangerArea(still, "classic");
  return stormsOnTheWay([still], passage, areaOf, defaultLimits.sail, BASE).near[0]!;
}

it("a storm that is met after its danger area has ended counts by its gales and cone", () => {
  const { measured, at } = near([0, 160], [72, 165], [110, 179]);
  expect(measured).toEqual({ limit: "storm_km", value: 0, ratio: 10 });
  expect(at.time).toBeGreaterThan(BASE + 72 * HOUR_S);
});

it("within the time of the danger area its distance counts", () => {
  const { measured } = near([0, 160], [70, 165]);
  // 1567 km from the centre, less 200 km of gales and 300 n mi.
  expect(measured!.value).toBeGreaterThan(750);
  expect(measured!.value).toBeLessThan(860);
});

import { expect, it } from "vitest";
import { type DangerArea, dangerArea } from "#lib/storms/danger-area.ts";
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

function allNear(area: () => DangerArea | undefined, ...way: [hour: number, longitude: number][]) {
  const passings = way.map(([hour, longitude]) => ({ latitude: 20, longitude, time: BASE + hour * HOUR_S }));
  const passage = {
    pieces: passings.slice(0, -1).map((start) => ({ start })),
    end: passings.at(-1)!,
  } as unknown as Passage;
  return stormsOnTheWay([still], passage, area, defaultLimits.sail, BASE).near;
}

function near(...way: [hour: number, longitude: number][]) {
  const found = allNear(() => dangerArea(still, "classic"), ...way);
  return found.reduce((worst, one) => (one.measured!.ratio > worst.measured!.ratio ? one : worst));
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

it("a storm that is nearest within those three days is looked at after them as well", () => {
  // Its area is that of a storm far away, as a method of other radii may have it: what gales and cone leave counts later.
  const elsewhere = stormOf(
    [0, 24, 48, 72].map((hour) =>
      aheadPoint(hour, { latitude: 20, longitude: 160 }, allRound(200, 90, null)),
    ),
  );
  const found = allNear(() => dangerArea(elsewhere, "classic"), [70, 176], [71, 176.1], [110, 175.9]);
  expect(found).toHaveLength(2);
  const [within, later] = found;
  expect(later!.at.time).toBeGreaterThan(BASE + 72 * HOUR_S);
  expect(later!.measured!.value).toBeLessThan(within!.measured!.value);
  expect(later!.measured!.value).toBeGreaterThan(0);
});

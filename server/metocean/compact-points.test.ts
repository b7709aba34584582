import { expect, it } from "vitest";
import { formatInstant } from "#lib/time.ts";
import { seeded } from "#test/seeded.ts";
import { CompactPoints } from "./compact-points.ts";

it("gives back the points of a request as they were sent, in any slices", () => {
  const random = seeded(3);
  const points = Array.from({ length: 1000 }, (_, index) => ({
    latitude: index === 7 ? -0 : 180 * random() - 90,
    longitude: 360 * random() - 180,
    timestamp: formatInstant(1_700_000_000 + Math.floor(random() * 1e8) * (index % 3)),
  }));
  const added = new CompactPoints();
  for (const [from, to] of [
    [0, 7],
    [7, 7],
    [7, 700],
    [700, 701],
    [701, 1000],
  ] as const)
    added.add(points.slice(from, to));
  for (const compact of [new CompactPoints(points), added]) {
    expect(compact.length).toBe(1000);
    for (const [from, to] of [
      [0, 1000],
      [0, 0],
      [999, 5000],
      [300, 612],
    ] as const)
      expect(compact.slice(from, to)).toStrictEqual(points.slice(from, to));
  }
});

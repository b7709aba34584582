import { expect, it } from "vitest";
import { en } from "#lib/messages/generated/en.ts";
import { compareTracks } from "#lib/storms/compare.ts";
import { aheadPoint, stormOf, trackPoint } from "#test/storms.ts";
import { peerShapes } from "./peer-shapes.ts";

/** A storm on 180°, and the same by the other provider a degree to the east, across the meridian. */
const [jtwc, jma] = (["jtwc", "jma"] as const).map((provider, index) => {
  const at = (hour: number) => ({ latitude: 20 + hour / 12, longitude: index === 0 ? 179.5 : -179.5 });
  return stormOf([aheadPoint(0, at(0)), aheadPoint(24, at(24))], {
    provider,
    id: "WP012026",
    tracks: {
      observed: [trackPoint(-12, at(-12)), trackPoint(0, at(0))],
      forecast: { issued_at: 0, cone_source: "nhc", points: [aheadPoint(0, at(0)), aheadPoint(24, at(24))] },
    },
  });
});
const { differences } = compareTracks(jtwc!, jma!);
const shapes = peerShapes({ entry: jma!, differences }, en);
const of = (kind: string) => shapes.filter(({ properties }) => properties.kind === kind);

it("draws the other provider's track, and a short line between the centres of each common time", () => {
  expect(of("peer-observed")).toHaveLength(1);
  expect(of("peer-forecast")).toHaveLength(1);
  expect(of("peer-between")).toHaveLength(3);
  for (const { geometry } of of("peer-between")) {
    if (geometry.type !== "LineString") throw new Error("A distance is a line");
    const [from, to] = geometry.coordinates;
    expect(to![0]! - from![0]!).toBeCloseTo(1, 6);
  }
});

it("marks the times on the other track and names its provider once", () => {
  expect(of("peer-place").map(({ properties }) => properties.label)).toEqual([
    undefined,
    undefined,
    undefined,
    "JMA",
  ]);
});

import { expect, it } from "vitest";
import { routeBox, routeShapes } from "./route-map-layer.ts";

const points = [178, 179.5, -179, -177].map((longitude) => ({ latitude: 10 + longitude / 180, longitude }));

it("marks every point, and joins those of a route across 180° without a jump", () => {
  const { features } = routeShapes({ points, isRoute: true, fit: false });
  const longitudes = features.map(({ geometry }) =>
    "coordinates" in geometry ? (geometry.coordinates as number[][]).map(([x]) => x) : [],
  );
  expect(features.map(({ geometry }) => geometry.type)).toEqual(["LineString", "MultiPoint"]);
  expect(longitudes).toEqual([
    [178, 179.5, 181, 183],
    [178, 179.5, 181, 183],
  ]);
});

it("draws no line between points that are no route", () => {
  const { features } = routeShapes({ points, isRoute: false, fit: false });
  expect(features.map(({ geometry }) => geometry.type)).toEqual(["MultiPoint"]);
});

it("has all points in its box, the shorter way around", () => {
  expect(routeBox({ points, isRoute: true, fit: true })).toMatchObject({ west: 178, east: 183 });
  expect(routeBox({ points: [], isRoute: false, fit: true })).toBeUndefined();
});

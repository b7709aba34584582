import { describe, expect, it } from "vitest";
import { globeView, mercatorView } from "./map-view.ts";

const camera = { width: 1000, height: 700, centre: { latitude: 52, longitude: 178 }, zoom: 2.5 };
const views = { "Mercator map": mercatorView(camera), globe: globeView(camera) };
const places = [
  [52, 178],
  [40, -175],
  [70, 150],
  [20, 179],
] as const;
const point = { x: 0, y: 0 };
const round = (longitude: number) => ((longitude % 360) + 360) % 360;

describe.each(Object.entries(views))("the %s", (_, view) => {
  it("has its centre in the middle, and unprojects what it projects, also across 180°", () => {
    expect([view.project(52, 178, point), point]).toEqual([1, { x: 500, y: 350 }]);
    for (const [latitude, longitude] of places) {
      expect(view.project(latitude, longitude, point)).toBeGreaterThan(0);
      const place = view.unproject(point.x, point.y)!;
      expect(place.latitude).toBeCloseTo(latitude, 9);
      expect(round(place.longitude)).toBeCloseTo(round(longitude), 9);
    }
  });

  it.each([0, 45, 90, 200, 315])(
    "turns the bearing %d° into the direction in which places move",
    (bearing) => {
      const step = 1e-5;
      const angle = (bearing * Math.PI) / 180;
      const [here, there, along] = [{ ...point }, { ...point }, { ...point }];
      for (const [latitude, longitude] of places) {
        const east = (step * Math.sin(angle)) / Math.cos((latitude * Math.PI) / 180);
        view.project(latitude, longitude, here);
        view.project(latitude + step * Math.cos(angle), longitude + east, there);
        view.along(latitude, longitude, bearing, along);
        const moved = [there.x - here.x, there.y - here.y] as const;
        expect(Math.atan2(along.y, along.x)).toBeCloseTo(Math.atan2(moved[1], moved[0]), 4);
        const length = view.onGlobe ? Math.hypot(...moved) / (step * view.pixelsPerDegree) : 1;
        expect(Math.hypot(along.x, along.y)).toBeCloseTo(length, 4);
      }
    },
  );
});

it("knows places behind the globe, points off it, and the end of the Mercator map at 85°", () => {
  expect(views.globe.project(-52, -2, point)).toBeLessThan(0);
  expect(globeView({ ...camera, zoom: 0.5 }).unproject(5, 5)).toBeUndefined();
  expect(mercatorView({ ...camera, zoom: 0 }).unproject(500, 1)).toBeUndefined();
});

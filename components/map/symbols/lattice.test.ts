import { expect, it } from "vitest";
import { globeView, mercatorView } from "#components/map/map-view.ts";
import { latticePlaces } from "./lattice.ts";

const camera = { width: 1440, height: 800, centre: { latitude: 30, longitude: -30 }, zoom: 3.2 };
type Camera = typeof camera;

const key = (latitude = 0, longitude = 0) => `${latitude.toFixed(6)},${longitude.toFixed(6)}`;

function pairs(places: number[]): [number, number][] {
  return Array.from({ length: places.length / 2 }, (_, index) => [
    places[2 * index]!,
    places[2 * index + 1]!,
  ]);
}

const keysOf = (at: Partial<Camera>, view = mercatorView) =>
  new Set(pairs(latticePlaces(view({ ...camera, ...at }))).map((place) => key(...place)));

it.each([0.5, 1, 1.7, 2.3, 3.2, 4.6, 7.9, 11])("keeps symbols 50 to 75 px apart at zoom %d", (zoom) => {
  for (const view of [mercatorView({ ...camera, zoom }), globeView({ ...camera, zoom })]) {
    if (view.onGlobe && zoom > 8) continue;
    const at = { x: 0, y: 0 };
    const seen = pairs(latticePlaces(view)).map(([latitude, longitude]) => {
      const squareness = view.project(latitude, longitude, at);
      return { ...at, squareness };
    });
    // On the globe in its middle: towards the edge everything crowds.
    const middle = seen.filter(
      ({ squareness, x, y }) => squareness > 0.9 && x > 0 && x < 1440 && y > 0 && y < 800,
    );
    expect(middle.length).toBeGreaterThan(view.onGlobe ? 3 : 20);
    for (const one of middle) {
      const gaps = seen.filter((other) => other !== one).map(({ x, y }) => Math.hypot(x - one.x, y - one.y));
      expect(Math.min(...gaps)).toBeGreaterThan(view.onGlobe ? 40 : 49.9);
      expect(Math.min(...gaps)).toBeLessThan(view.onGlobe ? 85 : 75);
    }
  }
});

it("fixes symbols to the earth: panning keeps the places that stay in view", () => {
  for (const view of [mercatorView, globeView]) {
    const before = keysOf({}, view);
    const after = keysOf({ centre: { latitude: 30, longitude: -33.37 } }, view);
    const kept = [...before].filter((place) => after.has(place));
    expect(kept.length / before.size).toBeGreaterThan(0.85);
  }
});

it("keeps every symbol when zooming in adds more", () => {
  for (let zoom = 1; zoom < 9; zoom += 0.25) {
    const wide = keysOf({ zoom });
    const inside = pairs(
      latticePlaces(mercatorView({ ...camera, zoom: zoom + 0.25, width: 700, height: 400 })),
    );
    const near = new Set(inside.map((place) => key(...place)));
    const narrow = pairs(latticePlaces(mercatorView({ ...camera, zoom, width: 500, height: 250 })));
    for (const place of narrow) expect(near.has(key(...place))).toBe(true);
    expect(wide.size).toBeGreaterThan(0);
  }
});

it("covers both sides of 180° and returns each place once", () => {
  for (const view of [mercatorView, globeView]) {
    const places = pairs(
      latticePlaces(view({ ...camera, centre: { latitude: 10, longitude: 180 }, zoom: 2 })),
    );
    expect(places.filter(([, longitude]) => longitude < -150).length).toBeGreaterThan(10);
    expect(places.filter(([, longitude]) => longitude > 150).length).toBeGreaterThan(10);
    expect(new Set(places.map((place) => key(...place))).size).toBe(places.length);
    expect(places.every(([, longitude]) => longitude >= -180 && longitude < 180)).toBe(true);
  }
});

it("returns each place once where several copies of the world are visible", () => {
  const places = pairs(latticePlaces(mercatorView({ ...camera, zoom: 0.5 })));
  expect(new Set(places.map((place) => key(...place))).size).toBe(places.length);
});

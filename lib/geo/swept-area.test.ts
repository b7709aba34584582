import { describe, expect, it } from "vitest";
import { seeded } from "../../test/seeded.ts";
import { inRing, unwrapped } from "./ring.ts";
import { destination, distanceKm, dot, EARTH_KM, type Place, vectorOf } from "./sphere.ts";
import { type Disc, sweptArea } from "./swept-area.ts";

const HOURS = [0, 12, 24, 36, 48, 60, 72, 96, 120];
const RADII = [2, 46, 72, 91, 115, 143, 176, 248, 370];

type Course = (hour: number) => { heading: number; speed: number };

/** The circles of a forecast. @param course Heading, degrees, and speed, km/h, after an hour of the forecast. */
function circles(start: Place, course: Course, scale: number): Disc[] {
  let place = start;
  const discs: Disc[] = [{ ...start, km: RADII[0]! }];
  for (const [index, hour] of HOURS.entries()) {
    if (index === 0) continue;
    for (let at = HOURS[index - 1]!; at < hour; at += 3) {
      const { heading, speed } = course(at);
      place = destination(place, heading, 3 * speed);
    }
    discs.push({ ...place, km: RADII[index]! * scale });
  }
  return discs;
}

/**
 * How deep a place lies in the swept area, km, negative outside: the greatest depth in any of the discs that
 * the moving disc passes through. At a share t of the way d the radius is asin((sin((1−t)d) sin r₁ + sin(td)
 * sin r₂) / sin d), so that the disc touches the great circles on both sides. The depth is found by search,
 * without tangents or polygons.
 */
function depth(discs: readonly Disc[], place: Place): number {
  const q = vectorOf(place);
  const away = discs.map((disc) => Math.acos(Math.min(1, dot(vectorOf(disc), q))));
  let deepest = Math.max(...discs.map(({ km }, index) => km - EARTH_KM * away[index]!));
  for (let index = 1; index < discs.length; index++) {
    const [r1, r2] = [discs[index - 1]!.km / EARTH_KM, discs[index]!.km / EARTH_KM];
    const d = distanceKm(discs[index - 1]!, discs[index]!) / EARTH_KM;
    if (d <= Math.abs(r1 - r2)) continue;
    const [near, far] = [Math.cos(away[index - 1]!), Math.cos(away[index]!)];
    const at = (t: number) => {
      const [back, forth] = [Math.sin((1 - t) * d) / Math.sin(d), Math.sin(t * d) / Math.sin(d)];
      const radius = Math.asin(back * Math.sin(r1) + forth * Math.sin(r2));
      return EARTH_KM * (radius - Math.acos(Math.min(1, back * near + forth * far)));
    };
    // There is one maximum along the way, found by ternary search.
    let [low, high] = [0, 1];
    for (let step = 0; step < 20; step++) {
      const third = (high - low) / 3;
      if (at(low + third) < at(high - third)) low += third;
      else high -= third;
    }
    deepest = Math.max(deepest, at((low + high) / 2));
  }
  return deepest;
}

/** Random places around an area, with their depths in it, km. */
function sounded(rng: () => number, discs: readonly Disc[], count: number) {
  const longitudes = unwrapped(discs.map(({ longitude }) => longitude));
  const latitudes = discs.map(({ latitude }) => latitude);
  const margin = 5;
  const widen = margin / Math.cos((Math.max(...latitudes.map(Math.abs)) * Math.PI) / 180);
  return Array.from({ length: count }, () => {
    const south = Math.min(...latitudes) - margin;
    const west = Math.min(...longitudes) - widen;
    const place = {
      latitude: south + rng() * (Math.max(...latitudes) + margin - south),
      longitude: west + rng() * (Math.max(...longitudes) + widen - west),
    };
    return { place, deep: depth(discs, place) };
  });
}

type Sounded = ReturnType<typeof sounded>;

/**
 * Number of places for which a ring disagrees with the depth, leaving out those within 0.5 km of the edge,
 * and the depth of the worst one.
 */
function disagreement(places: Sounded, ring: readonly Place[]) {
  const clear = places.filter(({ deep }) => Math.abs(deep) > 0.5);
  const wrong = clear.filter(({ place, deep }) => deep > 0 !== inRing(ring, place));
  return {
    share: wrong.length / clear.length,
    worst: Math.max(0, ...wrong.map(({ deep }) => Math.abs(deep))),
  };
}

const cases: Record<string, (rng: () => number) => Disc[]> = {
  typical: (rng) => {
    const [turn, speed] = [rng() * 1.2 - 0.2, 12 + rng() * 20];
    const start = { latitude: 10 + rng() * 15, longitude: rng() * 360 - 180 };
    return circles(
      start,
      (hour) => ({ heading: 270 + turn * hour, speed: speed + hour * 0.1 }),
      0.6 + rng() * 0.5,
    );
  },
  looping: (rng) => {
    // The centre makes small loops, as a stalled storm does, so the circles leave no hole.
    const [rate, speed] = [(rng() < 0.5 ? -1 : 1) * (6 + rng() * 6), 4 + rng() * 5];
    const start = { latitude: 12 + rng() * 20, longitude: rng() * 360 - 180 };
    return circles(start, (hour) => ({ heading: rng() * 20 + rate * hour, speed }), 0.8 + rng() * 0.4);
  },
  "at 45 to 66° north": (rng) => {
    const start = { latitude: 45 + rng() * 3, longitude: rng() * 360 - 180 };
    const drift = rng() * 60;
    return circles(start, () => ({ heading: 10 + drift, speed: 14 + rng() * 4 }), 0.7 + rng() * 0.3);
  },
  "across the antimeridian, north and south": (rng) => {
    const start = { latitude: (rng() < 0.5 ? -1 : 1) * (12 + rng() * 15), longitude: 176 + rng() * 3 };
    const [turn, speed] = [rng() - 0.5, 15 + rng() * 30];
    return circles(start, (hour) => ({ heading: 60 + turn * hour, speed }), 0.6 + rng() * 0.5);
  },
};

describe.each(Object.entries(cases))("an area %s", (_name, make) => {
  const rng = seeded(20_261_121);
  const tracks = Array.from({ length: 30 }, () => make(rng));
  const places = tracks.map((discs) => sounded(rng, discs, 300));
  const found = (ringOf: (discs: readonly Disc[]) => readonly Place[]) =>
    tracks.map((discs, index) => disagreement(places[index]!, ringOf(discs)));
  const mean = (all: { share: number }[]) => all.reduce((sum, { share }) => sum + share, 0) / all.length;

  it("equals the area that its circles sweep, by an independent test", () => {
    const all = found((discs) => sweptArea(discs)!);
    expect(mean(all)).toBeLessThanOrEqual(0.001);
    expect(Math.max(...all.map(({ worst }) => worst))).toBeLessThan(1);
  });

  it("is a closed ring in counter-clockwise order with longitudes in −180..180", () => {
    for (const discs of tracks) {
      const ring = sweptArea(discs)!;
      expect(ring.at(-1)).toEqual(ring[0]);
      expect(ring.length).toBeLessThanOrEqual(120);
      expect(ring.every(({ longitude }) => Math.abs(longitude) <= 180)).toBe(true);
      const xs = unwrapped(ring.map(({ longitude }) => longitude));
      expect(xs.at(-1)).toBeCloseTo(xs[0]!, 9);
      const twice = ring.slice(1).reduce((sum, { latitude }, index) => {
        const before = ring[index]!;
        return sum + xs[index]! * latitude - xs[index + 1]! * before.latitude;
      }, 0);
      expect(twice).toBeGreaterThan(0);
    }
  });
});

describe("the outline", () => {
  const at = (latitude: number, longitude: number, km: number) => ({ latitude, longitude, km });

  it("has no hole inside a loop of the track: that area is not safe", () => {
    const loop = Array.from({ length: 13 }, (_, step) => ({
      ...destination(at(20, 150, 0), step * 30, 300),
      km: 50,
    }));
    const ring = sweptArea(loop)!;
    expect(inRing(ring, at(20, 150, 0))).toBe(true);
    for (const place of ring) expect(Math.abs(distanceKm(at(20, 150, 0), place) - 350)).toBeLessThan(11);
  });

  it("does not exist around a pole, for an empty area, or over more than half the globe", () => {
    expect(sweptArea([at(89, 0, 300)])).toBeNull();
    expect(sweptArea([at(20, 130, 0), at(21, 131, 0)])).toBeNull();
    expect(sweptArea([at(0, 0, 50), at(0, 170, 50)])).toBeNull();
  });
});

import { fromKnots } from "@open-metocean/geo/knots";
import { destination, distanceKm, MILE_KM, RADIANS } from "@open-metocean/geo/sphere";
import { describe, expect, it } from "vitest";
import { genericPolar, polarSpeed, readPolar } from "#lib/passage/polar.ts";
import type { Vessel, Weather } from "#lib/passage/vessel.ts";
import { HOUR_S } from "#lib/time.ts";
import { bruteForce } from "#test/brute-force.ts";
import { coastWith, DEPARTURE, found, noLimits, randomWeather, simulated } from "#test/passages-at-sea.ts";
import { crossesLand } from "./coast.ts";

const fixed = (knots: number): Vessel => ({ kind: "fixed", knots });
const polar = readPolar(genericPolar("cruising_10m"));
const sail: Vessel = { kind: "sail", polar, factor: 0.9, motor: { knots: 4, below: 2 } };
const place = (latitude: number, longitude: number) => ({ latitude, longitude });
const milesOf = (from: ReturnType<typeof place>, to: ReturnType<typeof place>) =>
  distanceKm(from, to) / MILE_KM;

const windFrom = (from: number, knots: number): Weather => ({
  Winds_10m_Intensity: fromKnots(knots),
  Winds_10m_Direction: from,
});

describe("where the answer is known", () => {
  const [from, to] = [place(-1, -29), place(1, -27)];
  const across = { Currents_Intensity: fromKnots(2), Currents_Direction: 135 };
  const upwind = Array.from(
    { length: 91 },
    (_, angle) => polarSpeed(polar, angle, 10) * Math.cos(angle * RADIANS),
  );

  // The course of the route is 45°.
  it.each<[string, Vessel, Weather, number]>([
    ["straight in still water", fixed(6), {}, 6],
    ["straight in a wind on the beam", sail, windFrom(135, 10), 0.9 * polarSpeed(polar, 90, 10)],
    ["to windward at the best speed made good", sail, windFrom(45, 10), 0.9 * Math.max(...upwind)],
    ["across a current by the triangle", fixed(6), across, Math.sqrt(6 * 6 - 2 * 2)],
  ])("goes %s", (_, vessel, weather, knots) => {
    const { score } = found(from, to, { vessel }, () => weather);
    expect(score.seconds / ((milesOf(from, to) / knots) * HOUR_S)).toBeCloseTo(1, 2);
  });

  it("finds the analytic time around a foul current without being told the way", () => {
    // A contrary stream of 3 kt, up to 60 n mi on both sides of the direct way.
    const foul = ({ latitude }: { latitude: number }): Weather =>
      Math.abs(latitude) < 1 ? { Currents_Intensity: fromKnots(3), Currents_Direction: 270 } : {};
    const { score, route } = found(place(0, -32), place(0, -27), { vessel: fixed(6) }, foul);
    // The best route leaves the stream, follows its edge and re-enters it, at the angle with the least total
    // time (a ferry problem).
    let least = Number.POSITIVE_INFINITY;
    for (let out = 0; out <= 150; out += 0.5) {
      const leg = Math.hypot(out, 60);
      const course = Math.atan2(out, 60);
      const sog = Math.sqrt(36 - (3 * Math.cos(course)) ** 2) - 3 * Math.sin(course);
      least = Math.min(least, (2 * leg) / sog + (300 - 2 * out) / 6);
    }
    expect(score.seconds / HOUR_S / least).toBeLessThan(1.02);
    expect(score.seconds / HOUR_S / least).toBeGreaterThan(0.99);
    expect(Math.max(...route.map(({ latitude }) => Math.abs(latitude)))).toBeGreaterThan(0.95);
  });
});

describe("against a brute-force search on a time-expanded grid", () => {
  const table = {
    heights_m: [0, 2, 5],
    head_kt: [7, 4.5, 2.5],
    bow_kt: [7, 5, 3],
    quarter_kt: [7, 6, 4.5],
    following_kt: [7, 6.5, 5.5],
  };
  const weathers = Array.from({ length: 2 }, (_, index) => ({ seed: index + 1 }));

  it.each(weathers)("is within 2 % of its way, both made into plans, in weather $seed", ({ seed }) => {
    const from = place(-1.2, -30);
    const to = destination(from, 40 + 13 * seed, 170 * MILE_KM);
    const vessel: Vessel = seed % 2 === 0 ? sail : { kind: "motor", knots: 7, table };
    const weather = randomWeather(seed);
    const grid = bruteForce(from, to, { vessel, departure: DEPARTURE, nodes: 22, width: 0.6 }, weather);
    const best = simulated([from, ...grid.way.slice(1, -1), to], vessel, weather);
    const { score } = found(from, to, { vessel }, weather);
    expect([score.arrives, best.ending]).toEqual([true, "arrived"]);
    expect(score.seconds).toBeLessThan(1.02 * (best.end.time - DEPARTURE));
  });
});

describe("limits, storms and land", () => {
  const [from, to] = [place(0, -32), place(0, -27)];
  const limits = { ...noLimits, wind_kt: 25 };
  /** A gale of 35 kt within 80 n mi of the middle of the direct way. */
  const gale = ({ latitude, longitude }: { latitude: number; longitude: number }): Weather =>
    windFrom(0, Math.hypot(latitude, longitude + 29.5) < 80 / 60 ? 35 : 10);
  const within = { vessel: fixed(6), limits, objective: "within_limits" as const };

  it("keeps the limits where a way exists, by a way that is not much longer than it has to be, and says how far it is, never backwards", () => {
    const shares: number[] = [];
    const { score, route } = found(from, to, within, gale, (share) => shares.push(share));
    expect(score).toMatchObject({ over: 0, arrives: true });
    // The shortest way around follows tangents of the circle.
    const [half, radius] = [150, 80];
    const around = 2 * Math.sqrt(half ** 2 - radius ** 2) + 2 * radius * Math.asin(radius / half);
    expect(score.seconds / HOUR_S).toBeLessThan((1.05 * around) / 6);
    expect(route.length).toBeGreaterThan(2);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares[0]).toBe(0);
    expect(shares.at(-1)).toBeGreaterThan(0.9);
    expect(shares.at(-1)).toBeLessThanOrEqual(1);
  });

  it("does not look at limits where only time counts", () => {
    const { score, route } = found(from, to, { ...within, objective: "fastest" }, gale);
    expect(route).toHaveLength(2);
    expect(score.over).toBeGreaterThan(20 * HOUR_S);
  });

  it("gives the least bad way where none keeps the limits, and says how long it is beyond them", () => {
    // A gale from pole to pole that is narrower in the north.
    const belt = ({ latitude, longitude }: { latitude: number; longitude: number }): Weather =>
      windFrom(0, Math.abs(longitude + 29.5) < (latitude > 1 ? 0.5 : 1.5) ? 35 : 10);
    const direct = found(from, to, { ...within, objective: "fastest" }, belt);
    const { score } = found(from, to, within, belt);
    expect(direct.score.over).toBeGreaterThan(29 * HOUR_S);
    expect(score.over).toBeGreaterThan(9 * HOUR_S);
    expect(score.over).toBeLessThan(14 * HOUR_S);
  });

  it("is faster than the direct way where both keep the limits, and the same when it is searched again", () => {
    const mild = { ...noLimits, wind_kt: 200 };
    const weather = randomWeather(31);
    const halfway = place(0, -29.5);
    const search = () => found(from, halfway, { ...within, vessel: sail, limits: mild }, weather);
    const better = search();
    const direct = simulated([from, halfway], sail, weather);
    expect(better.origin).toBe("search");
    expect(better.score.seconds).toBeLessThan(direct.end.time - DEPARTURE);
    expect(search()).toEqual(better);
  });

  it("goes around a storm, whatever the objective", () => {
    const storm = place(0.3, -29.5);
    const limits = { ...noLimits, storm_km: 50 };
    const stormsAt = (at: { latitude: number; longitude: number }) => [
      { km: distanceKm(at, storm) - 100, radiusKm: 100 },
    ];
    const { score } = found(from, to, { vessel: fixed(6), limits, stormsAt }, () => ({}));
    expect(score).toMatchObject({ weighted: 0, over: 0, arrives: true });
  });

  it("goes through a strait rather than around a continent, and never over land", () => {
    const coast = coastWith(
      { south: -8, north: 1, west: -30, east: -29 },
      { south: 1.2, north: 9, west: -30, east: -29 },
    );
    const { route, score } = found(from, to, { vessel: fixed(6), coast }, () => ({}));
    expect(crossesLand(route, coast)).toBe(false);
    const around = milesOf(from, place(1.1, -30)) + 60 + milesOf(place(1.1, -29), to);
    expect(score.seconds / HOUR_S).toBeLessThan((1.02 * around) / 6);
  });
});

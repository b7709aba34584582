import { destination, distanceKm, initialBearing, type Place } from "@open-metocean/geo/sphere";
import { galeThreshold } from "@open-metocean/storms/danger";
import type { ForecastPoint, StormEntry } from "@open-metocean/storms/schema";
import {
  forecastMarks,
  onRoute,
  passingAt,
  radiusTowards,
  reachOf,
  steering,
  type Vessel,
} from "@open-metocean/storms/track";
import { describe, expect, it } from "vitest";
import { seeded } from "#test/seeded.ts";
import { aheadPoint, BASE, stormOf } from "#test/storms.ts";
import { approachAnswer, closestApproach } from "./approach.ts";

/** `THOROUGH=1` checks as many voyages as the documented limits are based on; it takes some minutes. */
const thorough = process.env.THOROUGH === "1";

const STEP_S = 10;

/** How much larger than on the walk the found distances may be, km. */
const LIMIT_KM = 0.2;

/** Upper limit of the closing speed of storm and vessel in these tests, km/s: 80 plus 60 km/h. */
const CLOSING = 140 / 3600;

/** Largest reach plus cone in these tests, km. */
const MAX_REACH = 1200;

/**
 * Least distance and least clearance on a walk along the voyage in steps of 10 s. Steps are skipped where the
 * storm is too far away to fall below the least value so far.
 */
function walk(entry: StormEntry, vessel: Vessel) {
  const marks = forecastMarks(entry);
  const threshold = galeThreshold(entry);
  const from = Math.max(marks[0]!.time, vessel.begins);
  const until = Math.min(marks.at(-1)!.time, vessel.ends);
  const largest = Math.max(...marks.map(({ point, coneKm }) => reachOf(point, threshold).km + (coneKm ?? 0)));
  expect(largest).toBeLessThan(MAX_REACH);
  const at = (time: number) => {
    const storm = passingAt(marks, time)!;
    const ship = vessel.at(time);
    const away = distanceKm(ship, storm);
    const radii = storm.radii(threshold);
    const next = marks.find((mark) => mark.time >= time)!;
    const gale = radii
      ? radiusTowards(radii, initialBearing(storm, ship))
      : reachOf(next.point, threshold).km;
    return { away, clearance: away - gale - (storm.coneKm ?? 0) };
  };
  let [km, clearanceKm] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let time = from; time <= until; ) {
    const { away, clearance } = at(time);
    km = Math.min(km, away);
    clearanceKm = Math.min(clearanceKm, clearance);
    const spare = Math.min(away - km, away - largest - clearanceKm) / CLOSING;
    time += STEP_S * Math.max(1, Math.floor(spare / STEP_S));
  }
  /** Least clearance within 1.5 s of a time. */
  const around = (time: number) => {
    const times = Array.from({ length: 61 }, (_, index) => time - 1.5 + index / 20);
    const within = times.map((one) => Math.max(from, Math.min(until, one)));
    return Math.min(...within.map((one) => at(one).clearance));
  };
  return { km, clearanceKm, around };
}

const HOURS = [0, 3, 12, 24, 36, 48, 60, 72, 96, 120];

/**
 * A random storm: with and without radii, which may end; stationary or looping, in both hemispheres, across
 * 180°.
 */
function randomStorm(random: () => number): StormEntry {
  const kind = random();
  const latitude = (random() < 0.5 ? -1 : 1) * (random() < 0.1 ? 60 + 20 * random() : 5 + 40 * random());
  let place: Place = {
    latitude,
    longitude: random() < 0.4 ? 175 + 10 * random() - 360 : 360 * random() - 180,
  };
  let heading = 360 * random();
  const turn = kind < 0.3 ? 60 : 15;
  const from = random() < 0.2 ? 1 : 0;
  const radiiUntil = random() < 0.4 ? 12 + 84 * random() : 200;
  const coneUntil = random() < 0.2 ? 48 : 200;
  const points: ForecastPoint[] = [];
  for (const [index, hour] of HOURS.entries()) {
    const hours = index === 0 ? 0 : hour - HOURS[index - 1]!;
    const stalls = kind > 0.9 || random() < 0.08;
    heading += turn * (random() - 0.4);
    if (!stalls) place = destination(place, heading, hours * (5 + 45 * random()));
    if (index < from) continue;
    const km = () => (random() < 0.15 ? 0 : Math.round(40 + 400 * random()));
    const quadrants = { ne: km(), se: km(), sw: km(), nw: km() };
    const isGiven = hour <= radiiUntil && random() > 0.05;
    const gales = { "34kn": quadrants, "50kn": null, "64kn": null };
    points.push(
      aheadPoint(hour, place, {
        wind_radii_km: isGiven ? gales : null,
        vmax_kt: random() < 0.05 ? 30 : 70,
        ...(hour > 0 ? { cone_radius_km: hour > coneUntil ? null : 3 * hour } : {}),
      }),
    );
  }
  return stormOf(points);
}

/** A random place, which the storm may or may not approach. */
function aside(entry: StormEntry, random: () => number): Place {
  const { points } = entry.tracks.forecast!;
  const { lat, lon } = points[Math.floor(random() * points.length)]!;
  const place = destination({ latitude: lat, longitude: lon }, 360 * random(), 1500 * random() ** 2);
  return { ...place, latitude: Math.max(-88, Math.min(88, place.latitude)) };
}

function randomVessel(entry: StormEntry, random: () => number): Vessel {
  const begins = BASE + Math.floor(60 * random()) * 3600 + Math.floor(3600 * random());
  const speed = random() < 0.1 ? 0 : 55 * random();
  return steering(aside(entry, random), begins, random() < 0.2 ? 0 : 360 * random(), speed);
}

/** A random route of 2 to 60 waypoints between places near the storm, at less than 60 km/h. */
function randomRoute(entry: StormEntry, random: () => number): Vessel {
  let place = aside(entry, random);
  let time = BASE + Math.floor(36 * random()) * 3600 - 7200;
  const waypoints = [{ ...place, time }];
  const count = 1 + Math.floor(59 * random() ** 2);
  const onward = 360 * random();
  for (let leg = 0; leg < count; leg++) {
    const km = 10 + (1500 / count) * random();
    const next = destination(place, onward + 120 * (random() - 0.5), km);
    place = { ...next, latitude: Math.max(-88, Math.min(88, next.latitude)) };
    const before = waypoints.at(-1)!;
    // A rhumb line is longer than the great circle, near the poles by up to half.
    time += Math.ceil(((distanceKm(before, place) * 1.6) / (20 + 35 * random())) * 3600);
    waypoints.push({ ...place, time });
  }
  return onRoute(waypoints);
}

function compare(count: number, seed: number, voyage: typeof randomVessel) {
  const random = seeded(seed);
  let [walked, largest, unreached] = [0, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let index = 0; index < count; index++) {
    const entry = randomStorm(random);
    const vessel = voyage(entry, random);
    const found = closestApproach(entry, vessel);
    if (!found) continue;
    walked++;
    const least = walk(entry, vessel);
    const tooLarge = Math.max(
      found.closest.km - least.km,
      found.minClearance.clearanceKm - least.clearanceKm,
    );
    largest = Math.max(largest, tooLarge);
    const { time, clearanceKm } = found.minClearance;
    // At a pole the vessel stays in place, and the bearing turns so slowly that the edge of a quadrant is
    // passed some seconds later.
    const isAtPole = Math.abs(vessel.at(time).latitude) > 89.98;
    const reached = Math.min(least.around(time), isAtPole ? least.clearanceKm : Number.POSITIVE_INFINITY);
    unreached = Math.max(unreached, least.km - found.closest.km, reached - clearanceKm);
  }
  if (thorough)
    process.stdout.write(
      `${walked} voyages: at most ${largest} km too large, ${unreached} km below what is reached\n`,
    );
  return { walked, largest, unreached };
}

describe("the closest approach and the least clearance", () => {
  it("of random vessels are never larger than on a walk in steps of 10 s, nor lower than what is reached within a second", () => {
    const { walked, largest, unreached } = compare(thorough ? 10_000 : 40, 20_261_122, randomVessel);
    expect(walked).toBeGreaterThan(thorough ? 9000 : 30);
    expect(largest).toBeLessThan(LIMIT_KM);
    expect(unreached).toBeLessThan(CLOSING * STEP_S);
  }, 1_200_000);

  it("of random routes, also across 180° and near the poles, are the same", () => {
    const { walked, largest, unreached } = compare(thorough ? 2000 : 20, 14, randomRoute);
    expect(walked).toBeGreaterThan(thorough ? 1800 : 15);
    expect(largest).toBeLessThan(LIMIT_KM);
    expect(unreached).toBeLessThan(CLOSING * STEP_S);
  }, 1_200_000);
});

/** The same storm with another usual reach where it has no radii, from 0 to 600 km. */
function withUsualReach(entry: StormEntry, random: () => number): StormEntry {
  const { forecast } = entry.tracks;
  const points = forecast!.points.map((point) => ({
    ...point,
    affectance_bbox: { ...point.affectance_bbox, n: point.lat + (600 * random()) / 111 },
  }));
  return { ...entry, tracks: { ...entry.tracks, forecast: { ...forecast!, points } } };
}

it("gales are never `not expected` for a vessel that the least clearance puts within them", () => {
  const random = seeded(34);
  let within = 0;
  for (let index = 0; index < 300; index++) {
    const entry = withUsualReach(randomStorm(random), random);
    const vessel = (index % 2 === 0 ? randomVessel : randomRoute)(entry, random);
    const answer = approachAnswer(entry, vessel, undefined, BASE);
    const least = answer?.least_clearance;
    if (!answer || !least || least.gale_km === 0 || least.clearance_km > 0) continue;
    within++;
    expect(answer.arrivals[0]!.outlook, `storm ${index}`).not.toBe("not expected");
  }
  expect(within).toBeGreaterThan(100);
});

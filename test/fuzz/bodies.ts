import { map2dVariables, variableNames } from "#lib/catalog/variables.ts";
import { formatInstant, HOUR_S } from "#lib/time.ts";
import type { Json } from "./json.ts";
import type { Random } from "./random.ts";
import { gateOf, tideWatchBody } from "./tides.ts";

/** A valid body of POST /MetOcean with a few random points. */
export function pointBody(random: Random, now: number, maxPoints = 4): { [name: string]: Json } {
  return {
    points: Array.from({ length: 1 + random.below(maxPoints) }, () => ({
      latitude: random.chance(0.1) ? random.of([-90, 0, 90]) : random.between(-90, 90),
      longitude: random.chance(0.1) ? random.of([-180, 0, 180]) : random.between(-180, 180),
      timestamp: formatInstant(now + Math.floor(random.between(-80, 200)) * HOUR_S),
    })),
    variables: Array.from({ length: 1 + random.below(2) }, () => random.of(variableNames)),
    ...(random.chance(0.2) && { wind_height: Math.round(random.between(10, 100)) }),
    ...(random.chance(0.1) && { include_meta: true }),
  };
}

/** A valid body of POST /2DMetOcean with a small box. */
export function boxBody(random: Random, now: number): { [name: string]: Json } {
  const south = random.between(-89, 85);
  const west = random.between(-180, 180);
  const east = west + random.between(0, 4);
  return {
    bounding_boxes: [
      {
        latitude: [south, south + random.between(0, 4)],
        longitude: [west, east > 180 ? east - 360 : east],
        timestamp: formatInstant(now + random.below(100) * HOUR_S),
      },
    ],
    variable: random.of(map2dVariables),
  };
}

function approachBody(random: Random, now: number): { [name: string]: Json } {
  const timestamp = formatInstant(now);
  const position = { latitude: random.between(-60, 60), longitude: random.between(-180, 180) };
  const vessel = { ...position, course_deg: random.between(0, 360), speed_kt: random.between(0, 25) };
  const route = [0, 1, 2].map((day) => ({
    latitude: position.latitude,
    longitude: random.between(-180, 180),
    timestamp: formatInstant(now + day * 24 * HOUR_S),
  }));
  return {
    provider: random.of(["jtwc", "jma"]),
    ...(random.chance(0.5) ? { vessel: { ...vessel, timestamp } } : { route }),
  };
}

/** A valid body of POST /passages/evaluate: a short route anywhere, at one departure or at a few. */
function passageBody(random: Random, now: number): { [name: string]: Json } {
  const [latitude, longitude] = [random.between(-89, 89), random.between(-180, 180)];
  const route = [0, 1, 2].map((leg) => ({
    latitude: latitude + leg * random.between(0, 0.4),
    longitude: Math.max(-180, Math.min(180, longitude + random.between(-0.5, 0.5))),
    leg: random.of(["great_circle", "rhumb"]),
    ...(random.chance(0.1) && { gate: gateOf(random) }),
  }));
  const from = now + random.below(200) * HOUR_S;
  const vessel = random.of<{ [name: string]: Json }>([
    { kind: "fixed", speed_kt: random.between(3, 30) },
    { kind: "motor", speed_kt: random.between(4, 20), roll_period_s: random.between(3, 20) },
    { kind: "sail", polar_name: "cruising_10m" },
    { kind: "sail", polar_name: "catamaran_13m", motor_speed_kt: 6 },
  ]);
  return {
    route,
    vessel,
    ...(random.chance(0.6)
      ? { departure: formatInstant(from) }
      : { departures: { from: formatInstant(from), to: formatInstant(from + 6 * HOUR_S), step_hours: 3 } }),
    ...(random.chance(0.3) && { include_pieces: random.chance(0.5) }),
    ...(random.chance(0.3) && { storms: random.of(["jtwc", "jma"]) }),
  };
}

/** A valid body of POST /passages/optimise, but for places on land. */
function optimiseBody(random: Random, now: number): { [name: string]: Json } {
  const { route, vessel } = passageBody(random, now);
  return {
    route: route!,
    vessel: vessel!,
    departure: formatInstant(now + random.below(200) * HOUR_S),
    objective: random.of(["within_limits", "fastest"]),
  };
}

function lineBody(random: Random, now: number): { [name: string]: Json } {
  const places = Array.from(
    { length: 2 + random.below(5) },
    (_, at) => `${random.between(-180, 180)} ${random.between(-90, 90)} ${now + at * HOUR_S}`,
  );
  return { coords: `LINESTRINGM(${places.join()})` };
}

/** A valid body of POST /files, small or only estimated. */
function fileBody(random: Random, now: number): { [name: string]: Json } {
  const [latitude, longitude] = [random.between(-85, 85), random.between(-175, 175)];
  const waypoints = [0, 0.5, 1].map((by) => ({ latitude: latitude + by, longitude: longitude + 4 * by }));
  const from = now + random.below(200) * HOUR_S;
  return {
    area: random.of<{ [name: string]: Json }>([
      { type: "box", latitude: [latitude, latitude + 1], longitude: [longitude + 1, longitude + 2] },
      { type: "route", waypoints, half_width_nm: random.between(1, 60) },
    ]),
    variables: random.chance(0.5) ? ["wind", "wave"] : ["pressure", "current", "rain"],
    from: formatInstant(from),
    to: formatInstant(from + random.below(12) * HOUR_S),
    ...(random.chance(0.5) && { step_hours: random.of([1, 3, 6]) }),
    ...(random.chance(0.5) && { stride: random.of([1, 2, 7]) }),
    ...(random.chance(0.5) && { format: random.of(["grib2", "netcdf", "csv"]) }),
    ...(random.chance(0.3) && { packing: "complex" }),
    ...(random.chance(0.3) && { estimate: true }),
  };
}

/** A body of POST /workability: some days of one place or of a small box; or of a box with too many places, up to the globe. */
function workabilityBody(random: Random, now: number): { [name: string]: Json } {
  const [latitude, longitude] = [random.between(-85, 85), random.between(-175, 175)];
  const from = now - random.below(1000) * 24 * HOUR_S;
  return {
    area: random.of<{ [name: string]: Json }>([
      { type: "point", latitude, longitude },
      { type: "box", latitude: [latitude, latitude + 1], longitude: [longitude, longitude + 1] },
      ...(random.chance(0.2)
        ? [
            {
              type: "box",
              latitude: [-90, latitude],
              longitude: [-180, 180],
              spacing_deg: random.between(0.05, 1),
            },
          ]
        : []),
    ]),
    from: formatInstant(from),
    to: formatInstant(from + (6 + random.below(200)) * HOUR_S),
    limits: [
      { quantity: "Waves_Significant_Height", max: random.between(0, 6) },
      ...(random.chance(0.5) ? [{ quantity: "Winds_10m_Intensity", max: random.between(0, 20) }] : []),
    ],
    ...(random.chance(0.5) && { window_hours: random.between(1, 60) }),
    ...(random.chance(0.5) && { step_hours: random.of([1, 2, 3, 6]) }),
  };
}

/** A valid body of an operation. */
export function bodyFor(path: string, random: Random, now: number): Json {
  if (path.endsWith("/trajectory")) return lineBody(random, now);
  if (path === "/2DMetOcean") return boxBody(random, now);
  if (path === "/files") return fileBody(random, now);
  if (path === "/storms/approach") return approachBody(random, now);
  if (path === "/passages/evaluate") return passageBody(random, now);
  if (path === "/workability") return workabilityBody(random, now);
  if (path.startsWith("/watches")) return tideWatchBody(random);
  if (path === "/passages/optimise") return optimiseBody(random, now);
  return pointBody(random, now);
}

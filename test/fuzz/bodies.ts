import { map2dVariables, variableNames } from "#lib/catalog/variables.ts";
import { requestExamples } from "#lib/contract/examples.ts";
import { formatInstant, HOUR_S } from "#lib/time.ts";
import { standardOperations } from "#server/operations/operations.ts";
import type { Json } from "./json.ts";
import type { Random } from "./random.ts";

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

/** An example with every number of degrees replaced at random. */
function moved(value: Json, random: Random): Json {
  if (Array.isArray(value)) return value.map((part) => moved(part, random));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => {
      if (typeof part !== "number") return [name, moved(part, random)];
      if (name === "latitude") return [name, random.between(-90, 90)];
      return [name, name === "longitude" ? random.between(-180, 180) : part];
    }),
  );
}

/** A body of an operation that is valid, except that places may be on land. */
export function bodyFor(path: string, random: Random, now: number): Json {
  const name = standardOperations.find((operation) => operation.path === path && operation.body)?.body?.name;
  if (path === "/2DMetOcean") return boxBody(random, now);
  if (name === undefined || /^PointR|^ManyP/.test(name)) return pointBody(random, now);
  return moved(requestExamples[name](now) as Json, random);
}

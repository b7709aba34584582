import { expect, it } from "vitest";
import { z } from "zod";
import { type StormField, stormFields } from "#test/storm-fields.ts";
import { aheadPoint, BASE, stormOf, trackPoint } from "#test/storms.ts";
import { type StormEntry, stormEntry } from "./storms.ts";

interface Schema {
  type?: string | string[];
  const?: unknown;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: boolean;
}

/** Every field of a JSON schema by its path; alternatives are joined. */
function fieldsOf(schema: Schema, prefix: string, found: Map<string, StormField>): Map<string, StormField> {
  for (const option of flat(schema)) {
    for (const [name, field] of Object.entries(option.properties ?? {})) {
      const path = prefix + name;
      const kinds = flat(field);
      const optional = !option.required?.includes(name);
      const known = found.get(path);
      const nullable = kinds.some((kind) => kind.type === "null") || known?.nullable;
      const type = kinds.find((kind) => kind.type !== "null")?.type ?? known?.type;
      found.set(path, {
        type: type as StormField["type"],
        ...(nullable ? { nullable: true } : {}),
        ...(optional ? { optional: true } : {}),
      });
      for (const kind of kinds) {
        if (kind.items) fieldsOf(kind.items, `${path}[].`, found);
        else fieldsOf(kind, `${path}.`, found);
      }
    }
  }
  return found;
}

function flat(schema: Schema): Schema[] {
  if (schema.anyOf) return schema.anyOf.flatMap(flat);
  return [schema.type ?? []].flat().map((type) => ({ ...schema, type }));
}

const place = { latitude: 20, longitude: 170 };
const points = [aheadPoint(0, place), aheadPoint(12, place, { cone_radius_km: 46.3 })];
const entry: StormEntry = stormOf(points, {
  tracks: {
    observed: [trackPoint(0, place)],
    forecast: { issued_at: BASE, cone_source: "borrowed_nhc", points },
  },
  id: "WP012026",
  basin: "west_pacific",
  cone: {
    basin: "west_pacific",
    source: "borrowed_nhc",
    source_basin: "north_atlantic",
    year: 2026,
    radii_table_km: { "12": 46.3 },
    circles: [{ fhr: 12, lat: 20, lon: 170, r_km: 46.3 }],
    center_line: [
      { lat: 20, lon: 170 },
      { lat: 20, lon: 170 },
    ],
    envelope_polygon: null,
  },
});
const [point] = entry.tracks.observed;

it("has each published field with its type, null and absent only where the contract allows it", () => {
  const schema = z.toJSONSchema(stormEntry, { io: "output" }) as Schema;
  expect(Object.fromEntries(fieldsOf(schema, "", new Map()))).toEqual(stormFields);
});

it("accepts a complete entry and refuses an unknown field", () => {
  expect(stormEntry.parse(entry)).toEqual(entry);
  expect(() => stormEntry.parse({ ...entry, colour: "red" })).toThrow(/colour/);
});

const [fix, ahead] = entry.tracks.forecast!.points;
const withPoint = (changes: object): unknown => ({
  ...entry,
  tracks: { ...entry.tracks, observed: [{ ...point, ...changes }] },
});
const withAhead = (changes: object): unknown => ({
  ...entry,
  tracks: {
    ...entry.tracks,
    forecast: { ...entry.tracks.forecast, points: [fix, { ...ahead, ...changes }] },
  },
});
const withCone = (changes: object): unknown => ({ ...entry, cone: { ...entry.cone, ...changes } });
const same = { ne: 100, se: 100, sw: 100, nw: 100 };
const jma = { "30kn": same, "50kn": null, "64kn": null };

it.each<[string, unknown]>([
  ["a category without a wind", withPoint({ vmax_kt: null })],
  ["a depression of category 1", withPoint({ type: "TD" })],
  ["a hurricane of category 0", withPoint({ category: 0 })],
  ["a heading without a speed", withPoint({ speed_kmh: null })],
  [
    "radii with the other provider's keys",
    withPoint({ wind_radii_km: jma, affectance_bbox_estimated: false }),
  ],
  ["a box called exact without radii", withPoint({ affectance_bbox_estimated: false })],
  ["radii of which one key is missing", withPoint({ wind_radii_km: { "34kn": same, "50kn": null } })],
  ["a valid time that is not base and hour", withAhead({ time: 1_043_201 })],
  ["no cone radius after hour 0", withAhead({ cone_radius_km: undefined })],
  ["a forecast of a storm that has ended", { ...entry, is_active: false }],
  ["a cone without forecast", { ...entry, tracks: { observed: [point] } }],
  ["a borrowed table without its owner", withCone({ source_basin: null })],
  ["a table without its year", withCone({ year: null })],
  ["circles that are not those of the points", withCone({ circles: [] })],
  ["an open ring", withCone({ envelope_polygon: [1, 2, 3, 4].map((lat) => ({ lat, lon: 0 })) })],
  ["an id of another season", { ...entry, id: "WP012025" }],
  ["two fixes at one time", { ...entry, tracks: { ...entry.tracks, observed: [point, point] } }],
  ["a jtwc storm without a name", { ...entry, name: null }],
])("refuses %s", (_name, wrong) => {
  expect(stormEntry.safeParse(wrong).success).toBe(false);
});

it("allows jma one radius for all quadrants, and its invests no type", () => {
  const of = (radii: object, invest = false) => ({
    ...entry,
    provider: "jma",
    name: null,
    is_invest: invest,
    cone: undefined,
    tracks: {
      observed: [{ ...point, wind_radii_km: radii, affectance_bbox_estimated: false }],
    },
  });
  expect(stormEntry.safeParse(of(jma)).success).toBe(true);
  expect(stormEntry.safeParse(of({ ...jma, "30kn": { ...same, ne: 90 } })).success).toBe(false);
  expect(stormEntry.safeParse(of(jma, true)).success).toBe(false);
});

import { expect, it } from "vitest";
import { z } from "zod";
import { aheadPoint, BASE, stormOf, trackPoint } from "../../test/storms.ts";
import { type StormEntry, stormEntry } from "./schema.ts";

interface Schema {
  type?: string | string[];
  const?: unknown;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: boolean;
}

/**
 * Lists the fields of each object of a JSON schema by its path, as `name?:type|null`; alternatives are
 * joined.
 */
function fieldsOf(
  schema: Schema,
  path = "entry",
  found: Record<string, string> = {},
): Record<string, string> {
  const fields = new Map<string, string>();
  for (const option of flat(schema)) {
    for (const [name, field] of Object.entries(option.properties ?? {})) {
      const kinds = flat(field);
      const types = kinds.map(({ type }) => type).filter((type) => type !== "null");
      const isNullable = types.length < kinds.length || fields.get(name)?.endsWith("|null");
      const [type = fields.get(name)?.replace(/.*:|\|null$/g, "")] = types;
      const optional = option.required?.includes(name) ? "" : "?";
      fields.set(name, `${name}${optional}:${type}${isNullable ? "|null" : ""}`);
      const below = `${path === "entry" ? "" : `${path}.`}${name}`;
      fieldsOf({ anyOf: kinds }, below, found);
      fieldsOf({ anyOf: kinds.flatMap(({ items = [] }) => items) }, `${below}[]`, found);
    }
  }
  if (fields.size > 0) found[path] = [...fields.values()].join(" ");
  return found;
}

function flat(schema: Schema): Schema[] {
  if (schema.anyOf) return schema.anyOf.flatMap(flat);
  return [schema.type ?? []].flat().map((type) => ({ ...schema, type }));
}

const edges = "s:number n:number w:number e:number";
const latLon = "lat:number lon:number";
const quadrants = "ne:number|null se:number|null sw:number|null nw:number|null";
const pointFields =
  "time:integer lat:number lon:number vmax_kt:number|null mslp_hpa:number|null type:string|null " +
  "category:integer|null heading_deg:number|null speed_kmh:number|null wind_radii_km:object|null " +
  "sea_radii_km?:object affectance_bbox:object affectance_bbox_estimated:boolean";
const below = (path: string) => ({
  // 30kn is a JMA threshold, 34kn a JTWC one; both use 50kn and 64kn.
  [`${path}.wind_radii_km`]: "34kn:object|null 50kn:object|null 64kn:object|null 30kn:object|null",
  ...Object.fromEntries([30, 34, 50, 64].map((knots) => [`${path}.wind_radii_km.${knots}kn`, quadrants])),
  [`${path}.sea_radii_km`]: "12ft:object",
  [`${path}.sea_radii_km.12ft`]: quadrants,
  [`${path}.affectance_bbox`]: edges,
});

/** The published fields by the path of their object. */
const published = {
  entry:
    "schema_version:string generated_at:integer provider:string id:string name:string|null year:integer " +
    "basin:string is_active:boolean is_invest:boolean bulletin_at?:integer mirror?:string is_overdue?:boolean " +
    "aliases?:array units:object track_bbox:object cone?:object tracks:object development?:object " +
    "formation_alert?:object",
  units:
    "vmax_kt:string mslp_hpa:string speed_kmh:string heading_deg:string wind_radii_km:string " +
    "cone_radius_km:string sea_radii_km?:string",
  track_bbox: edges,
  cone:
    "basin:string source:string source_basin:string|null year:integer|null radii_table_km:object|null " +
    "circles:array center_line:array envelope_polygon:array|null",
  "cone.circles[]": `fhr:integer ${latLon} r_km:number`,
  "cone.center_line[]": latLon,
  "cone.envelope_polygon[]": latLon,
  tracks: "observed:array forecast?:object",
  "tracks.observed[]": pointFields,
  ...below("tracks.observed[]"),
  "tracks.forecast":
    "issued_at:integer is_stale?:boolean stale_at?:integer withdrawn_at?:integer cone_source:string points:array",
  "tracks.forecast.points[]": `${pointFields} fhr:integer cone_radius_km?:number|null`,
  ...below("tracks.forecast.points[]"),
  development:
    "likelihood:string within_hours:integer percent_48h:integer|null percent_7d:integer|null issued_at:integer",
  formation_alert:
    "issued_at:integer valid_until:integer bulletin:string likelihood:string|null line:array " +
    "half_width_km:number corridor:array winds_kt:object|null mslp_hpa:number|null heading_deg:number|null " +
    "speed_kmh:number|null text:string",
  "formation_alert.line[]": latLon,
  "formation_alert.corridor[]": latLon,
  "formation_alert.winds_kt": "min:integer max:integer",
};

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
  expect(fieldsOf(schema)).toEqual(published);
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

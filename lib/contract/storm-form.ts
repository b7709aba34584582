import { z } from "zod";
import { formationAlert, stormDevelopment } from "./storm-outlook.ts";
import { stormProviders } from "./storm-providers.ts";

/** Version of the form of a storm entry (`schema_version`). */
export const STORM_SCHEMA_VERSION = "1.0";

/** Source of a cone's radii: the official table of the basin, that of another basin, or the provider's own circles. */
export const coneSources = ["nhc", "borrowed_nhc", "jma"] as const;

const unixSeconds = z.int().describe("Unix time, seconds, UTC");
const latitude = z.number().min(-90).max(90).describe("degrees north");
const longitude = z.number().min(-180).max(180).describe("degrees east, in the −180..180 convention");
const km = z.number().min(0).describe("km");

/** `w > e` when the box crosses the antimeridian. */
const box = z.strictObject({ s: latitude, n: latitude, w: longitude, e: longitude });

const place = z.strictObject({ lat: latitude, lon: longitude });

const quadrants = z
  .strictObject({ ne: km.nullable(), se: km.nullable(), sw: km.nullable(), nw: km.nullable() })
  .nullable();

/** Thresholds of both providers; null where a bulletin does not state one. */
const windRadii = z.union([
  z.strictObject({ "34kn": quadrants, "50kn": quadrants, "64kn": quadrants }),
  z.strictObject({ "30kn": quadrants, "50kn": quadrants, "64kn": z.null() }),
]);

export const stormTypes = ["DB", "TD", "TS", "HU", "PT", "LO"] as const;

const trackPoint = z.strictObject({
  time: unixSeconds,
  lat: latitude,
  lon: longitude,
  vmax_kt: z
    .number()
    .min(0)
    .nullable()
    .describe("maximum sustained wind, kt: a 1-minute mean of jtwc, a 10-minute mean of jma"),
  mslp_hpa: z.number().positive().nullable().describe("lowest sea-level pressure, hPa"),
  type: z.enum(stormTypes).nullable(),
  category: z.int().min(0).max(5).nullable().describe("1 to 5 for storms of 64 kt and more, else 0"),
  heading_deg: z.number().min(0).lt(360).nullable().describe("true bearing of motion, TO"),
  speed_kmh: z.number().min(0).nullable().describe("forward speed, km/h"),
  wind_radii_km: windRadii.nullable().describe("reach of a wind by threshold and quadrant, km"),
  sea_radii_km: z
    .strictObject({ "12ft": quadrants.unwrap() })
    .optional()
    .describe("reach of seas of 12 ft (3.7 m) by quadrant, km; absent where the provider does not give it"),
  affectance_bbox: box,
  affectance_bbox_estimated: z.boolean().describe("the box is scaled from the wind, not from given radii"),
});

const forecastPoint = trackPoint.extend({
  fhr: z.int().min(0).describe("hours after issued_at"),
  cone_radius_km: km.nullable().optional().describe("absent at fhr 0"),
});

const forecast = z.strictObject({
  issued_at: unixSeconds.describe("base time of the forecast: time = issued_at + 3600 · fhr"),
  is_stale: z.boolean().optional().describe("two newer forecasts are missing: now ≥ stale_at"),
  stale_at: unixSeconds.optional().describe("issued_at + 12 h"),
  withdrawn_at: unixSeconds.optional().describe("issued_at + 24 h: from then on it is absent, with the cone"),
  cone_source: z.enum(coneSources),
  points: z.array(forecastPoint),
});

const cone = z.strictObject({
  basin: z.string().describe("basin the cone was computed for"),
  source: z.enum(coneSources),
  source_basin: z.string().nullable().describe("whose table is borrowed; null unless source is borrowed_nhc"),
  year: z.int().nullable().describe("season of the radii table; null for jma"),
  radii_table_km: z
    .record(z.string().regex(/^\d+$/), km)
    .nullable()
    .describe("forecast hour → radius, km; null for jma"),
  circles: z
    .array(z.strictObject({ fhr: z.int().positive(), lat: latitude, lon: longitude, r_km: km }))
    .describe("one per forecast hour that has a radius"),
  center_line: z.array(place).describe("the forecast track, simplified"),
  envelope_polygon: z.array(place).nullable().describe("closed, counter-clockwise; null for jma"),
});

/** Units of the numbers. */
export const stormUnits = {
  vmax_kt: "kt",
  mslp_hpa: "hPa",
  speed_kmh: "km/h",
  heading_deg: "degrees",
  wind_radii_km: "km",
  cone_radius_km: "km",
} as const;

/** Units of an entry with these points. */
export function unitsOf(points: readonly { sea_radii_km?: unknown }[]): StormEntry["units"] {
  const hasSeas = points.some(({ sea_radii_km }) => sea_radii_km !== undefined);
  return hasSeas ? { ...stormUnits, sea_radii_km: "km" } : stormUnits;
}

const units = z.strictObject({
  ...(Object.fromEntries(Object.keys(stormUnits).map((name) => [name, z.string()])) as Record<
    keyof typeof stormUnits,
    z.ZodString
  >),
  sea_radii_km: z.string().optional().describe("present if a point has it"),
});

/** The fields of a storm, without the rules between them. */
export const stormFields = z.strictObject({
  schema_version: z.string(),
  generated_at: unixSeconds.describe("when this entry was made, Unix seconds"),
  provider: z.enum(stormProviders),
  id: z
    .string()
    .regex(/^(AL|EP|CP|WP|IO|SH|SL)\d{6}$/)
    .describe("basin, number and season year"),
  name: z.string().nullable(),
  year: z.int().describe("season year; a southern season is named by its second year"),
  basin: z.string().meta({ example: "west_pacific" }),
  is_active: z.boolean().describe("false once the provider has stopped tracking it"),
  is_invest: z.boolean().describe("an area of interest that is no depression yet"),
  bulletin_at: unixSeconds.optional().describe("when the newest text on this storm was issued"),
  mirror: z.string().optional().describe("host that gave that text, of a feed that is fetched"),
  is_overdue: z
    .boolean()
    .optional()
    .describe("active, but without a text for 12 h (invests 18 h): its feed stands still or has lost it"),
  aliases: z
    .array(z.string())
    .optional()
    .describe("other ids under which it was or is known: earlier numbers, another centre's, its invest's"),
  units,
  track_bbox: box,
  cone: cone.optional().describe("present only while a forecast exists"),
  tracks: z.strictObject({
    observed: z.array(trackPoint),
    forecast: forecast.optional().describe("absent once the storm is no longer active"),
  }),
  development: stormDevelopment
    .optional()
    .describe("of an invest: how likely it becomes a tropical cyclone; absent where no outlook names it"),
  formation_alert: formationAlert.optional().describe("of an invest: present while an alert is in force"),
});

export type StormEntry = z.infer<typeof stormFields>;
export type TrackPoint = z.infer<typeof trackPoint>;
export type ForecastPoint = z.infer<typeof forecastPoint>;
export type StormCone = z.infer<typeof cone>;
export type StormType = (typeof stormTypes)[number];
export type ConeSource = (typeof coneSources)[number];
export type WindRadii = z.infer<typeof windRadii>;
export type Quadrants = NonNullable<z.infer<typeof quadrants>>;
export type StormBox = z.infer<typeof box>;
export type StormPlace = z.infer<typeof place>;

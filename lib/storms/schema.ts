import { z } from "zod";
import { likelihoods, stormProviders } from "./providers.ts";

const unixSeconds = z.int().describe("Unix time, seconds, UTC");

const anyPlace = z.strictObject({ lat: z.number().min(-90).max(90), lon: z.number().min(-180).max(180) });

const percent = z.int().min(0).max(100).nullable();

const likelihood = z.enum(likelihoods);

/** Longest text of an agency about one system, characters; real ones have some hundreds. */
export const MAX_PARAGRAPH = 4000;

const paragraph = z.string().max(MAX_PARAGRAPH);

/** Longest name of an area, characters, such as `South of the Southwestern Coast of Mexico (EP95)`. */
export const MAX_AREA_NAME = 100;

/** Winds in an area, kt: the range in the agency's text. */
const winds = z.strictObject({ min: z.int().min(0).max(250), max: z.int().min(0).max(250) }).nullable();

/**
 * Forecast of an agency for an area: how likely it is that a tropical cyclone forms there, and within which
 * time.
 */
const chance = {
  likelihood,
  within_hours: z.int().positive().describe("Hours that likelihood refers to: 24 (JTWC) or 168 (NHC, CPHC)"),
  percent_48h: percent.describe(
    "Probability of formation within 48 h, %; null if the agency states none (JTWC)",
  ),
  percent_7d: percent.describe(
    "Probability of formation within 7 days, %; null if the agency states none (JTWC)",
  ),
};

/**
 * Additive field of a storm entry: the newest statement on whether the invest will become a tropical cyclone.
 */
const stormDevelopment = z.strictObject({
  ...chance,
  issued_at: unixSeconds.describe("Time of issue, Unix seconds"),
});

/**
 * Additive field of a storm entry: JTWC's tropical cyclone formation alert that is in force for an invest.
 */
const formationAlert = z.strictObject({
  issued_at: unixSeconds,
  valid_until: unixSeconds.describe(
    "Time by which the alert is reissued, upgraded to a warning or cancelled, Unix seconds",
  ),
  bulletin: z.string().describe("Heading of the text").meta({ example: "WTPN21" }),
  likelihood: likelihood
    .nullable()
    .describe("Likelihood of formation within 24 h; null if the text states none"),
  line: z
    .array(anyPlace)
    .min(1)
    .max(2)
    .describe("Axis of the corridor; a single place if the area is a circle"),
  half_width_km: z.number().positive().describe("Distance of the edge from the line, km"),
  corridor: z
    .array(anyPlace)
    .min(4)
    .describe("Outline of all places within half_width_km of the line, closed, counter-clockwise"),
  winds_kt: winds,
  mslp_hpa: z.number().positive().nullable(),
  heading_deg: z
    .number()
    .min(0)
    .lt(360)
    .nullable()
    .describe("True bearing of motion, degrees, TO; one of 16 compass points"),
  speed_kmh: z.number().min(0).nullable(),
  text: paragraph.describe("Text of the agency"),
});

const area = z.strictObject({
  id: z.string().describe("Id of the invest, otherwise the product and the number of the area in it"),
  storm_id: z.string().nullable().describe("Id of the entry in GET /storms if the area is an invest"),
  designation: z.string().nullable().describe("The agency's number of the invest").meta({ example: "92W" }),
  name: z.string().max(MAX_AREA_NAME).nullable().describe("The agency's name of the area; JTWC has none"),
  ...chance,
  place: anyPlace.nullable().describe("Present position of the disturbance; null if none is stated"),
  polygon: z
    .array(anyPlace)
    .min(4)
    .nullable()
    .describe(
      "Area in which a tropical cyclone may form, closed, counter-clockwise; null if none is published",
    ),
  drawn_at: unixSeconds
    .optional()
    .describe(
      "Time of issue of the older outlook that place and polygon are from, Unix seconds; absent if they are from this one",
    ),
  winds_kt: winds,
  mslp_hpa: z.number().positive().nullable(),
  text: paragraph,
});

/** Kinds of storms that an outlook names in addition to areas. They are not invests. */
const summaryKinds = ["tropical_cyclone", "subtropical_system"] as const;

const system = z.strictObject({
  kind: z.enum(summaryKinds),
  designation: z.string().nullable().meta({ example: "25W" }),
  name: z.string().nullable(),
  place: anyPlace.nullable(),
  text: paragraph,
});

const outlook = z.strictObject({
  product: z
    .string()
    .describe("Heading of the text, or gtwo with the basin for the areas of NHC's graphical outlook"),
  agency: z.enum(["jtwc", "nhc", "cphc"]),
  basins: z
    .array(z.string())
    .describe("Basins that the outlook covers")
    .meta({ example: ["west_pacific"] }),
  issued_at: unixSeconds,
  valid_until: unixSeconds.nullable().describe("End of validity, Unix seconds; null if the text states none"),
  areas: z.array(area).describe("Areas of interest; empty if no development is expected"),
  systems: z.array(system).describe("Storms that the same text summarises; their entries are in GET /storms"),
});

/** Answer of GET /storms/outlooks. */
export const stormOutlooks = z.strictObject({
  results: z
    .array(outlook)
    .describe("The newest outlook of each basin; for a basin without an outlook nothing is known"),
});

export type StormDevelopment = z.infer<typeof stormDevelopment>;
export type FormationAlert = z.infer<typeof formationAlert>;
export type StormOutlook = z.infer<typeof outlook>;
export type StormArea = z.infer<typeof area>;
export type SummarySystem = z.infer<typeof system>;

/** Version of the form of a storm entry (`schema_version`). */
export const STORM_SCHEMA_VERSION = "1.0";

/** Source of a cone's radii: the official table of the basin, that of another basin, or the provider's own circles. */
const coneSources = ["nhc", "borrowed_nhc", "jma"] as const;

const latitude = z.number().min(-90).max(90).describe("Degrees north");
const longitude = z.number().min(-180).max(180).describe("Degrees east, from −180 to 180");
const km = z.number().min(0).describe("Kilometres");

/** `w > e` if the box crosses the antimeridian. */
const box = z.strictObject({ s: latitude, n: latitude, w: longitude, e: longitude });

const place = z.strictObject({ lat: latitude, lon: longitude });

const quadrants = z
  .strictObject({ ne: km.nullable(), se: km.nullable(), sw: km.nullable(), nw: km.nullable() })
  .nullable();

/** Wind radii by threshold, the thresholds of both providers; null where a bulletin does not state one. */
const windRadii = z.union([
  z.strictObject({ "34kn": quadrants, "50kn": quadrants, "64kn": quadrants }),
  z.strictObject({ "30kn": quadrants, "50kn": quadrants, "64kn": z.null() }),
]);

const stormTypes = ["DB", "TD", "TS", "HU", "PT", "LO"] as const;

const trackPoint = z.strictObject({
  time: unixSeconds,
  lat: latitude,
  lon: longitude,
  vmax_kt: z
    .number()
    .min(0)
    .nullable()
    .describe("Maximum sustained wind, kt: a 1-minute mean at jtwc, a 10-minute mean at jma"),
  mslp_hpa: z.number().positive().nullable().describe("Minimum sea-level pressure, hPa"),
  type: z.enum(stormTypes).nullable(),
  category: z
    .int()
    .min(0)
    .max(5)
    .nullable()
    .describe("Saffir-Simpson category: 1 to 5 from 64 kt on, otherwise 0; null without vmax_kt"),
  heading_deg: z.number().min(0).lt(360).nullable().describe("True bearing of motion, degrees, TO"),
  speed_kmh: z.number().min(0).nullable().describe("Forward speed, km/h"),
  wind_radii_km: windRadii.nullable().describe("Wind radii by threshold and quadrant, km"),
  sea_radii_km: z
    .strictObject({ "12ft": quadrants.unwrap() })
    .optional()
    .describe("Radii of seas of 12 ft (3.7 m) by quadrant, km; absent if the agency does not give them"),
  affectance_bbox: box,
  affectance_bbox_estimated: z
    .boolean()
    .describe(
      "true if the box is estimated from the wind speed, because no radius of the lowest threshold is given",
    ),
});

const forecastPoint = trackPoint.extend({
  fhr: z.int().min(0).describe("Forecast hour: hours after issued_at"),
  cone_radius_km: km.nullable().optional().describe("Radius of the cone at this hour, km; absent at fhr 0"),
});

const forecast = z.strictObject({
  issued_at: unixSeconds.describe("Base time of the forecast, Unix seconds: time = issued_at + 3600 · fhr"),
  is_stale: z.boolean().optional().describe("true from stale_at on: two newer forecasts are missing"),
  stale_at: unixSeconds.optional().describe("issued_at + 12 h, Unix seconds"),
  withdrawn_at: unixSeconds
    .optional()
    .describe("issued_at + 24 h, Unix seconds; from then on forecast and cone are absent"),
  cone_source: z.enum(coneSources),
  points: z.array(forecastPoint),
});

const cone = z.strictObject({
  basin: z.string().describe("Basin for which the cone was computed"),
  source: z.enum(coneSources),
  source_basin: z
    .string()
    .nullable()
    .describe("Basin whose table of radii is used; null unless source is borrowed_nhc"),
  year: z.int().nullable().describe("Season of the table of radii; null at jma"),
  radii_table_km: z
    .record(z.string().regex(/^\d+$/), km)
    .nullable()
    .describe("Radius of each forecast hour, km; null at jma"),
  circles: z
    .array(z.strictObject({ fhr: z.int().positive(), lat: latitude, lon: longitude, r_km: km }))
    .describe("One circle for each forecast hour that has a radius"),
  center_line: z.array(place).describe("The forecast track, simplified"),
  envelope_polygon: z
    .array(place)
    .nullable()
    .describe("Outline of the cone, simplified, closed, counter-clockwise; null at jma"),
});

/** Units of the numbers. */
const stormUnits = {
  vmax_kt: "kt",
  mslp_hpa: "hPa",
  speed_kmh: "km/h",
  heading_deg: "degrees",
  wind_radii_km: "km",
  cone_radius_km: "km",
} as const;

/** The units of an entry with these points. */
export function unitsOf(points: readonly { sea_radii_km?: unknown }[]): StormEntry["units"] {
  const hasSeas = points.some(({ sea_radii_km }) => sea_radii_km !== undefined);
  return hasSeas ? { ...stormUnits, sea_radii_km: "km" } : stormUnits;
}

const units = z.strictObject({
  ...(Object.fromEntries(Object.keys(stormUnits).map((name) => [name, z.string()])) as Record<
    keyof typeof stormUnits,
    z.ZodString
  >),
  sea_radii_km: z.string().optional().describe("Present if a point has sea radii"),
});

/** The fields of a storm, without the rules between them. */
export const stormFields = z.strictObject({
  schema_version: z.string(),
  generated_at: unixSeconds.describe("Time at which this entry was made, Unix seconds"),
  provider: z.enum(stormProviders),
  id: z
    .string()
    .regex(/^(AL|EP|CP|WP|IO|SH|SL)\d{6}$/)
    .describe("Basin, number and year of the season"),
  name: z.string().nullable(),
  year: z.int().describe("Year of the season; a southern season has the number of its second year"),
  basin: z.string().meta({ example: "west_pacific" }),
  is_active: z.boolean().describe("false once the agency has stopped tracking the storm"),
  is_invest: z.boolean().describe("true for an area of interest that is not a tropical depression yet"),
  bulletin_at: unixSeconds
    .optional()
    .describe("Time of issue of the newest text on this storm, Unix seconds"),
  mirror: z.string().optional().describe("Host from which that text was fetched"),
  is_overdue: z
    .boolean()
    .optional()
    .describe(
      "true for an active storm without a text for 12 h (invests 18 h): its feed has stopped or has lost the storm",
    ),
  aliases: z
    .array(z.string())
    .optional()
    .describe("Other ids of the storm: earlier numbers, that of another centre, that of its invest"),
  units,
  track_bbox: box,
  cone: cone.optional().describe("Present only while there is a forecast"),
  tracks: z.strictObject({
    observed: z.array(trackPoint),
    forecast: forecast.optional().describe("Absent if the storm is no longer active, or has no forecast"),
  }),
  development: stormDevelopment
    .optional()
    .describe("Likelihood that an invest becomes a tropical cyclone; absent if no outlook names it"),
  formation_alert: formationAlert.optional().describe("Formation alert for an invest, while it is in force"),
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

/**
 * Checks the rules between several fields of a storm: when a value is null, and when a part is absent.
 *
 * @returns What is wrong, in words; empty for a valid entry.
 */
function stormFaults(entry: StormEntry): string[] {
  const { observed, forecast } = entry.tracks;
  const faults = [
    ...observed.flatMap((point, index) =>
      pointFaults(entry, point).map((fault) => `tracks.observed[${index}]: ${fault}`),
    ),
    ...(forecast?.points ?? []).flatMap((point, index) =>
      [...pointFaults(entry, point), ...forecastFaults(point, forecast!.issued_at)].map(
        (fault) => `tracks.forecast.points[${index}]: ${fault}`,
      ),
    ),
    ...(entry.cone ? coneFaults(entry, entry.cone) : []),
  ];
  if (!ascending(observed)) faults.push("tracks.observed is not ascending in time");
  if (forecast && !ascending(forecast.points)) faults.push("tracks.forecast.points is not ascending in time");
  if (forecast && !entry.is_active) faults.push("a storm that has ended has no forecast");
  if (entry.cone && !forecast) faults.push("a cone without a forecast");
  if ((entry.development || entry.formation_alert) && !(entry.is_invest && entry.is_active)) {
    faults.push("only an invest that is tracked has a development and a formation alert");
  }
  if (!entry.id.endsWith(String(entry.year))) faults.push("id and year name different seasons");
  if (entry.name === null && entry.provider !== "jma") faults.push("only jma has storms without a name");
  return faults;
}

/** Lowest wind radii threshold of each provider. Without its radii the affectance box is an estimate. */
const lowestThreshold = { jtwc: "34kn", jma: "30kn" } as const;

function pointFaults({ provider, is_invest }: StormEntry, point: TrackPoint): string[] {
  const faults: string[] = [];
  if ((point.category === null) !== (point.vmax_kt === null)) faults.push("category is null without vmax_kt");
  if ((point.heading_deg === null) !== (point.speed_kmh === null))
    faults.push("heading and speed go together");
  if (point.category !== null && point.type !== null && point.category > 0 !== (point.type === "HU")) {
    faults.push(`type ${point.type} does not go with category ${point.category}`);
  }
  if (provider === "jma" && is_invest && point.type !== null) faults.push("type of a jma invest is null");
  const radii = point.wind_radii_km as Record<string, Record<string, number> | null> | null;
  const lowest = lowestThreshold[provider];
  if (radii && !(lowest in radii)) faults.push(`wind radii without ${lowest}`);
  if (point.affectance_bbox_estimated !== !radii?.[lowest]) {
    faults.push(`affectance_bbox_estimated does not tell whether ${lowest} is given`);
  }
  if (
    provider === "jma" &&
    Object.values(radii ?? {}).some((one) => one && new Set(Object.values(one)).size > 1)
  ) {
    faults.push("quadrants of jma are all the same");
  }
  return faults;
}

function forecastFaults(point: ForecastPoint, issued: number): string[] {
  const faults: string[] = [];
  if (point.time !== issued + 3600 * point.fhr) faults.push("time is not issued_at + 3600 · fhr");
  if ((point.cone_radius_km === undefined) !== (point.fhr === 0)) {
    faults.push("cone_radius_km is absent at fhr 0 and nowhere else");
  }
  return faults;
}

function coneFaults({ tracks }: StormEntry, cone: StormCone): string[] {
  const faults: string[] = [];
  const own = cone.source === "jma";
  const points = tracks.forecast?.points ?? [];
  const reaching = points.filter(({ cone_radius_km }) => cone_radius_km != null);
  if (tracks.forecast && tracks.forecast.cone_source !== cone.source) faults.push("cone: two sources");
  if ((cone.source_basin === null) !== (cone.source !== "borrowed_nhc")) {
    faults.push("cone.source_basin is set when a table is borrowed, and only then");
  }
  if ((cone.year === null) !== own) faults.push("cone.year is null for jma, and only then");
  if ((cone.radii_table_km === null) !== own)
    faults.push("cone.radii_table_km is null for jma, and only then");
  if (own && cone.envelope_polygon !== null) faults.push("cone.envelope_polygon is null for jma");
  if (
    cone.circles.length !== reaching.length ||
    cone.circles.some(({ fhr }, at) => fhr !== reaching[at]?.fhr)
  ) {
    faults.push("cone.circles has one entry per forecast point with a radius");
  }
  const ring = cone.envelope_polygon;
  const [first, last] = [ring?.[0], ring?.at(-1)];
  if (ring && (ring.length < 4 || first?.lat !== last?.lat || first?.lon !== last?.lon)) {
    faults.push("cone.envelope_polygon is not closed");
  }
  return faults;
}

function ascending(points: readonly TrackPoint[]): boolean {
  return points.every((point, index) => index === 0 || point.time > points[index - 1]!.time);
}

/** A storm entry of one provider: its fields, and the rules between them. */
export const stormEntry = stormFields.superRefine((entry, context) => {
  for (const message of stormFaults(entry)) context.addIssue({ code: "custom", message });
});

import { z } from "zod";
import { EdrQueryError, readBbox } from "#lib/edr/queries.ts";
import { AROUND_KM, NEAR_KM, ownPortLimits } from "#lib/tides/limits.ts";
import { DAY_S, parseInstant } from "#lib/time.ts";
import { decimal, queryNumber, utcInstant } from "./point.ts";

/** `tide` is the height of the water above a datum; `stream` is the current that the tide causes. */
export const tideKinds = ["tide", "stream"] as const;
export type TideKind = (typeof tideKinds)[number];

/** Formats of predictions by their names in `f`; the first is the default. */
export const tideFormats = {
  json: "application/json",
  csv: "text/csv",
  geojson: "application/geo+json",
  ics: "text/calendar",
} as const;

export const tideLimits = {
  /** Most stations in one page of the list. */
  page: 1000,
  /** Most stations in one view of the map. */
  view: 1000,
  days: 366,
  /** Most values of one curve. */
  values: 15_000,
  /** Years for which predictions are made, both included. */
  years: { first: 1900, last: 2100 },
  /** Distance by water up to which a station is used, km: by default, and at most. */
  km: { usual: NEAR_KM, most: 500 },
};

const { years, km } = tideLimits;
const FIRST = parseInstant(`${years.first}-01-01T00:00:00Z`);
const LAST = parseInstant(`${years.last + 1}-01-01T00:00:00Z`);

const inYears = (text: string) => {
  const time = parseInstant(text.length === 10 ? `${text}T00:00:00Z` : text);
  // An unparseable time is NaN and passes here, because another check reports it.
  return !(time < FIRST || time > LAST);
};

const predictable = { error: `Predictions are available for the years ${years.first} to ${years.last}` };

const predicted = utcInstant.refine(inYears, predictable);

/** An instant, or a day, which begins at midnight on the station's clock. */
const instantOrDay = z
  .string()
  .refine((text) => !Number.isNaN(parseInstant(text.length === 10 ? `${text}T00:00:00Z` : text)), {
    error: "Input should be a UTC time of the form YYYY-MM-DDThh:mm:ssZ, or a day of the form YYYY-MM-DD",
    params: { type: "datetime_parsing" },
  })
  .refine(inYears, predictable)
  .meta({ example: "2026-01-01T00:00:00Z" });

const bbox = z
  .string()
  .meta({ example: "-6,47,-1,51" })
  .transform((text, context) => {
    try {
      return readBbox(text);
    } catch (error) {
      if (!(error instanceof EdrQueryError)) throw error;
      context.addIssue({ code: "custom", message: error.message.replace(/^bbox: s/, "Input s") });
      return z.NEVER;
    }
  })
  .describe("west,south,east,north in degrees; west > east crosses the antimeridian");

const kind = z.enum(tideKinds);
const latitude = decimal(-90, 90, 48.4);
const longitude = decimal(-180, 180, -4.5);

export const tideStationsQuery = z
  .object({
    kind: kind.optional().describe("tide or stream; default: both"),
    search: z.string().trim().min(1).max(100).optional().meta({
      description: "Part of a name, a region or a country; the best match comes first",
      example: "Brest",
    }),
    lat: latitude
      .optional()
      .describe(
        "Degrees north, with lon: stations that are near by water come first, then the others, each by distance",
      ),
    lon: longitude.optional().describe("Degrees east, with lat"),
    within_km: decimal(1, km.most, AROUND_KM)
      .default(AROUND_KM)
      .describe("Longest way by water that is searched from that place, kilometres"),
    bbox: bbox.optional(),
    limit: queryNumber(z.number().int().min(1).max(tideLimits.page))
      .default(100)
      .describe("Most stations in this page"),
    offset: queryNumber(z.number().int().min(0)).default(0).describe("Number of stations before this page"),
    f: z
      .enum(["json", "geojson"])
      .optional()
      .describe("Format of the answer; takes precedence over the header Accept"),
  })
  .refine((query) => (query.lat === undefined) === (query.lon === undefined), {
    path: ["lon"],
    error: "Give both lat and lon, or neither",
  });

/** Difference of a secondary port from its reference station. */
const difference = (unit: keyof typeof ownPortLimits, what: string) =>
  decimal(-ownPortLimits[unit], ownPortLimits[unit], 0)
    .default(0)
    .describe(`${what}; negative means earlier or lower`);

const period = {
  from: instantOrDay
    .optional()
    .describe("UTC time, or a day, which begins at midnight by the clock of the station; default: now"),
  to: instantOrDay
    .optional()
    .describe(
      `UTC time, or a day, which is included; at most ${tideLimits.days} days after from; default: 2 days after from, in a calendar 31 days`,
    ),
  step: queryNumber(z.number().int().min(1).max(1440))
    .optional()
    .describe(
      `Minutes between the values of the curve, which has at most ${tideLimits.values}; without it there is no curve`,
    ),
  datum: z
    .string()
    .max(20)
    .optional()
    .describe("Datum of heights, one of datums of the station; default: the usual one of the station"),
  coefficient: queryNumber(z.number().int().min(20).max(120))
    .default(100)
    .describe("Least coefficient of next_great_tide, at stations in France"),
  high_minutes: difference("minutes", "Secondary port of your own: minutes by which its high water is later"),
  low_minutes: difference("minutes", "Secondary port of your own: minutes by which its low water is later"),
  high_m: difference(
    "metres",
    "Secondary port of your own: metres by which its high water is higher, at springs and neaps alike",
  ),
  low_m: difference("metres", "Secondary port of your own: metres by which its low water is higher"),
  alarm: queryNumber(z.number().int().min(0).max(1440))
    .default(30)
    .describe("In a calendar: minutes from the reminder to each event; 0 for no reminder"),
  f: z
    .enum(Object.keys(tideFormats) as [keyof typeof tideFormats])
    .optional()
    .describe(
      "Format of the answer; takes precedence over the header Accept. ics is a calendar of high and low waters, or of slacks",
    ),
};

export const tideQuery = z.object(period);

export const nearestTideQuery = z.object({
  lat: latitude.describe("Degrees north"),
  lon: longitude.describe("Degrees east, from −180 to 180"),
  kind: kind.default("tide"),
  within_km: decimal(1, km.most, km.usual)
    .default(km.usual)
    .describe("Greatest distance of the station by water, kilometres"),
  ...period,
});

export const tidesNowQuery = z.object({
  bbox,
  kind: kind.optional().describe("tide or stream; default: both"),
  at: predicted.optional().describe("UTC time; default: now"),
});

const instant = z.iso.datetime();
const nullable = z.number().nullable();

const station = z.object({
  id: z.string().meta({ example: "ticon:brest-822-fra-uhslc_fd" }),
  kind,
  name: z.string(),
  region: z.string().nullable(),
  country: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  timezone: z.string().describe("IANA name of the time zone").meta({ example: "Europe/Paris" }),
  type: z
    .enum(["reference", "subordinate"])
    .describe(
      "reference: predicted from constituents of its own; subordinate: by differences from another station",
    ),
  datum: z
    .string()
    .nullable()
    .describe(
      "Datum of heights: the chart datum if the hydrographic office publishes it, otherwise one computed from the gauge; null for a stream",
    ),
  distance_km: z
    .number()
    .optional()
    .describe("Distance from the requested place along a great circle, which may cross land, kilometres"),
  water_km: z
    .number()
    .nullable()
    .optional()
    .describe(
      "Distance from the requested place by water, around the coast of the map, kilometres; null if no way within the requested distance is known, or if it is a long way around land, so that the tide may be quite different",
    ),
});

export type TideStation = z.infer<typeof station>;

/** Answer of GET /tides/stations. */
export const tideStations = z.object({
  results: z.array(station),
  total: z.int().describe("Number of stations in all pages"),
  attribution: z.array(z.string()).describe("Attributions to be shown with the stations"),
});
export type TideStations = z.infer<typeof tideStations>;

const about = {
  station: station.extend({
    reference: z
      .object({ id: z.string(), name: z.string() })
      .nullable()
      .describe("Station whose prediction is adjusted; if the request has differences, this station itself"),
    source: z.object({ name: z.string(), url: z.string() }),
    license: z.object({ type: z.string(), url: z.string(), commercial_use: z.boolean() }),
  }),
  attribution: z.string().describe("Attribution to be shown with every number of the station"),
  from: instant,
  to: instant.describe("End of the prediction, excluded"),
  moon: z
    .object({ age_days: z.number(), lit: z.number().describe("Illuminated share of the disc, 0 to 1") })
    .describe("The moon at from; its age is counted in days from new moon"),
  springs: z
    .array(instant)
    .describe(
      "Times at which the constituents of moon and sun are in phase; the largest tides are around then",
    ),
  neaps: z.array(instant).describe("Times at which these constituents are opposed"),
  notes: z.array(z.string()).describe("Notes on this station, as text"),
  notice: z.string(),
};

/** Answer of GET /tides and GET /tides/{id} for heights. */
export const tidePrediction = z.object({
  kind: z.literal("tide"),
  ...about,
  differences: z
    .object({ high_minutes: z.number(), low_minutes: z.number(), high_m: z.number(), low_m: z.number() })
    .optional()
    .describe("Differences of the request, for a secondary port of your own"),
  datum: z.string().describe("Datum of every height"),
  datum_source: z
    .enum(["office", "computed"])
    .optional()
    .describe(
      "office: the datum is published by the hydrographic office; computed: it is computed from the record of the gauge. The chart datum differs from a computed one by decimetres, so there may be less water than charted depth and height add up to",
    ),
  shallow_water: z
    .boolean()
    .optional()
    .describe(
      "true if the overtides (M4, MS4, M6 and all other species of four and more a day) amount to 0.22 of M2 and to 0.1 m. The shape of the tide is then not resolved, and its times may be wrong by an hour",
    ),
  datums: z
    .record(z.string(), z.number())
    .describe("Levels of the station above datum, metres; each of them may be requested as datum"),
  regime: z
    .enum(["semidiurnal", "mixed", "diurnal", "none"])
    .describe("semidiurnal: two tides a day; mixed: two unequal ones; diurnal: one; none: hardly any tide"),
  now: z.object({
    time: instant,
    height_m: z.number(),
    trend: z.enum(["rising", "falling"]).nullable().describe("null if there is hardly any tide"),
  }),
  range: z
    .object({
      springs_m: z.number(),
      neaps_m: z.number(),
      now_m: nullable.describe("Range between the high and the low water around now, metres"),
    })
    .describe(
      "Range of the tide, metres: means of springs and neaps at this station, from its main constituents",
    ),
  extremes: z.array(
    z.object({
      time: instant,
      type: z.enum(["high", "low"]),
      height_m: z.number(),
      coefficient: z
        .int()
        .optional()
        .describe(
          "Coefficient of a high water on the French coast of the Atlantic and the Channel: the semidiurnal range at Brest in hundredths of 6.1 m, from 20 to 120",
        ),
    }),
  ),
  next_great_tide: z
    .object({
      time: instant.describe("Time of the high water, to a quarter of an hour"),
      coefficient: z.int(),
    })
    .nullable()
    .optional()
    .describe(
      "First high water after from with at least the requested coefficient; absent where coefficients are not known, null if there is none within five years",
    ),
  stands: z
    .array(z.object({ from: instant, to: instant, height_m: z.number() }))
    .describe(
      "Times in which the level hardly changes for much longer than at an ordinary high or low water",
    ),
  curve: z
    .object({ step_minutes: z.int(), heights_m: z.array(z.number()) })
    .optional()
    .describe("Heights from from on, metres; present if step was given"),
});
export type TidePrediction = z.infer<typeof tidePrediction>;

/** A minimum lies between two maxima of the same direction: the stream slackens without turning. */
export const streamEvents = [
  "slack_before_flood",
  "max_flood",
  "slack_before_ebb",
  "max_ebb",
  "min_flood",
  "min_ebb",
] as const;

const direction = z.number().nullable().describe("Degrees clockwise from true north, TO");

/** Answer of GET /tides and GET /tides/{id} for streams. */
export const streamPrediction = z.object({
  kind: z.literal("stream"),
  ...about,
  flood_direction: z.number().describe("Mean direction of the flood, degrees clockwise from true north, TO"),
  ebb_direction: z
    .number()
    .describe(
      "Mean direction of the ebb, degrees clockwise from true north, TO; it is often not opposite to that of the flood",
    ),
  depth_m: z
    .number()
    .optional()
    .describe("Depth of the water layer that is predicted, metres below chart datum; absent if unknown"),
  now: z.object({
    time: instant,
    speed_kt: z.number(),
    direction,
    phase: z.enum(["flood", "ebb", "slack"]),
  }),
  events: z.array(z.object({ time: instant, type: z.enum(streamEvents), speed_kt: z.number() })),
  curve: z
    .object({
      step_minutes: z.int(),
      speeds_kt: z
        .array(z.number())
        .describe("Speeds, knots; positive in the direction of the flood, negative in that of the ebb"),
    })
    .optional(),
});
export type StreamPrediction = z.infer<typeof streamPrediction>;

/**
 * Answer of GET /tides/now, as columns with one entry per station; stations with their own constituents come
 * first.
 */
export const tidesNow = z.object({
  at: instant,
  tides: z.object({
    id: z.array(z.string()),
    name: z.array(z.string()),
    latitude: z.array(z.number()),
    longitude: z.array(z.number()),
    height_m: z.array(z.number()).describe("Heights above the chart datum of the station, metres"),
    trend: z.array(z.int()).describe("1: rising, −1: falling, 0: hardly any tide"),
  }),
  streams: z.object({
    id: z.array(z.string()),
    name: z.array(z.string()),
    latitude: z.array(z.number()),
    longitude: z.array(z.number()),
    speed_kt: z.array(z.number()),
    direction: z.array(z.int()).describe("Degrees clockwise from true north, TO"),
  }),
  total: z
    .int()
    .describe("Number of stations in the box; if there are too many, an even choice of them is returned"),
  attribution: z.array(z.string()),
});
export type TidesNow = z.infer<typeof tidesNow>;

/** Longest period, seconds. */
export const MAX_PERIOD_S = tideLimits.days * DAY_S;

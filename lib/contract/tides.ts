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

const predictable = { error: `predictions are of the years ${years.first} to ${years.last}` };

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
    kind: kind.optional().describe("tide or stream; both where absent"),
    search: z
      .string()
      .trim()
      .min(1)
      .max(100)
      .optional()
      .meta({ description: "part of a name, a region or a country; the best match first", example: "Brest" }),
    lat: latitude
      .optional()
      .describe("degrees north, with lon: those near by water first, then the others, each by distance"),
    lon: longitude.optional().describe("degrees east, with lat"),
    within_km: decimal(1, km.most, AROUND_KM)
      .default(AROUND_KM)
      .describe("how far ways by water from there are looked for, kilometres"),
    bbox: bbox.optional(),
    limit: queryNumber(z.number().int().min(1).max(tideLimits.page))
      .default(100)
      .describe("stations of this page"),
    offset: queryNumber(z.number().int().min(0)).default(0).describe("stations before this page"),
    f: z.enum(["json", "geojson"]).optional().describe("the format, in place of the header Accept"),
  })
  .refine((query) => (query.lat === undefined) === (query.lon === undefined), {
    path: ["lon"],
    error: "lat and lon belong together",
  });

/** Difference of a secondary port from its reference station. */
const difference = (unit: keyof typeof ownPortLimits, what: string) =>
  decimal(-ownPortLimits[unit], ownPortLimits[unit], 0)
    .default(0)
    .describe(`${what}; negative: earlier, lower`);

const period = {
  from: instantOrDay
    .optional()
    .describe("UTC time, or a day, which begins at midnight at the station; now where absent"),
  to: instantOrDay
    .optional()
    .describe(
      `as from, but a day is taken whole; 2 days after from where absent, 31 days in a calendar; at most ${tideLimits.days} days after it`,
    ),
  step: queryNumber(z.number().int().min(1).max(1440))
    .optional()
    .describe(
      `minutes between the values of the curve, of at most ${tideLimits.values}; no curve where absent`,
    ),
  datum: z
    .string()
    .max(20)
    .optional()
    .describe(
      "level that heights are above: one of the station's datums; the usual one of the station where absent",
    ),
  coefficient: queryNumber(z.number().int().min(20).max(120))
    .default(100)
    .describe("least coefficient of the next great tide, at stations of France"),
  high_minutes: difference("minutes", "minutes that high water comes later at a secondary port of your own"),
  low_minutes: difference("minutes", "the same of low water"),
  high_m: difference("metres", "metres that high water is higher there, at springs and neaps alike"),
  low_m: difference("metres", "the same of low water"),
  alarm: queryNumber(z.number().int().min(0).max(1440))
    .default(30)
    .describe("in a calendar, minutes before each event that programs ring; 0 for none"),
  f: z
    .enum(Object.keys(tideFormats) as [keyof typeof tideFormats])
    .optional()
    .describe("the format, in place of the header Accept; ics has high and low waters, or slacks"),
};

export const tideQuery = z.object(period);

export const nearestTideQuery = z.object({
  lat: latitude.describe("degrees north"),
  lon: longitude.describe("degrees east, in the −180..180 convention"),
  kind: kind.default("tide"),
  within_km: decimal(1, km.most, km.usual)
    .default(km.usual)
    .describe("how far away by water the station may be, kilometres"),
  ...period,
});

export const tidesNowQuery = z.object({
  bbox,
  kind: kind.optional().describe("tide or stream; both where absent"),
  at: predicted.optional().describe("now where absent"),
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
  timezone: z.string().describe("IANA name").meta({ example: "Europe/Paris" }),
  type: z
    .enum(["reference", "subordinate"])
    .describe("predicted from constituents of its own, or by differences to another station"),
  datum: z
    .string()
    .nullable()
    .describe(
      "level that heights are above: that of charts where the office publishes it, else one computed from the gauge; null for a stream",
    ),
  distance_km: z
    .number()
    .optional()
    .describe("from the place that was asked for, along a great circle, which may cross land"),
  water_km: z
    .number()
    .nullable()
    .optional()
    .describe(
      "from there by water, around the coast of 1:10 million; null where no way within the distance that was asked for is known, or it leads far around land: the tide may be quite different",
    ),
});

export type TideStation = z.infer<typeof station>;

/** Answer of GET /tides/stations. */
export const tideStations = z.object({
  results: z.array(station),
  total: z.int().describe("stations of all pages"),
  attribution: z.array(z.string()).describe("to be shown with the stations"),
});
export type TideStations = z.infer<typeof tideStations>;

const about = {
  station: station.extend({
    reference: z
      .object({ id: z.string(), name: z.string() })
      .nullable()
      .describe(
        "the station whose prediction is adjusted; this one itself where the request has differences",
      ),
    source: z.object({ name: z.string(), url: z.string() }),
    license: z.object({ type: z.string(), url: z.string(), commercial_use: z.boolean() }),
  }),
  attribution: z.string().describe("to be shown with every number of the station"),
  from: instant,
  to: instant.describe("excluded"),
  moon: z
    .object({ age_days: z.number(), lit: z.number().describe("share of the disc, 0 to 1") })
    .describe("at from; its age is counted from new moon"),
  springs: z
    .array(instant)
    .describe("when the constituents of moon and sun are in phase: the largest tides are around then"),
  neaps: z.array(instant).describe("when they are opposed"),
  notes: z.array(z.string()).describe("what has to be known of this station, in words"),
  notice: z.string(),
};

/** Answer of GET /tides and GET /tides/{id} for heights. */
export const tidePrediction = z.object({
  kind: z.literal("tide"),
  ...about,
  differences: z
    .object({ high_minutes: z.number(), low_minutes: z.number(), high_m: z.number(), low_m: z.number() })
    .optional()
    .describe("those of the request, where it asks for a secondary port of its own"),
  datum: z.string().describe("level that every height is above"),
  datum_source: z
    .enum(["office", "computed"])
    .optional()
    .describe(
      "of datum: published by the office of the station, or computed from the record of its gauge; the datum of charts differs from a computed one by decimetres, and there may be less water than depth and height make",
    ),
  shallow_water: z
    .boolean()
    .optional()
    .describe(
      "whether the overtides (M4, MS4, M6 and all others of four and more a day) amount to 0.22 of M2 and to 0.1 m: the shape of the tide is not resolved then, its times may be off by an hour",
    ),
  datums: z
    .record(z.string(), z.number())
    .describe("levels of the station above datum, metres; the first of them all may be asked for"),
  regime: z
    .enum(["semidiurnal", "mixed", "diurnal", "none"])
    .describe("two tides a day, two unequal ones, one, or hardly any"),
  now: z.object({
    time: instant,
    height_m: z.number(),
    trend: z.enum(["rising", "falling"]).nullable().describe("null where there is hardly any tide"),
  }),
  range: z
    .object({
      springs_m: z.number(),
      neaps_m: z.number(),
      now_m: nullable.describe("between the high and the low water around now"),
    })
    .describe("of the tide: means of springs and neaps at this station, from its main constituents"),
  extremes: z.array(
    z.object({
      time: instant,
      type: z.enum(["high", "low"]),
      height_m: z.number(),
      coefficient: z
        .int()
        .optional()
        .describe(
          "of high waters on the Atlantic and the Channel in France: the semidiurnal range at Brest in hundredths of 6.1 m, from 20 to 120",
        ),
    }),
  ),
  next_great_tide: z
    .object({ time: instant.describe("of its high water, to a quarter of an hour"), coefficient: z.int() })
    .nullable()
    .optional()
    .describe(
      "the first high water from `from` on with at least the coefficient that was asked for, where coefficients are known; null where none is within five years",
    ),
  stands: z
    .array(z.object({ from: instant, to: instant, height_m: z.number() }))
    .describe("when the level hardly changes for much longer than around an ordinary high or low water"),
  curve: z
    .object({ step_minutes: z.int(), heights_m: z.array(z.number()) })
    .optional()
    .describe("heights from `from` on, where step was given"),
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

const direction = z.number().nullable().describe("degrees from true north, TO");

/** Answer of GET /tides and GET /tides/{id} for streams. */
export const streamPrediction = z.object({
  kind: z.literal("stream"),
  ...about,
  flood_direction: z.number().describe("mean direction, degrees from true north, TO"),
  ebb_direction: z.number().describe("the same; it is often not opposite to that of the flood"),
  depth_m: z
    .number()
    .optional()
    .describe("of the water whose stream it is, metres below chart datum; left out where unknown"),
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
      speeds_kt: z.array(z.number()).describe("positive in the flood direction, negative in that of the ebb"),
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
    height_m: z.array(z.number()).describe("above the chart datum of the station"),
    trend: z.array(z.int()).describe("1 rising, −1 falling, 0 hardly any tide"),
  }),
  streams: z.object({
    id: z.array(z.string()),
    name: z.array(z.string()),
    latitude: z.array(z.number()),
    longitude: z.array(z.number()),
    speed_kt: z.array(z.number()),
    direction: z.array(z.int()).describe("degrees from true north, TO"),
  }),
  total: z.int().describe("stations in the box, of which these are an even choice"),
  attribution: z.array(z.string()),
});
export type TidesNow = z.infer<typeof tidesNow>;

/** Longest period, seconds. */
export const MAX_PERIOD_S = tideLimits.days * DAY_S;

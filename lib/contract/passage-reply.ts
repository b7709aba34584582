import { z } from "zod";
import { limitNames, objectives, origins } from "#lib/passage/limits.ts";
import { endings } from "#lib/passage/march.ts";
import { lights } from "#lib/passage/piece-state.ts";
import { legKinds } from "#lib/passage/route.ts";
import { causes, comforts, verdicts } from "#lib/passage/verdict.ts";
import { modes, motionFlags } from "#lib/passage/vessel.ts";
import { gateForm } from "./passage.ts";
import { conditions, pointMeta } from "./point.ts";
import { stormApproachResponse } from "./storm-approach.ts";
import { tideKinds } from "./tides.ts";

const passing = z.strictObject({ latitude: z.number(), longitude: z.number(), timestamp: z.string() });

const number = (what: string) => z.number().nullable().describe(what);

/** Flags that a piece may have. */
export const pieceFlags = [
  ...motionFlags,
  "no_forecast",
  "no_sea_data",
  "synchronous_roll",
  "parametric_roll",
  "waits_for_gate",
  "near_coast",
] as const;

export const passagePiece = z.strictObject({
  leg: z.int().describe("position of the leg, from 0"),
  start: passing.describe("where and when the piece begins"),
  at: passing.describe(
    "its middle, where and when the weather is read: POST /MetOcean gives the same conditions there",
  ),
  elapsed_s: z.number().describe("since the departure, at its start"),
  duration_s: z.number().describe("at most 1800"),
  distance_nm: z.number().describe("at most 10; 0 while the vessel is held"),
  to_go_nm: z.number().describe("from its start"),
  course_deg: z.number().describe("over ground, TO"),
  heading_deg: number("where the bow points; null while the vessel is held"),
  sog_kt: z.number().describe("speed over ground, between tacks made good"),
  stw_kt: z.number().describe("speed through the water"),
  mode: z.enum(modes).describe("held: it waits half an hour for current, wind or sea, or for a gate"),
  wind_kt: number("true wind"),
  wind_angle_deg: number("true wind off the bow, −180..180, positive to starboard"),
  apparent_wind_kt: number("apparent wind"),
  apparent_wind_angle_deg: number("off the bow, −180..180, positive to starboard"),
  gust_kt: number("gusts"),
  wave_angle_deg: number("where the waves come from, off the bow, −180..180, positive to starboard"),
  encounter_period_s: number("negative where the vessel overtakes the waves; null where it moves with them"),
  acceleration_g: number(
    "RMS vertical acceleration of a craft that follows the surface, of the worse tack; an upper bound for long ships",
  ),
  comfort: z
    .enum(comforts)
    .nullable()
    .describe(
      "uncomfortable from 0.1 g, severe from 0.2 g, dangerous from a wind of 48 kt (Beaufort 10) or a significant height of 6 m (sea state 7)",
    ),
  swell_angle_deg: number("as wave_angle_deg, of the swell"),
  swell_encounter_period_s: number("as encounter_period_s, of the swell"),
  swell_acceleration_g: number("as acceleration_g, of the swell alone"),
  current_along_kt: number("along the course, negative against the vessel"),
  current_across_kt: number("across the course, positive to starboard"),
  nearest_limit: z
    .strictObject({ limit: z.enum(limitNames), ratio: z.number() })
    .nullable()
    .describe("the limit that is nearest, or exceeded most; null where nothing is known"),
  flags: z
    .array(z.enum(pieceFlags))
    .describe("near_coast: a part of it is near the coast as near_coast of the plan says, or on land"),
  conditions,
});

export const passageTotals = z.strictObject({
  distance_nm: z.number(),
  duration_s: z.number(),
  speed_kt: number("mean over ground"),
  mean_wind_kt: number("over the time"),
  max_wind_kt: number("true wind"),
  max_gust_kt: number("gusts"),
  max_height_m: number("significant height"),
  min_depth_m: number(
    "least depth below mean sea level at the middles of the pieces, from a coarse grid: shoals between them are not seen, " +
      "and it is no clearance; null without pieces",
  ),
  mean_acceleration_g: number("over the time"),
  max_acceleration_g: number("of a piece"),
  comfort: z.enum(comforts).nullable().describe("of the worst piece"),
  mean_ratio: number("the nearest limit of each piece, as value over limit, mean over the time"),
  motor_s: z.number(),
  held_s: z.number(),
  no_forecast_s: z.number().describe("without a known wind"),
  no_sea_data_s: z.number().describe("with a known wind, but waves or currents unknown"),
  over_limits_s: z
    .partialRecord(z.enum(limitNames), z.number())
    .describe("time beyond each limit that is looked at, but that of storms"),
});

const instant = z.string().nullable();

/** A gate at which the vessel arrives, in route order. */
const passedGate = z.strictObject({
  waypoint: z.int().describe("position in the route, from 0"),
  gate: gateForm,
  station: z.string().describe("its name"),
  eta: instant.describe("when the vessel comes to it; null where it does not"),
  holds: z
    .boolean()
    .nullable()
    .describe(
      "whether it is open when the vessel passes, after waiting, to the minute; null without an ETA, and where that is not predicted",
    ),
  waited_s: z.number().describe("time that the vessel waits before it"),
  height_m: number(
    "of the tide in the minute of the ETA above the gate's datum; of a gate of a height rounded up where it is open, else down; null of a stream",
  ),
  speed_kt: number("of the stream at the ETA; null of a tide"),
  direction_deg: number("of the stream, TO"),
  nearest: instant.describe("the high water, of a stream the slack water, that is nearest to the ETA"),
  window: z
    .strictObject({ from: instant, to: instant })
    .nullable()
    .describe(
      "when the gate is open around the ETA, else next; an end is null where it lies beyond the prediction, which goes on " +
        "for 15 days; the whole is null where it does not open in them",
    ),
});

/** One departure. */
export const passagePlan = z.strictObject({
  departure: z.string(),
  arrival: z.string().nullable().describe("null where the vessel does not arrive"),
  ending: z.enum(endings).describe("held: by current or calm for a day; too_slow: it needs too many pieces"),
  end: passing.describe("where and when the plan ends"),
  no_forecast_from: z
    .string()
    .nullable()
    .describe("when the wind is first not known; what is not known is not judged"),
  verdict: z
    .enum(verdicts)
    .describe(
      "NO: legs cross more than 2 n mi of land in all, a gate is missed, beyond a limit, or the vessel cannot make way; CAUTION: a leg touches " +
        "land, the route is nearer to the coast than 1 n mi as near_coast says, from 80 % of a limit, or something is unknown, of the sea a tenth of the time",
    ),
  deciding: z
    .strictObject({
      by: z.enum([...limitNames, ...causes]),
      text: z.string().optional().describe("the same as a sentence in English"),
      value: number(
        "of the quantity, in the unit of the limit's name; of no_sea_data the share of the time, of near_coast n mi",
      ),
      limit: number("in force"),
      ratio: number("value over limit, of distances limit over value; at most 10"),
      leg: z.int().optional().describe("of crosses_land and near_coast: position of the leg, from 0"),
      gate: z.int().optional().describe("of gate_missed: position in gates, from 0"),
      piece: z.int().nullable(),
      at: passing,
    })
    .nullable(),
  arrival_sun_deg: number("altitude of the sun at arrival"),
  arrival_light: z.enum(lights).nullable(),
  totals: passageTotals,
  gates: z.array(passedGate).optional().describe("absent where the route has none"),
  storms: z
    .strictObject({
      results: stormApproachResponse.shape.results,
      without_forecast: stormApproachResponse.shape.without_forecast,
    })
    .optional()
    .describe("as POST /storms/approach; absent where storms were not asked for"),
  near_coast: z
    .strictObject({
      leg: z.int().describe("position of the leg, from 0"),
      distance_nm: z.number().describe("to the tenth below"),
      at: passing,
    })
    .optional()
    .describe(
      "where and when the route is nearest to the coast of 1:10 million, if that is nearer than 1 n mi, more than 5 n mi from its ends and " +
        "not in a narrow: there, on the line from the nearest coast over the vessel to the coast on the other side, no point is 1 n mi off " +
        "the coast, and the route does not turn back in it; absent where it keeps off",
    ),
  pieces: z.array(passagePiece).optional(),
});

export type PassagePlan = z.infer<typeof passagePlan>;
export type PassagePiece = z.infer<typeof passagePiece>;

/** Second plan minus the first; null where one of the two values is unknown. */
const difference = z.strictObject({
  duration_s: z.number(),
  distance_nm: z.number(),
  over_limits_s: z.number().describe("time beyond any limit"),
  max_wind_kt: number("worst true wind"),
  max_gust_kt: number("worst gust"),
  max_height_m: number("worst sea"),
  max_acceleration_g: number("worst piece"),
  motor_s: z.number(),
});

const betterRoute = z.strictObject({
  objective: z.enum(objectives),
  origin: z
    .enum(origins)
    .describe(
      "own: nothing better than the own route was found; wait: the own route, which waits before a gate; shortest: the shortest way by water; search: found by isochrones",
    ),
  keeps_limits: z
    .boolean()
    .describe("false: no route within the limits was found, and this is the least bad"),
  over_limits_s: z
    .strictObject({ own: z.number(), better: z.number() })
    .describe("time beyond any limit, that of storms included"),
  weighted_over_limits_s: z
    .strictObject({ own: z.number(), better: z.number() })
    .describe(
      "time beyond the limits, each piece times the square of how many times one is exceeded, at most 16; of storms 1 from " +
        "the least distance to 4 at the edge of the danger area of that time and 36 in its centre. Of fastest: storms alone",
    ),
  own_crosses_land: z.boolean().describe("on the coast of 1:10 million that the map shows"),
  route: z
    .array(
      z.strictObject({
        latitude: z.number(),
        longitude: z.number(),
        leg: z.enum(legKinds),
        gate: gateForm.optional(),
      }),
    )
    .describe("waypoints, as POST /passages/evaluate takes them"),
  distance_nm: z.number(),
  difference: difference.describe("the better plan less the own one"),
  text: z.string().describe("the difference in words, in English"),
});

export type BetterRoute = z.infer<typeof betterRoute>;

const onLeg = z.strictObject({
  leg: z.int().describe("position of the leg, from 0"),
  latitude: z.number(),
  longitude: z.number(),
});

const order = z.array(z.int()).describe("positions in results, best first");

export const passageMeta = z.strictObject({
  distance_nm: z.number(),
  legs: z.array(
    z.strictObject({
      kind: z.enum(legKinds),
      distance_nm: z.number(),
      course_deg: number("at its start; null for a leg of no length"),
      final_course_deg: number("at its end"),
    }),
  ),
  crosses_land: z
    .array(onLeg.extend({ land_nm: z.number().describe("length over land; 0 where it is only touched") }))
    .describe("legs that cross land, 2 n mi around both ends left out, and where each first does"),
  gates: z
    .array(
      z.strictObject({
        waypoint: z
          .int()
          .describe("position in the route, from 0; of POST /passages/optimise in the own one"),
        station: z.strictObject({
          id: z.string(),
          kind: z.enum(tideKinds),
          name: z.string(),
          latitude: z.number(),
          longitude: z.number(),
        }),
        datum: z.string().nullable().describe("level that heights are above; null of a stream"),
        attribution: z.string(),
      }),
    )
    .optional()
    .describe("stations of the gates of the route, in the order of the gates of a plan"),
  nearest_coast: onLeg
    .extend({ distance_nm: z.number() })
    .nullable()
    .describe(
      "where the route is nearest to the coast of 1:10 million, more than 5 n mi from its ends; null where it keeps 3 n mi off",
    ),
  typical_speed_kt: z.number().describe("where the weather is not known"),
  motor_table: z
    .strictObject({
      heights_m: z.array(z.number()),
      head_kt: z.array(z.number()),
      bow_kt: z.array(z.number()),
      quarter_kt: z.array(z.number()),
      following_kt: z.array(z.number()),
    })
    .optional()
    .describe("in force"),
  limits: z
    .record(z.enum(limitNames), z.number().nullable())
    .describe("in force, those of the request and the defaults"),
  order: z.strictObject({ fastest: order, smoothest: order, balanced: order }),
  departures: z.array(
    z.strictObject({
      departure: z.string(),
      verdict: z.enum(verdicts),
      duration_s: z.number(),
      mean_ratio: z.number().nullable(),
      is_whole: z.boolean().describe("it arrives, and the wind is known all the way"),
    }),
  ),
  provenance: pointMeta.shape.provenance,
  knowledge: z.array(z.string()).describe("what the plans do not know, in words"),
  better: betterRoute
    .optional()
    .describe(
      "of POST /passages/optimise only: what the second plan is; the legs and gates above are those of the first",
    ),
});

export type PassageMeta = z.infer<typeof passageMeta>;

/** Answer of POST /passages/evaluate. */
export const passageResponse = z.object({
  task_id: z.string(),
  status: z.literal("SUCCESS"),
  result: z.object({
    results: z.array(passagePlan).describe("one a departure, in the order of time"),
    execution_time: z.string().meta({ example: "0.123 seconds" }),
    meta: passageMeta,
  }),
});

import { z } from "zod";
import { variableNames } from "#lib/catalog/variables.ts";
import { limitNames, objectives, origins } from "#lib/passage/limits.ts";
import { endings } from "#lib/passage/march.ts";
import { lights } from "#lib/passage/piece-state.ts";
import { legKinds } from "#lib/passage/route.ts";
import { causes, comforts, sayings, unknownReasons, verdicts } from "#lib/passage/verdict.ts";
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
  leg: z.int().describe("Position of the leg, from 0"),
  start: passing.describe("Place and time at which the piece begins"),
  at: passing.describe(
    "Middle of the piece, at whose place and time the weather is read; POST /MetOcean returns the same conditions there",
  ),
  elapsed_s: z.number().describe("Time from the departure to the start of the piece, seconds"),
  duration_s: z.number().describe("Duration of the piece, seconds; at most 1800"),
  distance_nm: z
    .number()
    .describe("Length of the piece, nautical miles; at most 10; 0 while the vessel is held"),
  to_go_nm: z
    .number()
    .describe("Distance to the end of the route from the start of the piece, nautical miles"),
  course_deg: z.number().describe("Course over ground, degrees, TO"),
  heading_deg: number("Heading, degrees; null while the vessel is held"),
  sog_kt: z
    .number()
    .describe("Speed over ground, knots; while tacking or gybing the speed made good along the course"),
  stw_kt: z.number().describe("Speed through the water, knots"),
  mode: z
    .enum(modes)
    .describe("held: the vessel waits for half an hour because of current, wind or sea, or before a gate"),
  wind_kt: number("True wind, knots"),
  wind_angle_deg: number("Angle of the true wind off the bow, −180 to 180 degrees, positive to starboard"),
  apparent_wind_kt: number("Apparent wind, knots"),
  apparent_wind_angle_deg: number(
    "Angle of the apparent wind off the bow, −180 to 180 degrees, positive to starboard",
  ),
  gust_kt: number("Gusts, knots"),
  wave_angle_deg: number(
    "Angle off the bow from which the waves come, −180 to 180 degrees, positive to starboard",
  ),
  encounter_period_s: number(
    "Encounter period, seconds; negative if the vessel overtakes the waves, null if it moves with them",
  ),
  acceleration_g: number(
    "RMS vertical acceleration of a craft that follows the surface, on the worse tack, g; an upper bound for long ships",
  ),
  comfort: z
    .enum(comforts)
    .nullable()
    .describe(
      "uncomfortable from 0.1 g, severe from 0.2 g, dangerous from a wind of 48 kt (Beaufort 10) or a significant wave height of 6 m (sea state 7)",
    ),
  swell_angle_deg: number(
    "Angle off the bow from which the swell comes, −180 to 180 degrees, positive to starboard",
  ),
  swell_encounter_period_s: number("Encounter period of the swell, seconds; signs as in encounter_period_s"),
  swell_acceleration_g: number("RMS vertical acceleration by the swell alone, g"),
  current_along_kt: number("Current along the course, knots; negative against the vessel"),
  current_across_kt: number("Current across the course, knots; positive to starboard"),
  nearest_limit: z
    .strictObject({ limit: z.enum(limitNames), ratio: z.number() })
    .nullable()
    .describe("The limit that is nearest, or exceeded most; null if no value is known"),
  flags: z
    .array(z.enum(pieceFlags))
    .describe(
      "States of the vessel and warnings. near_coast: a part of the piece is near the coast, as near_coast of the plan defines it, or on land",
    ),
  conditions,
});

export const passageTotals = z.strictObject({
  distance_nm: z.number(),
  duration_s: z.number(),
  speed_kt: number("Mean speed over ground, knots"),
  mean_wind_kt: number("Mean true wind, by time, knots"),
  max_wind_kt: number("Highest true wind, knots"),
  max_gust_kt: number("Highest gust, knots"),
  max_height_m: number("Highest significant wave height, metres"),
  min_depth_m: number(
    "Least depth below mean sea level at the middles of the pieces, from a coarse grid, metres. Shoals between them are not seen, " +
      "and it is not a clearance; null without pieces",
  ),
  mean_acceleration_g: number("Mean acceleration, by time, g"),
  max_acceleration_g: number("Highest acceleration of a piece, g"),
  comfort: z.enum(comforts).nullable().describe("Comfort of the worst piece"),
  mean_ratio: number("Mean, by time, of the ratio of value to limit, for the nearest limit of each piece"),
  motor_s: z.number().describe("Time under motor, seconds: the hours of the engine"),
  fuel_l: z.number().optional().describe("Fuel, litres; absent without vessel.fuel in litres per hour"),
  fuel_t: z.number().optional().describe("Fuel, tonnes; absent without vessel.fuel in tonnes per day"),
  co2_t: z.number().optional().describe("CO₂, tonnes; absent without vessel.fuel.co2_factor"),
  held_s: z.number(),
  no_forecast_s: z.number().describe("Time without a known wind, seconds"),
  no_sea_data_s: z.number().describe("Time with a known wind but unknown waves or currents, seconds"),
  over_limits_s: z
    .partialRecord(z.enum(limitNames), z.number())
    .describe("Time beyond each checked limit except that on storms, seconds"),
});

const instant = z.string().nullable();

/** A gate at which the vessel arrives, in route order. */
const passedGate = z.strictObject({
  waypoint: z.int().describe("Position of the waypoint in the route, from 0"),
  gate: gateForm,
  station: z.string().describe("Name of the station"),
  eta: instant.describe("Time at which the vessel arrives at the gate; null if it does not"),
  holds: z
    .boolean()
    .nullable()
    .describe(
      "true if the gate is open when the vessel passes it, after waiting, to the minute; null without an ETA, and if that time is not predicted",
    ),
  waited_s: z.number().describe("Time that the vessel waits before the gate, seconds"),
  height_m: number(
    "Height of the tide above the datum of the gate in the minute of the ETA, metres; at a gate of kind height rounded up if it is open, otherwise down; null for a stream",
  ),
  speed_kt: number("Speed of the stream at the ETA, knots; null for a tide"),
  direction_deg: number("Direction of the stream, degrees, TO"),
  nearest: instant.describe("High water, or for a stream slack water, that is nearest to the ETA"),
  window: z
    .strictObject({ from: instant, to: instant })
    .nullable()
    .describe(
      "Time in which the gate is open around the ETA, or otherwise next. An end is null if it is beyond the prediction, which covers " +
        "15 days; the window is null if the gate does not open in them",
    ),
});

/** One departure. */
export const passagePlan = z.strictObject({
  model: z
    .string()
    .optional()
    .describe("Model of the request that this plan is of; absent where none is named"),
  departure: z.string(),
  arrival: z.string().nullable().describe("Time of arrival; null if the vessel does not arrive"),
  ending: z
    .enum(endings)
    .describe(
      "How the plan ends. held: current, sea or calm holds the vessel for a day; too_slow: the passage needs too many pieces",
    ),
  end: passing.describe("Place and time at which the plan ends"),
  no_forecast_from: z
    .string()
    .nullable()
    .describe("First time at which the wind is not known; unknown values are not judged"),
  verdict: z
    .enum(verdicts)
    .describe(
      "NO: legs cross more than 2 n mi of land in all, a gate is missed, the vessel does not arrive as arrive asks, a limit, also that of fuel, is exceeded, or the vessel cannot make way. CAUTION: a leg touches " +
        "land, the route is nearer than 1 n mi to the coast (near_coast), a value reaches 80 % of its limit, the ship may roll, the forecast ends on the way, " +
        "waves or currents are unknown for more than a tenth of the time, or a storm near the departure has no forecast",
    ),
  deciding: z
    .strictObject({
      by: z.enum([...limitNames, ...causes]),
      text: z.string().optional().describe("What decided, as an English sentence"),
      value: number(
        "Value of the quantity, in the unit that is part of the name of the limit; for no_sea_data the share of the time, for near_coast nautical miles, for fuel litres or tonnes",
      ),
      limit: number("Limit in force"),
      ratio: number("Value divided by limit, for distances limit divided by value; at most 10"),
      leg: z.int().optional().describe("For crosses_land and near_coast: position of the leg, from 0"),
      gate: z.int().optional().describe("For gate_missed: position in gates, from 0"),
      piece: z.int().nullable(),
      at: passing,
    })
    .nullable(),
  arrival_sun_deg: number("Altitude of the sun at arrival, degrees"),
  arrival_light: z.enum(lights).nullable(),
  totals: passageTotals,
  gates: z
    .array(passedGate)
    .optional()
    .describe("Gates of the route, and last that of arrive.high_water; absent if there are none"),
  storms: z
    .strictObject({
      results: stormApproachResponse.shape.results,
      without_forecast: stormApproachResponse.shape.without_forecast,
    })
    .optional()
    .describe("Storms in the form of POST /storms/approach; absent if storms were not requested"),
  arrive: z
    .strictObject({
      meets: z.boolean().describe("true if the vessel arrives as asked, in the hours of high water too"),
      spare_s: number("Time from the arrival to arrive.by, seconds; negative if the vessel is late"),
      sunrise: instant.describe(
        "Next sunrise at the last waypoint; null if there is none within a day of the arrival",
      ),
      sunset: instant.describe(
        "Next sunset at the last waypoint; null if there is none within a day of the arrival",
      ),
    })
    .optional()
    .describe("How the vessel arrives, compared with arrive of the request; absent without it"),
  near_coast: z
    .strictObject({
      leg: z.int().describe("Position of the leg, from 0"),
      distance_nm: z.number().describe("Distance from the coast, nautical miles, rounded down to a tenth"),
      at: passing,
    })
    .optional()
    .describe(
      "Place and time at which the route is nearest to the coast of the map, if that is less than 1 n mi, more than 5 n mi from its ends and " +
        "not in a narrow. In a narrow no point on the line from the nearest coast through the vessel to the opposite coast is 1.1 n mi off " +
        "the coast, and the route does not turn back in it. Absent if the route keeps clear",
    ),
  pieces: z.array(passagePiece).optional(),
});

export type PassagePlan = z.infer<typeof passagePlan>;
export type PassagePiece = z.infer<typeof passagePiece>;

/** Second plan minus the first; null where one of the two values is unknown. */
const difference = z.strictObject({
  duration_s: z.number(),
  distance_nm: z.number(),
  over_limits_s: z.number().describe("Difference of the time beyond any limit, seconds"),
  max_wind_kt: number("Difference of the highest true wind, knots"),
  max_gust_kt: number("Difference of the highest gust, knots"),
  max_height_m: number("Difference of the highest significant wave height, metres"),
  max_acceleration_g: number("Difference of the highest acceleration, g"),
  motor_s: z.number(),
  fuel_l: z.number().optional().describe("Difference of the fuel, litres"),
  fuel_t: z.number().optional().describe("Difference of the fuel, tonnes"),
  co2_t: z.number().optional().describe("Difference of the CO₂, tonnes"),
});

const betterRoute = z.strictObject({
  objective: z.enum(objectives),
  origin: z
    .enum(origins)
    .describe(
      "own: nothing better than your own route was found; wait: your own route, waiting before a gate; shortest: the shortest way by water; search: found by isochrones",
    ),
  keeps_limits: z
    .boolean()
    .describe("false: no route within the limits was found, and this is the best of the others"),
  over_limits_s: z
    .strictObject({ own: z.number(), better: z.number() })
    .describe("Time beyond any limit, that on storms included, seconds"),
  weighted_over_limits_s: z
    .strictObject({ own: z.number(), better: z.number() })
    .describe(
      "Time beyond the limits, seconds, in which each piece is weighted by the square of the ratio by which a limit is exceeded, at most 16. The weight of storms grows from 1 at " +
        "the least distance to 4 at the edge of the danger area of that time and 36 in its centre. For fastest only storms count",
    ),
  own_crosses_land: z
    .boolean()
    .describe("true if your own route crosses land, by the coast that the map shows"),
  route: z
    .array(
      z.strictObject({
        latitude: z.number(),
        longitude: z.number(),
        leg: z.enum(legKinds),
        gate: gateForm.optional(),
      }),
    )
    .describe("Waypoints of the better route, in the form of POST /passages/evaluate"),
  distance_nm: z.number(),
  difference: difference.describe("The better plan minus your own"),
  text: z.string().describe("The difference as an English sentence"),
});

export type BetterRoute = z.infer<typeof betterRoute>;

const modelVerdict = z.strictObject({
  model: z.string(),
  says: z
    .enum(sayings)
    .describe(
      "Verdict of the model's plan. cannot_say: the verdict is not NO, and the model does not know all that the limits need, as unknown lists",
    ),
  arrival: z.string().nullable().describe("Time of arrival; null if the vessel does not arrive"),
  max_wind_kt: number("Highest true wind, knots"),
  max_gust_kt: number("Highest gust, knots"),
  max_height_m: number("Highest significant wave height, metres"),
  by: z
    .enum([...limitNames, ...causes])
    .nullable()
    .describe("What decided the verdict of the plan, as in deciding"),
  text: z.string().nullable().describe("What decided, as an English sentence"),
  leg: z.int().nullable().describe("Position of the leg of what decided, from 0; null if it concerns none"),
  at: passing.nullable().describe("Place and time of what decided"),
  unknown: z
    .array(
      z.strictObject({
        variable: z.enum(variableNames),
        limits: z.array(z.enum(limitNames)).describe("Checked limits that need the variable"),
        why: z
          .enum(unknownReasons)
          .describe(
            "lacks: the model has it nowhere on the way; ends: its forecast ends on the way; outside: a part of the way is outside its area; " +
              "gaps: it has no value for more than a tenth of the time",
          ),
        from: z.string().nullable().describe("First time at which it is unknown; null for lacks"),
      }),
    )
    .describe("The wind, and what the limits need, where the model does not know it"),
});

export type ModelVerdict = z.infer<typeof modelVerdict>;

const modelsAtDeparture = z.strictObject({
  departure: z.string(),
  agreed: z
    .enum(verdicts)
    .nullable()
    .describe("The verdict of all models; null if they differ, or if one of them cannot say"),
  text: z.string().describe("Whether the models agree, or who differs, where and when, as English sentences"),
  models: z.array(modelVerdict).describe("In the order of the request"),
});

export type ModelsAtDeparture = z.infer<typeof modelsAtDeparture>;

const counts = {
  keep: z.int().describe("How many members keep the limits"),
  break: z.int().describe("How many members do not"),
  not_known: z
    .int()
    .describe(
      "How many members are neither, because their forecast, or something that the limits need, ends or lacks",
    ),
};

const firstBreak = {
  leg: z.int().nullable().describe("Position of its leg, from 0; null if it concerns none"),
};

const memberOutcome = z.strictObject({
  member: z.int().describe("CF realization, 0 = control"),
  keeps: z
    .boolean()
    .nullable()
    .describe(
      "false: the plan of the member has the verdict NO; true: it has not, and it knows all that the limits need until it arrives; null: not known",
    ),
  arrival: z
    .string()
    .nullable()
    .describe("Time of arrival; null if the vessel does not arrive while the wind of the member is known"),
  ending: z
    .enum([...endings, "forecast_ends"])
    .describe("As in a plan; forecast_ends: the wind is not known all the way"),
  by: z
    .enum([...limitNames, ...causes])
    .nullable()
    .describe("What goes wrong first; null if nothing does"),
  ...firstBreak,
  at: passing.nullable().describe("Place and time of it"),
  broken_legs: z
    .array(z.int())
    .describe("Positions of the legs on which the member does not keep the limits"),
  known_legs: z
    .int()
    .describe("How many legs, from the first one on, are sailed with all that the limits need"),
  max_wind_kt: number("Highest true wind, knots"),
  max_gust_kt: number("Highest gust, knots"),
  max_height_m: number("Highest significant wave height, metres"),
  max_ratio: number("Highest ratio of a value to its limit, at most 10"),
});

export type MemberOutcome = z.infer<typeof memberOutcome>;

const membersAtDeparture = z.strictObject({
  departure: z.string(),
  ...counts,
  arrival: z
    .strictObject({
      members: z
        .int()
        .describe("How many members arrive while their wind is known; the times are those of these"),
      early: z.string().nullable().describe("10 % of them arrive before"),
      likely: z.string().nullable().describe("Half of them arrive before"),
      late: z.string().nullable().describe("90 % of them arrive before"),
      forecast_ends: z.int().describe("How many members do not know the wind all the way"),
      never: z.int().describe("How many members hold the vessel, or are too slow"),
    })
    .describe("Percentiles are linear between members, as in POST /MetOcean/ensemble"),
  legs: z
    .array(z.strictObject(counts))
    .describe(
      "The same counts for each leg alone; no leg has fewer members that keep the limits than the passage",
    ),
  causes: z
    .array(
      z.strictObject({
        by: z.enum([...limitNames, ...causes]),
        members: z.int().describe("In how many members it goes wrong first"),
        ...firstBreak,
        at: passing.describe("Place and time of the member in which it happens earliest"),
      }),
    )
    .describe("What goes wrong first in the members that do not keep the limits, most members first"),
  worst: z
    .strictObject({
      max_wind_kt: number("Highest true wind of any member, knots"),
      max_gust_kt: number("Highest gust of any member, knots"),
      max_height_m: number("Highest significant wave height of any member, metres"),
      max_ratio: number("Highest ratio of a value to its limit in any member"),
      member: z.int().nullable().describe("The member with this ratio"),
    })
    .describe("The worst case"),
  text: z.string().describe("The counts as English sentences"),
  by_member: z.array(memberOutcome).describe("What each member gives, each planned alone"),
});

export type MembersAtDeparture = z.infer<typeof membersAtDeparture>;

const memberOrder = z.array(z.int()).describe("Positions in departures, best first");

export const passageEnsemble = z.strictObject({
  ensemble: z.string(),
  members: z.array(z.int()).describe("Realization numbers of the members that planned, 0 = control"),
  size: z.int().describe("How many members the publisher makes; those that are missing or late did not plan"),
  unjudged_limits: z
    .array(z.enum(limitNames))
    .describe(
      "Checked limits that the members do not judge, because the ensemble lacks a variable that they need",
    ),
  runs: z
    .array(
      z.strictObject({
        run: z.string(),
        source: z.string(),
        model: z.string(),
        reference_time: z.string(),
        members: z.array(z.int()).describe("Members whose wind came from this run"),
        synthetic: z.literal(true).optional(),
      }),
    )
    .describe(
      "More than one if members of the newest run are late, or its forecast ends before that of an earlier one",
    ),
  departures: z
    .array(membersAtDeparture)
    .describe("In the order of time; for POST /passages/optimise of your own route"),
  order: z.strictObject({
    share: memberOrder.describe(
      "Most members that keep the limits first, then fewest that do not, then the likely duration",
    ),
    worst: memberOrder.describe(
      "Best worst case first: the ratio to a limit, wind and sea of the member in which they are highest; last those of which not all members arrive within the forecast",
    ),
    time: memberOrder.describe(
      "Shortest likely duration first; last those of which not more than half of the members arrive within the forecast",
    ),
  }),
  better: membersAtDeparture
    .optional()
    .describe("Only of POST /passages/optimise: the members on the better route"),
  caution: z.string().describe("What the counts are not"),
});

export type PassageEnsemble = z.infer<typeof passageEnsemble>;

const onLeg = z.strictObject({
  leg: z.int().describe("Position of the leg, from 0"),
  latitude: z.number(),
  longitude: z.number(),
});

const order = z
  .array(z.int())
  .describe(
    "Positions in results, best first; where models are named, those of the first model, then of the next",
  );

export const passageMeta = z.strictObject({
  distance_nm: z.number(),
  legs: z.array(
    z.strictObject({
      kind: z.enum(legKinds),
      distance_nm: z.number(),
      course_deg: number("Course at the start of the leg, degrees; null for a leg without length"),
      final_course_deg: number("Course at the end of the leg, degrees"),
    }),
  ),
  crosses_land: z
    .array(
      onLeg.extend({
        land_nm: z.number().describe("Length over land, nautical miles; 0 if land is only touched"),
      }),
    )
    .describe(
      "Legs that cross land, and the place where each first does; the 2 n mi around both ends of the route are left out",
    ),
  gates: z
    .array(
      z.strictObject({
        waypoint: z
          .int()
          .describe(
            "Position of the waypoint in the route, from 0; for POST /passages/optimise in your own route",
          ),
        station: z.strictObject({
          id: z.string(),
          kind: z.enum(tideKinds),
          name: z.string(),
          latitude: z.number(),
          longitude: z.number(),
        }),
        water_km: z
          .number()
          .optional()
          .describe(
            "For a station that the service chose for arrive.high_water: its distance from the last waypoint by water, kilometres",
          ),
        datum: z.string().nullable().describe("Datum of heights; null for a stream"),
        attribution: z.string(),
      }),
    )
    .optional()
    .describe("Stations of the gates, in the order of gates of a plan"),
  nearest_coast: onLeg
    .extend({ distance_nm: z.number() })
    .nullable()
    .describe(
      "Place at which the route is nearest to the coast of the map, more than 5 n mi from its ends; null if it keeps 3 n mi off",
    ),
  typical_speed_kt: z.number().describe("Speed where the weather is not known, knots"),
  motor_table: z
    .strictObject({
      heights_m: z.array(z.number()),
      head_kt: z.array(z.number()),
      bow_kt: z.array(z.number()),
      quarter_kt: z.array(z.number()),
      following_kt: z.array(z.number()),
    })
    .optional()
    .describe("Motor table in force"),
  limits: z
    .record(z.enum(limitNames), z.number().nullable())
    .describe("Limits in force: those of the request and the defaults"),
  order: z.strictObject({
    fastest: order,
    smoothest: order,
    balanced: order,
    latest: order.describe("Positions in results by verdict, the latest departure first"),
  }),
  departures: z.array(
    z.strictObject({
      model: z.string().optional().describe("Model of the request; absent where none is named"),
      departure: z.string(),
      verdict: z.enum(verdicts),
      duration_s: z.number(),
      mean_ratio: z.number().nullable(),
      is_whole: z.boolean().describe("true if the vessel arrives and the wind is known all the way"),
    }),
  ),
  provenance: pointMeta.shape.provenance,
  knowledge: z.array(z.string()).describe("What the plans do not know, as English sentences"),
  better: betterRoute
    .optional()
    .describe(
      "Only of POST /passages/optimise without models: description of the second plan; the legs and gates above are those of the first",
    ),
  comparison: z
    .array(modelsAtDeparture)
    .optional()
    .describe(
      "The verdicts of the models beside each other, for each departure; for POST /passages/optimise of your own route. Absent where no model is named",
    ),
  ensemble: passageEnsemble
    .optional()
    .describe("The passage through the members of the ensemble that the request names"),
  routes: z
    .array(
      betterRoute.extend({
        model: z.string().describe("Model in which the route was searched"),
        checked: modelsAtDeparture.describe("What each model says about this route"),
      }),
    )
    .optional()
    .describe(
      "Only of POST /passages/optimise with models: the better route of each model, checked on all of them",
    ),
});

export type PassageMeta = z.infer<typeof passageMeta>;

/** Answer of POST /passages/evaluate. */
export const passageResponse = z.object({
  task_id: z.string(),
  status: z.literal("SUCCESS"),
  result: z.object({
    results: z
      .array(passagePlan)
      .describe(
        "One plan for each departure, in the order of time; where models are named, those of the first model, then of the next",
      ),
    execution_time: z.string().meta({ example: "0.123 seconds" }),
    meta: passageMeta,
  }),
});

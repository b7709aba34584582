import { dangerMethods, stormProviders } from "@open-metocean/storms/providers";
import { z } from "zod";
import { fuelProblem, fuelUnits } from "#lib/passage/fuel.ts";
import { daylights, limitNames, limitTitles, objectives } from "#lib/passage/limits.ts";
import { genericPolars, MAX_POLAR_CHARACTERS, PolarError, readPolar, waveSides } from "#lib/passage/polar.ts";
import { legKinds } from "#lib/passage/route.ts";
import { NEAR_KM } from "#lib/tides/limits.ts";
import { HOUR_S, parseInstant } from "#lib/time.ts";
import { latitude, longitude, modelName, modelNames, taskOptions, utcInstant } from "./point.ts";

/**
 * Limits of requests. `places` counts departures × pieces of the route at the vessel's typical speed, plus a
 * day of waiting before each gate at which the vessel may wait; with an ensemble that times its members, and once more. Above `sync` the request must be a task,
 * above `async` it must be split. `rows` limits requests that ask for the pieces themselves.
 */
export const passageLimits = {
  waypoints: 500,
  departures: 250,
  gates: 20,
  /** Longest time that a route with gates may take, days, because the tides are predicted for all of it. */
  gate_days: 300,
  places: { sync: 20_000, async: 200_000, rows: 20_000 },
  /** Most places of a task with an ensemble, those of its members included. */
  members: 1_000_000,
} as const;

/** A waypoint of a route. */
export const waypointForm = z.object({
  latitude,
  longitude,
  leg: z
    .enum(legKinds)
    .default("great_circle")
    .describe("How the waypoint is reached; ignored for the first one"),
});

const gate = {
  station: z.string().min(1).max(100).describe("Id of a station of GET /tides/stations"),
  name: z.string().max(100).optional().describe("Name that the caller gives the station; it is not used"),
  wait: z
    .boolean()
    .default(false)
    .describe("true: the vessel waits before a closed gate until it opens, for at most 24 h"),
};

const fromHighWater = (what: string) =>
  z.number().min(-12).max(12).describe(`${what}, hours after high water; negative means before it`);

const opensFirst = ({ from_h, to_h }: { from_h: number; to_h: number }) => from_h <= to_h;

const opensLast = { path: ["to_h"], error: "The gate should not close before it opens" };

/** The condition under which a waypoint may be passed, by the prediction of a tide station. */
export const gateForm = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("height").describe("The gate is open while the height of the tide is at least min_m"),
    ...gate,
    min_m: z.number().min(-20).max(30).describe("Least height of the tide above the datum, metres"),
    datum: z
      .string()
      .max(20)
      .optional()
      .describe("One of the datums of the station; default: its chart datum"),
  }),
  z.strictObject({
    kind: z.literal("slack").describe("The gate is open around slack water of a stream station"),
    ...gate,
    within_h: z
      .number()
      .min(0)
      .max(6)
      .describe("Hours before and after slack water in which the gate is open"),
  }),
  z
    .strictObject({
      kind: z.literal("high_water").describe("The gate is open around high water of a tide station"),
      ...gate,
      from_h: fromHighWater("Time at which the gate opens"),
      to_h: fromHighWater("Time at which the gate closes"),
    })
    .refine(opensFirst, opensLast),
]);

export type GateForm = z.output<typeof gateForm>;

const passageWaypoint = waypointForm.extend({
  gate: gateForm
    .optional()
    .describe(
      "The waypoint may be passed only while the gate is open; a plan that misses it has the verdict NO and states when it opens next",
    ),
});

const sweep = z.object({
  from: utcInstant.describe("First departure, UTC"),
  to: utcInstant.describe("End of the departures, included, UTC"),
  step_hours: z.int().min(1).max(24),
});

const knots = () => z.number().min(0).max(100);

const heightsAndSpeeds = z.object({
  heights_m: z
    .array(z.number().min(0).max(30))
    .min(2)
    .max(30)
    .describe("Significant wave heights, ascending from 0, metres"),
  ...(Object.fromEntries(
    waveSides.map((side) => [
      `${side}_kt`,
      z.array(knots()).min(2).max(30).describe("Speeds at these heights, knots"),
    ]),
  ) as Record<`${(typeof waveSides)[number]}_kt`, z.ZodArray<z.ZodNumber>>),
});

const rate = z.number().min(0).max(10_000).describe("Consumption in unit");
const rpm = z.number().min(0).max(10_000).describe("Revolutions of the engine a minute");
const speed = knots().describe("Speed through the water under motor, knots");

/** Consumption of a vessel. Unknown names are refused, as in limits. Rules between its fields are in `passageRequest`. */
export const fuelForm = z.strictObject({
  unit: z
    .enum(fuelUnits)
    .default("l_h")
    .describe(
      "Unit of the rates: l_h litres per hour; t_day tonnes per day, for ships. Fuel is in litres or in tonnes",
    ),
  curve: z
    .array(z.strictObject({ speed_kt: speed, rate }))
    .min(1)
    .max(50)
    .optional()
    .describe(
      "Consumption by speed, ascending; linear in between, below the first speed that of the first. It has to reach the speed under motor. Give either curve or both rpm_speed and rpm_rate",
    ),
  rpm_speed: z
    .array(z.strictObject({ rpm, speed_kt: speed }))
    .min(2)
    .max(50)
    .optional()
    .describe("Speed by revolutions, both ascending; linear in between"),
  rpm_rate: z
    .array(z.strictObject({ rpm, rate }))
    .min(2)
    .max(50)
    .optional()
    .describe("Consumption by revolutions, ascending; linear in between"),
  limit: z
    .number()
    .min(0)
    .max(1_000_000)
    .optional()
    .describe(
      "Most fuel that the passage may take, litres or tonnes: beyond it the verdict is NO, from 80 % of it CAUTION",
    ),
  co2_factor: z
    .number()
    .min(0)
    .max(10)
    .optional()
    .describe(
      "Emission factor: kilograms of CO₂ for a litre of fuel, or tonnes for a tonne; adds co2_t to the totals",
    ),
});

/** A vessel. Rules between its fields are in `passageRequest`. */
export const vesselForm = z.object({
  kind: z.enum(["fixed", "motor", "sail"]),
  speed_kt: knots()
    .min(0.5)
    .optional()
    .describe("Speed through the water, knots. fixed: constant; motor: in calm water. Required for both"),
  table: heightsAndSpeeds
    .optional()
    .describe(
      "motor: speed by significant wave height and by the side that waves come from (head 0–45° off the bow, bow 45–90°, quarter 90–135°, " +
        "following 135–180°; linear between the middles of these); default: a typical table",
    ),
  polar: z
    .string()
    .max(MAX_POLAR_CHARACTERS)
    .optional()
    .describe(
      "sail: a polar as text: TWA\\TWS;6;8;10 and then a line for each angle (qtVlm, OpenCPN, ORC), or !Expedition and then a line for each wind speed; give either polar or polar_name",
    ),
  polar_name: z
    .enum(genericPolars)
    .optional()
    .describe("sail: a generic polar of the service; give either polar or polar_name"),
  factor: z
    .number()
    .min(0.1)
    .max(1.5)
    .default(0.9)
    .describe("sail: share of the speed of the polar that the vessel reaches"),
  motor_speed_kt: knots()
    .min(0.5)
    .optional()
    .describe("sail: speed under motor, knots; without it the vessel has no motor"),
  motor_below_kt: knots()
    .default(3)
    .describe("sail: the motor is used where sails would make less speed good than this, knots"),
  roll_period_s: z
    .number()
    .min(1)
    .max(60)
    .optional()
    .describe("Natural roll period, seconds; adds warnings of synchronous rolling"),
  length_m: z
    .number()
    .min(1)
    .max(500)
    .optional()
    .describe("Length of the vessel, metres; adds warnings of parametric rolling"),
  fuel: fuelForm.optional().describe("Consumption under motor; adds fuel to the totals"),
});

/**
 * Unknown names are refused, unlike other unknown fields: a caller would believe that an ignored limit is
 * checked.
 */
export const limitsForm = z.strictObject(
  Object.fromEntries(
    limitNames.map((name) => [
      name,
      z
        .number()
        .min(0)
        .max(10_000)
        .nullable()
        .optional()
        .describe(
          `Limit on ${limitTitles[name]}; null: not checked; default: that of the kind of the vessel`,
        ),
    ]),
  ) as Record<(typeof limitNames)[number], z.ZodOptional<z.ZodNullable<z.ZodNumber>>>,
);

/** Unknown names are refused, as in limits. */
export const arriveForm = z
  .strictObject({
    by: utcInstant.optional().describe("Latest arrival, UTC"),
    daylight: z
      .enum(daylights)
      .optional()
      .describe(
        "arrival: the sun is up at the last waypoint when the vessel arrives, so that it is in before sunset; both_ends: also at the first one when it leaves",
      ),
    high_water: z
      .strictObject({
        station: gate.station
          .optional()
          .describe(
            `Id of a tide station of GET /tides/stations; default: the one that is nearest to the last waypoint by water, within ${NEAR_KM} km`,
          ),
        from_h: fromHighWater("Earliest arrival"),
        to_h: fromHighWater("Latest arrival"),
      })
      .refine(opensFirst, opensLast)
      .optional()
      .describe(
        "The vessel arrives around high water: a gate of kind high_water at the last waypoint, which is the last one in gates of a plan",
      ),
  })
  .refine((wish) => Object.values(wish).some((one) => one !== undefined), {
    error: "Give at least one of by, daylight and high_water",
  });

const aboutModels =
  "Names of models, such as gfs, as in POST /MetOcean; best is the answer without models. Each plans alone, with the values that it has";

const aboutEnsemble =
  "Name of an ensemble, such as gefs: the passage is also planned by each of its members, and meta.ensemble counts those that keep the limits. " +
  "Give either models or ensemble";

function checkEnsemble(
  { models, ensemble }: { models?: unknown; ensemble?: string | undefined },
  issue: Issue,
) {
  if (models !== undefined && ensemble !== undefined) issue(["ensemble"], "Give either models or ensemble");
}

/** Body of POST /passages/evaluate. */
export const passageRequest = z
  .object({
    route: z
      .array(passageWaypoint)
      .min(2)
      .max(passageLimits.waypoints)
      .describe(
        `Waypoints; legs take the shorter way across the antimeridian. At most ${passageLimits.gates} may have a gate`,
      ),
    departure: utcInstant.optional().describe("One departure, UTC; give either departure or departures"),
    departures: sweep
      .optional()
      .describe(`Up to ${passageLimits.departures} departures; give either departures or departure`),
    vessel: vesselForm,
    limits: limitsForm.optional(),
    arrive: arriveForm
      .optional()
      .describe(
        "How the vessel should arrive; a departure that does not arrive so has the verdict NO, and meta.order.latest begins with the latest good one",
      ),
    include_pieces: z
      .boolean()
      .optional()
      .describe("true adds the pieces of each plan; default: true for a single departure, false for several"),
    storms: z
      .enum(stormProviders)
      .optional()
      .describe("Provider of the storms that are checked; default: storms are not checked"),
    storm_method: z
      .enum(dangerMethods)
      .default("classic")
      .describe("How the danger area is made, as in GET /storms/{id}/danger"),
    models: modelNames
      .optional()
      .describe(
        `${aboutModels}. Departures times pieces times models are limited; meta.comparison has the verdicts of the models beside each other`,
      ),
    ensemble: modelName.optional().meta({ example: "gefs" }).describe(aboutEnsemble),
    ...taskOptions,
  })
  .superRefine((request, context) => {
    const issue = (path: (string | number)[], message: string) =>
      context.addIssue({ code: "custom", message, path });
    if ((request.departure === undefined) === (request.departures === undefined))
      issue(["departure"], "Give either departure or departures");
    if (request.departures) checkSweep(request.departures, issue);
    checkEnsemble(request, issue);
    checkVessel(request.vessel, issue);
    checkGates(request.route, issue);
    if (request.route.length > 1 && request.route.every((place) => isSamePosition(place, request.route[0]!)))
      issue(["route"], "The waypoints should not all be at the same place");
  });

export type PassageRequest = z.infer<typeof passageRequest>;

type Issue = (path: (string | number)[], message: string) => void;

function checkSweep({ from, to, step_hours }: NonNullable<PassageRequest["departures"]>, issue: Issue): void {
  const [first, last] = [parseInstant(from), parseInstant(to)];
  if (last < first) issue(["departures", "to"], "The last departure should not be before the first");
  const count = Math.floor((last - first) / (step_hours * HOUR_S)) + 1;
  if (count > passageLimits.departures)
    issue(
      ["departures"],
      `These are ${count} departures, and at most ${passageLimits.departures} are allowed: choose a longer step or a shorter range`,
    );
}

function checkVessel(vessel: PassageRequest["vessel"], issue: Issue): void {
  const { kind, speed_kt, table, polar, polar_name, fuel } = vessel;
  const wrong = fuel && fuelProblem(fuel, fastestUnderMotor(vessel));
  if (wrong) issue(["vessel", "fuel", wrong.field], wrong.text);
  if (kind !== "sail") {
    if (speed_kt === undefined) issue(["vessel", "speed_kt"], `A vessel of the kind ${kind} needs speed_kt`);
    if (kind === "motor" && table) checkTable(table, issue);
    return;
  }
  if ((polar === undefined) === (polar_name === undefined)) {
    issue(["vessel", "polar"], "A vessel of the kind sail needs either polar or polar_name");
    return;
  }
  try {
    if (polar !== undefined) readPolar(polar);
  } catch (error) {
    if (!(error instanceof PolarError)) throw error;
    issue(["vessel", "polar"], error.message);
  }
}

/** The highest speed under motor, kt; 0 without a motor. */
export function fastestUnderMotor({ kind, speed_kt = 0, motor_speed_kt = 0, table }: PlanVessel): number {
  if (kind === "sail") return motor_speed_kt;
  const speeds = kind === "motor" && table ? waveSides.flatMap((side) => table[`${side}_kt`]) : [];
  return Math.max(speed_kt, ...speeds);
}

function checkGates(route: readonly { gate?: GateForm | undefined }[], issue: Issue): void {
  const count = route.filter(({ gate }) => gate).length;
  if (count > passageLimits.gates)
    issue(["route"], `The route has ${count} gates, and at most ${passageLimits.gates} are allowed`);
}

function checkTable(table: NonNullable<PassageRequest["vessel"]["table"]>, issue: Issue): void {
  const { heights_m: heights } = table;
  if (heights[0] !== 0 || heights.some((height, index) => index > 0 && !(height > heights[index - 1]!)))
    issue(["vessel", "table", "heights_m"], "The heights should ascend from 0");
  for (const side of waveSides)
    if (table[`${side}_kt`].length !== heights.length)
      issue(
        ["vessel", "table", `${side}_kt`],
        `There should be ${heights.length} speeds, one for each height`,
      );
}

type Position = { latitude: number; longitude: number };

function isSamePosition(one: Position, other: Position): boolean {
  if (one.latitude !== other.latitude) return false;
  return Math.abs(one.latitude) === 90 || (one.longitude - other.longitude) % 360 === 0;
}

/**
 * Limits of requests. Distance and time are those of the great circle from the first to the last waypoint at
 * the vessel's typical speed; above `sync` the request must be a task. `forecast_share` is the share of that
 * time that has to lie within the archive.
 */
export const optimiseLimits = {
  distance_nm: 6000,
  hours: { sync: 12, async: 1440 },
  forecast_share: 0.25,
  nearest_water_nm: 60,
} as const;

/** Body of POST /passages/optimise. */
export const optimiseRequest = z
  .object({
    route: z
      .array(passageWaypoint)
      .min(2)
      .max(passageLimits.waypoints)
      .describe(
        "Your own route. The better route has the same first and last waypoint, and passes its gates, before which the vessel may wait",
      ),
    departure: utcInstant,
    vessel: vesselForm,
    limits: limitsForm.optional(),
    objective: z
      .enum(objectives)
      .default("within_limits")
      .describe(
        "within_limits: stay within the limits all the way, or else minimise time plus eight times the weighted time beyond them; " +
          "fastest: only the limit on storms counts, the others are shown",
      ),
    include_pieces: z.boolean().default(true).describe("true adds the pieces of both plans"),
    storms: z
      .enum(stormProviders)
      .optional()
      .describe(
        "Provider of the storms that the route keeps clear of, by limits.storm_km; default: storms are not considered",
      ),
    storm_method: z
      .enum(dangerMethods)
      .default("classic")
      .describe("How the danger area is made, as in GET /storms/{id}/danger"),
    models: modelNames
      .optional()
      .describe(
        `${aboutModels}. A route is searched in each, and checked on the others: see meta.routes. Hours times models are limited`,
      ),
    ensemble: modelName
      .optional()
      .meta({ example: "gefs" })
      .describe(
        `${aboutEnsemble}. The better route is searched in the control of the ensemble, which both plans are of, and judged on all members`,
      ),
    ...taskOptions,
  })
  .superRefine((request, context) => {
    const { route, vessel } = request;
    const issue = (path: (string | number)[], message: string) =>
      context.addIssue({ code: "custom", message, path });
    checkEnsemble(request, issue);
    checkVessel(vessel, issue);
    checkGates(route, issue);
    if (route.length > 1 && isSamePosition(route[0]!, route.at(-1)!))
      issue(["route"], "The route should not end where it begins");
  });

/** Beginning of the failure message when no way was found; the reason follows. */
export const noWayByWater = "No way by water was found";

export type OptimiseRequest = z.infer<typeof optimiseRequest>;

/** Longest name of a plan and of a waypoint, characters. */
const [MAX_PLAN_NAME, MAX_WAYPOINT_NAME] = [80, 60];

const { route, departure, departures, vessel, limits, arrive } = passageRequest.shape;

/**
 * A passage that a person is still planning: the request of POST /passages/evaluate before it is complete.
 * The route may be empty, waypoints have names, and a single departure and a sweep of departures may both be
 * set.
 */
export const planForm = z.object({
  name: z.string().max(MAX_PLAN_NAME),
  route: z
    .array(
      route.element.extend({
        leg: z.enum(legKinds),
        name: z.string().max(MAX_WAYPOINT_NAME).optional(),
      }),
    )
    .max(passageLimits.waypoints),
  departure,
  departures,
  /** Absent until the person chooses a vessel. */
  vessel: vessel.optional(),
  limits,
  arrive,
});

export type Plan = z.input<typeof planForm>;

export type PlanVessel = NonNullable<Plan["vessel"]>;

/** A plan that is complete enough to be evaluated. */
export type PlanWithVessel = Plan & { vessel: PlanVessel };

export type PlanWaypoint = Plan["route"][number];

import type { LimitName } from "#lib/passage/limits.ts";
import type { Order } from "#lib/passage/sweep.ts";
import type { Cause, Verdict } from "#lib/passage/verdict.ts";
import { plural } from "../plural.ts";

/** A quantity against a limit, all written: `gusts`, `36 kn`, `34 kn`. */
export interface AgainstLimit {
  what: string;
  value: string;
  limit: string;
  /** The limit is the usual one of the kind of vessel, which nobody has set. */
  isUsual: boolean;
}

const verdicts: Record<Verdict, string> = { GO: "GO", CAUTION: "CAUTION", NO: "NO" };

const limits: Record<LimitName, string> = {
  wind_kt: "True wind",
  gust_kt: "Gusts",
  apparent_ahead_kt: "Apparent wind from ahead",
  head_sea_m: "Sea from ahead",
  beam_sea_m: "Sea on the beam",
  following_sea_m: "Following sea",
  acceleration_g: "Vertical acceleration",
  current_against_wind_kt: "Current against the wind",
  rain_mm_h: "Rain",
  cape_j_kg: "CAPE (thunderstorms)",
  storm_km: "Distance from a storm's danger area",
};

/** But land, which names its leg. */
const causes: Record<Exclude<Cause, "crosses_land">, string> = {
  too_slow: "The boat is too slow for this route.",
  held: "The boat does not get on.",
  current_too_strong: "The current is stronger than the boat.",
  becalmed: "Not enough wind to sail, and no motor.",
  no_forecast: "The forecast ends on the way: the rest is not judged.",
  no_sea_data: "Waves or currents are unknown for part of the way.",
  no_headway: "The boat makes no way in this sea.",
  roll: "The waves are met near the boat's own roll period.",
  storm_without_forecast: "A storm without a forecast is near.",
};

const orders: Record<Order, string> = { balanced: "Balanced", fastest: "Fastest", smoothest: "Smoothest" };

/** What a passage will be like. Numbers, times and positions come written. */
export const passageOutlook = {
  title: "What it will be like",
  views: { title: "Show", passage: "Passage", leave: "When to leave", vessel: "Vessel and limits" },
  needsRoute: "Put at least two waypoints on the map: then the passage is worked out here.",
  whichVessel: "Which vessel?",
  whichVesselAbout: "Arrival, verdict and limits depend on it. You can change its numbers afterwards.",
  needsKey: "Working out a passage needs an API key.",
  evaluating: "Working out the passage…",
  departure: (clock: string) => `Departure, ${clock}`,
  watch: "Watch this passage",
  /** Of an answer that the device had saved, or of another plan. */
  saved: ({ when, age }: { when: string; age: string }) =>
    `The service does not answer. This was worked out ${when} (${age}); forecasts have changed since.`,
  former: "This is the answer for the plan before your last change.",
  ends: {
    held: "The boat is held up and does not arrive.",
    too_slow: "The boat is too slow: the plan stops here.",
  },
  verdicts,
  limits,
  causes,
  /** What decided. */
  deciding: {
    over: ({ what, value, limit, isUsual }: AgainstLimit) =>
      `${what} ${value}, over ${isUsual ? "the usual" : "your"} limit of ${limit}`,
    near: ({ what, value, limit, isUsual }: AgainstLimit) =>
      `${what} ${value}, near ${isUsual ? "the usual" : "your"} limit of ${limit}`,
    below: ({ what, value, limit }: AgainstLimit) => `Nearest to a limit: ${what} ${value} of ${limit}`,
    inside: "Inside the danger area of a storm",
    storm: ({ value, limit, isUsual }: AgainstLimit) =>
      `${value} from a storm's danger area; ${isUsual ? "the usual limit is" : "you want to keep"} ${limit}`,
    land: (leg: number) => `Leg ${leg} crosses land`,
    noSea: (percent: string) => `Waves or currents unknown for ${percent} of the time`,
    at: ({ when, position }: { when: string; position: string }) => `${when}, ${position}`,
    none: "Nothing of it is known.",
  },
  totals: {
    arrival: "Arrival",
    duration: "Time",
    distance: "Distance",
    speed: "Mean speed",
    wind: "Strongest wind",
    gust: "Worst gust",
    sea: "Highest sea",
    coast: "Nearest coast",
    /** From the route, more than 5 n mi from its ends. */
    coastOn: ({ distance, leg }: { distance: string; leg: number }) => `${distance}, leg ${leg}`,
    depth: "Least depth",
    depthOf: (depth: string) => `${depth}, coarse grid`,
    over: "Over limits",
    motor: "Under motor",
    held: "Held up",
    unknown: "Without forecast",
    noSea: "Sea unknown",
    comfort: "Comfort",
    none: "never",
    /** `true wind 3 h`. */
    overOne: ({ what, hours }: { what: string; hours: string }) => `${what} ${hours}`,
  },
  lights: { day: "in daylight", twilight: "in twilight", night: "in the dark" },
  comforts: {
    comfortable: "comfortable",
    uncomfortable: "uncomfortable",
    severe: "severe",
    dangerous: "dangerous",
  },
  /** Off the bow. */
  side: ({ degrees, side }: { degrees: string; side: "port" | "starboard" }) =>
    `${degrees} ${side === "port" ? "port" : "stbd"}`,
  setting: ({ value, side }: { value: string; side: "port" | "starboard" }) =>
    `${value} to ${side === "port" ? "port" : "stbd"}`,
  overtaking: (seconds: string) => `${seconds}, overtaking`,
  noForecast: "no forecast",
  table: {
    caption: "The passage, by waypoint and time",
    rows: "Rows",
    modes: { waypoints: "Waypoints", hours: "Every 3 hours", pieces: "All" },
    columns: "Columns",
    waypoint: (number: number) => `Waypoint ${number}`,
    show: ({ when, place }: { when: string; place: string }) =>
      `Show ${when}${place && `, ${place}`} on the map`,
  },
  columns: {
    other_time: (clock: "utc" | "ship"): string => (clock === "utc" ? "UTC" : "Ship's time"),
    wind: "True wind",
    wind_angle: "Wind angle",
    gust: "Gusts",
    sea: "Sea",
    sea_angle: "Sea angle",
    current_along: "Current along",
    sog: "SOG",
    course: "COG",
    to_go: "To go",
    notes: "Notes",
    elapsed: "Elapsed",
    distance: "Distance",
    stw: "STW",
    heading: "Heading",
    apparent: "Apparent wind",
    apparent_angle: "Apparent angle",
    swell: "Swell",
    wind_sea: "Wind sea",
    encounter: "Encounter period",
    current_across: "Current across",
    acceleration: "Acceleration",
    comfort: "Comfort",
    pressure: "Pressure",
    rain: "Rain",
    cloud: "Cloud",
    air: "Air",
    water: "Water",
    cape: "CAPE",
    mode: "Under",
  },
  modes: { sail: "sail", motor: "motor", held: "held" },
  flags: {
    tacking: "tacking",
    gybing: "gybing",
    beyond_polar: "wind above the polar",
    becalmed: "becalmed",
    current_too_strong: "current too strong",
    typical_speed: "typical speed taken",
    no_forecast: "no forecast",
    no_sea_data: "sea unknown",
    no_headway: "no headway in this sea",
    synchronous_roll: "may roll: waves met at the roll period",
    parametric_roll: "may roll: waves from astern met at half of the roll period",
  },
  /** In a row: the limit that is exceeded, or nearly. */
  overLimit: (what: string) => `over limit: ${what}`,
  nearLimit: (what: string) => `near limit: ${what}`,
  chart: {
    label: "Passage in time",
    wind: (unit: string) => `Wind and gusts (dashed), ${unit}`,
    sea: (unit: string) => `Significant height of waves, ${unit}`,
    current: (unit: string) => `Current along the course, ${unit}`,
    pressure: (unit: string) => `Pressure, ${unit}`,
    limit: ({ value, isUsual }: { value: string; isUsual: boolean }) =>
      `${isUsual ? "usual" : "your"} limit of gusts ${value}`,
    arrows: "Arrows point where wind and waves go.",
    said: ({ when, values }: { when: string; values: string }) => `${when}: ${values}`,
  },
  leave: {
    days: (days: number) => `Next ${days} days`,
    from: (clock: string) => `From, ${clock}`,
    to: (clock: string) => `To, ${clock}`,
    step: "A departure every",
    hours: (count: number) => `${count} h`,
    compare: "Compare departures",
    invitation: "Compares departures of the next days against your limits.",
    comparing: (count: number) =>
      `Comparing ${plural("en", count, { one: "1 departure", other: `${count} departures` })}…`,
    percent: (percent: number) => `${percent}%`,
    cancel: "Cancel",
    cancelled: "The comparison was cancelled.",
    stale: "The plan has changed since: compare again.",
    best: ({ when, verdict }: { when: string; verdict: string }) => `Best: ${when}, ${verdict}.`,
    /** None of them is a GO. */
    leastBad: ({ when, verdict }: { when: string; verdict: string }) =>
      `None is within your limits all the way. The least bad: ${when}, ${verdict}.`,
    noneWhole: "None of them arrives before the forecast ends.",
    take: (when: string) => `Leave ${when}`,
    taken: (when: string) => `The plan leaves ${when}.`,
    order: "Sort by",
    orders: { ...orders, departure: "Departure" },
    beyond: "forecast ends on the way",
    /** @param most Departures that are compared at most. */
    refused: {
      range: (_: number) =>
        "Choose departures from now to ten days ahead, the last one not before the first.",
      departures: (most: number) => `These are more than ${most} departures: take a longer step.`,
      places: (_: number) =>
        "This route is too long to compare so many departures: take a longer step, or fewer days.",
      vessel: (_: number) => "Something is missing in the vessel: see Vessel and limits.",
    },
    table: {
      caption: "Departures compared",
      departure: "Departure",
      verdict: "Verdict",
      arrival: "Arrival",
      duration: "Time",
      wind: "Wind mean / most",
      gust: "Gusts",
      sea: "Sea",
      over: "Over limits",
      motor: "Motor",
      comfort: "Comfort",
      choose: ({ when, verdict }: { when: string; verdict: string }) => `Leave ${when}: ${verdict}`,
    },
    chart: {
      label: "Each bar is a departure and lasts until arrival; the mark is where the verdict was decided.",
      share: "Worst value as a share of its limit",
      shares: ["below 50%", "50 to 80%", "80 to 100%", "100 to 125%", "over 125%", "not known"],
    },
  },
  vessel: {
    title: "Vessel",
    kinds: { title: "Speed by", fixed: "Fixed speed", motor: "Motor and sea", sail: "Sail" },
    speed: "Speed, kn",
    calmSpeed: "Speed in calm water, kn",
    table: "Speed by sea",
    tableAbout:
      "Speed through the water, kn, by significant height and where the waves come from off the bow. Between the heights it is linear.",
    typical: "These are typical numbers of a displacement motor vessel, not yours: put in your own.",
    own: "These are your own numbers.",
    backToTypical: "Back to typical numbers",
    height: "Height, m",
    sides: {
      head: "Ahead 0–45°",
      bow: "Bow 45–90°",
      quarter: "Quarter 90–135°",
      following: "Astern 135–180°",
    },
    cell: ({ side, height }: { side: string; height: string }) => `${side}, ${height} m, kn`,
    polar: "Polar",
    polars: {
      cruising_10m: "Cruiser of 10 m (generic)",
      cruising_14m: "Cruiser of 14 m (generic)",
      catamaran_13m: "Catamaran of 13 m (generic)",
      own: "My own polar",
    },
    generic: "A generic polar of ours, measured on no boat. Winds above its table are marked.",
    text: "Polar in the form TWA\\TWS, separated by ; or tabs",
    file: "Read a polar from a file",
    factor: "Share of the polar that is sailed",
    motor: "Speed under motor, kn (empty: no motor)",
    motorBelow: "Motor below, kn made good",
    more: "For hints of rolling",
    roll: "Natural roll period, s",
    length: "Length, m",
    wrong: ({ low, high }: { low: string; high: string }) => `A number from ${low} to ${high}.`,
  },
  limitsForm: {
    title: "Limits",
    about: "Beyond one of them the verdict is NO, from 80% of it CAUTION. An empty field is not looked at.",
    usual: (value: string) => `usual ${value}`,
    off: "not looked at",
    reset: "Usual limits of this kind of vessel",
    units: { knots: "kn", m: "m", g: "g", mm_h: "mm/h", j_kg: "J/kg", miles: "n mi" },
  },
  storms: {
    title: "Tropical storms",
    none: "No storm comes near the boat, as far as forecasts reach.",
    notLooked: "Tropical storms were not looked at: none have been received.",
    closest: ({ name, distance, bearing, when }: Record<"name" | "distance" | "bearing" | "when", string>) =>
      `${name}: centre closest ${when}, ${distance}, bearing ${bearing} from the boat.`,
    enters: ({ when, out }: { when: string; out: string | undefined }) =>
      `The route ENTERS its danger area of three days ${when}${out ? `, and leaves it ${out}` : ""}.`,
    clear: (distance: string) => `Clear of its danger area by ${distance}.`,
    noArea: "It has no danger area for the time of the passage.",
    old: "Its forecast is old: newer ones are missing.",
    unforecast: ({ name, distance }: { name: string; distance: string | undefined }) =>
      distance
        ? `${name}: no forecast; last located ${distance} from the boat.`
        : `${name}: no forecast, and never located.`,
  },
  knowledge: {
    title: "What this does not know",
    list: {
      navigation: "Not for navigation.",
      land: "Land is the coast of 1:10 million that the map shows: islets, rocks and moles are not in it, canals and rivers count as land. Near coasts waves and currents are unknown.",
      charts:
        "Depths are those of a coarse grid, no clearance; shoals, fairways, traffic separation schemes, ice and closed areas are not looked at.",
      horizon:
        "Forecasts end: beyond their horizon the plan goes on at the typical speed, marked “no forecast”.",
      motion:
        "How currents change waves, leeway, surf-riding, broaching and the vessel's own motions are not computed. Accelerations are those of a craft that follows the surface, an upper bound for long ships: from 0.1 g uncomfortable, from 0.2 g severe.",
      storms: "Storms are those of one provider as published now, with their forecasts; others may form.",
      noStorms: "Tropical storms are not looked at.",
    },
    sources: (runs: string) => `Forecast runs: ${runs}.`,
    at: (when: string) => `Worked out ${when}.`,
  },
  print: {
    /** Rows of the table that have no room. */
    heading: (name: string) => (name ? `Passage: ${name}` : "Passage"),
    vessel: (what: string) => `Vessel: ${what}.`,
    limits: (list: string) => `Limits: ${list}.`,
    limit: ({ what, value }: { what: string; value: string }) => `${what} ${value}`,
  },
  /** `Fixed speed 6 kn`. */
  vesselText: {
    fixed: (speed: string) => `fixed speed ${speed} kn`,
    motor: ({ speed, isTypical }: { speed: string; isTypical: boolean }) =>
      `motor, ${speed} kn in calm water, ${isTypical ? "typical" : "own"} table by sea`,
    sail: ({ polar, factor, motor }: { polar: string; factor: string; motor: string | undefined }) =>
      `sail, ${polar}, × ${factor}${motor ? `, motor ${motor} kn` : ""}`,
  },
};

export type PassageOutlookWords = typeof passageOutlook;

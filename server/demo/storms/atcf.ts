import { type Storm, type StormSlot, stormOf, stormOfCycle } from "#server/demo/cyclones/storm-tracks.ts";
import type { Quadrants } from "#server/demo/cyclones/wind-radii.ts";
import { type Fix, fixOf, fixTimes, newestBase, radiiOf } from "./fix.ts";
import { deckId, type Identity, identityOf } from "./identity.ts";

/** Decks of one storm, as NHC and JTWC publish them. */
export interface DemoDeck {
  /** `wp012026`. */
  id: string;
  /** False for 24 h after the last fix. */
  active: boolean;
  /** Observed fixes, oldest first: the text of b{id}.dat. */
  bDeck: string;
  /** Official forecasts, the newest base last: the text of a{id}.dat; undefined for an invest or a storm that has ended. */
  aDeck: string | undefined;
}

const deckSlots = ["antimeridian", "south", "atlantic", "invest"] as const satisfies readonly StormSlot[];

const THRESHOLDS = [34, 50, 64] as const;
const FORECAST_HOURS = [0, 12, 24, 36, 48, 60, 72, 96, 120] as const;
/** NHC publishes no radii beyond day 3. */
const LAST_RADII_HOUR = { OFCL: 72, JTWC: 120 } as const;
/** An a-deck contains older forecasts: readers must take the newest. */
const FORECASTS_PER_DECK = 2;
const LISTED_AFTER_END_S = 24 * 3600;

/** Decks of the four demo storms, and of those that ended less than 24 h ago. */
export function demoDecks(seed: number, now: number): DemoDeck[] {
  const base = newestBase(now);
  return deckSlots.flatMap((slot) => {
    const storm = stormOf(slot, base);
    const ended = stormOfCycle(slot, storm.cycle - 1);
    const decks = [deck(seed, storm, base, true)];
    return base < ended.ends + LISTED_AFTER_END_S ? [deck(seed, ended, base, false), ...decks] : decks;
  });
}

function deck(seed: number, storm: Storm, base: number, active: boolean): DemoDeck {
  const identity = identityOf(storm);
  const invest = identity.number >= 90;
  const times = fixTimes(storm, base);
  const rows = times.flatMap((time) => observed(seed, storm, identity, time, times.at(-1)!));
  const bases = times.slice(-FORECASTS_PER_DECK);
  const forecasts = bases.flatMap((time) => forecast(seed, storm, identity, time));
  return {
    id: deckId(identity),
    active,
    bDeck: `${rows.join("\n")}\n`,
    aDeck: active && !invest ? `${forecasts.join("\n")}\n` : undefined,
  };
}

function observed(seed: number, storm: Storm, identity: Identity, time: number, last: number): string[] {
  const fix = fixOf(seed, storm, time);
  if (!fix) return [];
  // The rows of the first day keep the name INVEST when the storm has a name.
  const early = time < storm.begins + 86_400 && last >= storm.begins + 86_400;
  return rows(fix, radiiOf(seed, storm, time, THRESHOLDS), {
    identity,
    base: time,
    technique: "BEST",
    number: "  ",
    hour: 0,
    type: typeOf(fix, identity),
    pressure: fix.pressure,
    name: early ? "INVEST" : identity.name,
  });
}

function forecast(seed: number, storm: Storm, identity: Identity, base: number): string[] {
  const technique = identity.basin === "AL" || identity.basin === "EP" ? "OFCL" : "JTWC";
  return FORECAST_HOURS.flatMap((hour) => {
    const time = base + hour * 3600;
    const fix = fixOf(seed, storm, time);
    if (!fix) return [];
    const radii = hour <= LAST_RADII_HOUR[technique] ? radiiOf(seed, storm, time, THRESHOLDS) : [];
    return rows(fix, radii, {
      identity,
      base,
      technique,
      number: "03",
      hour,
      type: technique === "OFCL" ? typeOf(fix, identity) : "XX",
      // NHC forecasts no pressure; JTWC does for some hours.
      pressure: hour === 0 || (technique === "JTWC" && hour % 24 === 0) ? fix.pressure : 0,
      name: "",
    });
  });
}

function typeOf(fix: Fix, { basin, number }: Identity): string {
  if (number >= 90) return "DB";
  if (fix.extratropical) return "EX";
  if (fix.windKnots < 35) return "TD";
  if (fix.windKnots < 65) return "TS";
  return basin === "AL" || basin === "EP" ? "HU" : "TY";
}

interface Row {
  identity: Identity;
  base: number;
  technique: string;
  number: string;
  hour: number;
  type: string;
  /** HPa; 0 if none is given. */
  pressure: number;
  name: string;
}

/** One row per wind threshold that is reached, or one with threshold 0. Nautical miles, knots, hPa. */
function rows(fix: Fix, radii: readonly (Quadrants | undefined)[], row: Row): string[] {
  const reached = THRESHOLDS.flatMap((knots, index) => {
    const quadrants = radii[index];
    return quadrants ? [{ knots, quadrants }] : [];
  });
  const none = { knots: 0, quadrants: { ne: 0, se: 0, sw: 0, nw: 0 } };
  return (reached.length > 0 ? reached : [none]).map(({ knots, quadrants }) =>
    [
      row.identity.basin,
      String(row.identity.number).padStart(2, "0"),
      hourStamp(row.base),
      row.number,
      row.technique,
      pad(row.hour, 3),
      pad(`${tenths(fix.latitude)}${fix.latitude < 0 ? "S" : "N"}`, 4),
      pad(`${tenths(fix.longitude)}${fix.longitude < 0 ? "W" : "E"}`, 5),
      pad(fix.windKnots, 3),
      pad(row.pressure, 4),
      row.type,
      pad(knots, 3),
      knots > 0 ? "NEQ" : "   ",
      ...[quadrants.ne, quadrants.se, quadrants.sw, quadrants.nw].map((miles) => pad(miles, 4)),
      pad(fix.outerPressure, 4),
      pad(200, 4),
      pad(fix.coreRadius, 3),
      pad(5 * Math.round((fix.windKnots * 1.22) / 5), 3),
      pad(0, 3),
      pad(row.identity.subregion, 3),
      pad(0, 3),
      "   ",
      pad(fix.heading, 3),
      pad(fix.speedKnots, 3),
      pad(row.name, 10),
      fix.windKnots >= 65 ? "D" : fix.windKnots >= 35 ? "M" : "S",
      "",
    ]
      .join(", ")
      .trimEnd(),
  );
}

function tenths(degrees: number): number {
  return Math.round(Math.abs(degrees) * 10);
}

function pad(value: number | string, width: number): string {
  return String(value).padStart(width);
}

function hourStamp(time: number): string {
  return new Date(time * 1000).toISOString().slice(0, 13).replaceAll(/[-T]/g, "");
}

import { HOUR_S } from "#lib/time.ts";

/** One quantity of a series; for a box its extremes over all places. */
export interface QuantitySeries {
  /** Greatest known value of each step; NaN if no place has one. */
  most: Float64Array;
  /** Least known value of each step; NaN if no place has one. */
  least: Float64Array;
  /** 1 for a step at which the value of some place is missing. */
  isMissing: Uint8Array;
  /** Greatest accepted value; `min` is the least. */
  max?: number | undefined;
  min?: number | undefined;
  /** Levels of the exceedance table, ascending. */
  levels: readonly number[];
}

export interface WorkabilitySeries {
  /** Unix seconds of the first step. A step lasts until the next one. */
  start: number;
  stepHours: number;
  count: number;
  quantities: readonly QuantitySeries[];
}

export interface QuantityStatistics {
  hours: number;
  missingHours: number;
  mean: number;
  least: number;
  most: number;
  /** The 50th, 90th, 95th and 99th percentile, linear between ranks. */
  percentiles: number[];
  /** Share of known hours above each level. */
  exceeded: number[];
}

export interface WorkabilityRow {
  /** 1 to 12, UTC; null for the whole series. */
  month: number | null;
  years: number;
  hours: number;
  /** Hours at which nothing known is beyond a limit and something is missing. */
  missingHours: number;
  withinHours: number;
  /** Share of the hours that are not missing; NaN if there are none. */
  withinShare: number;
  /**
   * Lowest share in a single month of that name, or for the whole series in any month; NaN if nothing is
   * known.
   */
  lowestShare: number;
  highestShare: number;
  /** Windows that begin in the month. */
  windows: number;
  meanWindowHours: number;
  longestWindowHours: number;
  /** Hours of the month inside windows, wherever those began. */
  windowHours: number;
  windowShare: number;
  /**
   * Mean wait from any step of the month to the next possible start; NaN if the series contains the end of no
   * wait.
   */
  meanWaitHours: number;
  longestWaitHours: number;
  /** The series ends before the longest wait does. */
  waitIsLowerBound: boolean;
  quantities: QuantityStatistics[];
}

export interface WorkWindow {
  /** Unix seconds. */
  from: number;
  to: number;
  hours: number;
  /** The window may be longer: missing data or an end of the series adjoins it. */
  isCut: boolean;
}

export interface Wait {
  from: number;
  to: number;
  hours: number;
  /** No window began before the rest of the series was too short for one. */
  isLowerBound: boolean;
  /** Missing hours of the wait. */
  missingHours: number;
}

export interface Workability {
  /** One row for the whole series, then one for each month in it. */
  rows: WorkabilityRow[];
  /** Sorted by time. */
  windows: WorkWindow[];
  longestWait: Wait | undefined;
}

const percents = [50, 90, 95, 99] as const;

/** States of a step. */
const [BEYOND, WITHIN, MISSING] = [0, 1, 2];

/**
 * Persistence of weather windows, counted in a series as in the availability analysis of DNV-RP-N103 (before,
 * DNV-RP-H103).
 *
 * A step is beyond the limits if one known value is; otherwise it is missing if a value is missing, and
 * within the limits if not. A window is an uninterrupted time of at least `windowHours` within the limits;
 * missing steps end it. The wait from a step is the time until an operation of `windowHours` can begin that
 * ends within the limits; steps are left out if the rest of the series is too short to tell. A wait whose end
 * is not in the series is a lower bound, and is not included in means.
 */
export function analyseWorkability(series: WorkabilitySeries, windowHours: number): Workability {
  const { start, stepHours, count } = series;
  const states = statesOf(series);
  const length = Math.ceil(windowHours / stepHours);
  const timeOf = (step: number) => start + step * stepHours * HOUR_S;
  const windows: WorkWindow[] = [];
  /** Number of the window that contains a step, from 1; 0 for none. */
  const windowAt = new Int32Array(count);
  const canStart = new Uint8Array(count);
  for (let from = 0; from < count; ) {
    if (states[from] !== WITHIN) {
      from++;
      continue;
    }
    let to = from;
    while (to < count && states[to] === WITHIN) to++;
    if (to - from >= length) {
      const isCut = from === 0 || to === count || states[from - 1] === MISSING || states[to] === MISSING;
      windows.push({ from: timeOf(from), to: timeOf(to), hours: (to - from) * stepHours, isCut });
      windowAt.fill(windows.length, from, to);
      canStart.fill(1, from, to - length + 1);
    }
    from = to;
  }
  /** Waits in steps; -1 if the series does not tell. */
  const waits = new Int32Array(count).fill(-1);
  const lastStart = count - length;
  let longest = -1;
  for (let step = lastStart, next = lastStart + 1; step >= 0; step--) {
    if (canStart[step]) next = step;
    waits[step] = next - step;
    if (longest < 0 || waits[step]! >= waits[longest]!) longest = step;
  }
  const isLowerBound = (step: number) => step + waits[step]! > lastStart;
  const all = Array.from({ length: count }, (_, step) => step);
  const single = Map.groupBy(all, (step) => monthOf(timeOf(step)));
  const row = (month: number | null, steps: ArrayLike<number>): WorkabilityRow => {
    const own = [...single].filter(([key]) => month === null || key % 12 === month - 1);
    const shares = own.map(([, part]) => withinShare(states, part)).filter((share) => !Number.isNaN(share));
    const withinHours = stepHours * countOf(states, steps, WITHIN);
    const missingHours = stepHours * countOf(states, steps, MISSING);
    const hours = steps.length * stepHours;
    const begun = new Set<number>();
    let inside = 0;
    let known = 0;
    let waited = 0;
    let longestHere = -1;
    for (let at = 0; at < steps.length; at++) {
      const step = steps[at]!;
      if (windowAt[step]! > 0) {
        inside++;
        if (step === 0 || windowAt[step - 1] !== windowAt[step]) begun.add(windowAt[step]! - 1);
      }
      if (waits[step]! < 0) continue;
      if (longestHere < 0 || waits[step]! > waits[longestHere]!) longestHere = step;
      if (isLowerBound(step)) continue;
      known++;
      waited += waits[step]!;
    }
    const lengths = [...begun].map((index) => windows[index]!.hours);
    return {
      month,
      years: new Set(own.map(([key]) => Math.floor(key / 12))).size,
      hours,
      missingHours,
      withinHours,
      withinShare: withinShare(states, steps),
      lowestShare: shares.length > 0 ? Math.min(...shares) : Number.NaN,
      highestShare: shares.length > 0 ? Math.max(...shares) : Number.NaN,
      windows: lengths.length,
      meanWindowHours: lengths.reduce((sum, one) => sum + one, 0) / lengths.length,
      longestWindowHours: lengths.length > 0 ? Math.max(...lengths) : Number.NaN,
      windowHours: inside * stepHours,
      windowShare: (inside * stepHours) / (hours - missingHours),
      meanWaitHours: (waited / known) * stepHours,
      longestWaitHours: longestHere < 0 ? Number.NaN : waits[longestHere]! * stepHours,
      waitIsLowerBound: longestHere >= 0 && isLowerBound(longestHere),
      quantities: series.quantities.map((quantity) => statisticsOf(quantity, steps, stepHours)),
    };
  };
  const byMonth = Array.from({ length: 12 }, (_, at) => at + 1).flatMap((month) => {
    const steps = [...single].flatMap(([key, part]) => (key % 12 === month - 1 ? part : []));
    return steps.length > 0 ? [row(month, steps)] : [];
  });
  return { rows: [row(null, all), ...byMonth], windows, longestWait: longestWaitOf() };

  function longestWaitOf(): Wait | undefined {
    if (longest < 0) return undefined;
    const end = longest + waits[longest]!;
    let missing = 0;
    for (let step = longest; step < end; step++) if (states[step] === MISSING) missing++;
    return {
      from: timeOf(longest),
      to: timeOf(end),
      hours: waits[longest]! * stepHours,
      isLowerBound: isLowerBound(longest),
      missingHours: missing * stepHours,
    };
  }
}

/** How many members of an ensemble are within the limits, are not, or cannot tell. */
export interface MemberCounts {
  keep: number;
  break: number;
  not_known: number;
}

/**
 * Counts members by what holds during a time: of each member all steps of it count.
 *
 * @param members States of the steps of each member, of the same length. @param from First step. @param to After the last one.
 */
export function membersDuring(members: readonly Uint8Array[], from: number, to: number): MemberCounts {
  const has = (states: Uint8Array, state: number) => states.subarray(from, to).includes(state);
  return counted(members, (states) => (has(states, BEYOND) ? false : has(states, MISSING) ? null : true));
}

/** Counts members by whether they have a window of so many steps on end anywhere. */
export function membersWithWindow(members: readonly Uint8Array[], steps: number): MemberCounts {
  return counted(
    members,
    (states) => longestSpell(states, false) >= steps || (longestSpell(states, true) >= steps ? null : false),
  );
}

function counted(members: readonly Uint8Array[], says: (states: Uint8Array) => boolean | null): MemberCounts {
  const counts = { keep: 0, break: 0, not_known: 0 };
  for (const states of members) {
    const said = says(states);
    counts[said === null ? "not_known" : said ? "keep" : "break"]++;
  }
  return counts;
}

/** @param withMissing Whether missing steps count as within the limits. */
function longestSpell(states: Uint8Array, withMissing: boolean): number {
  let [longest, length] = [0, 0];
  for (const state of states) {
    length = state === WITHIN || (withMissing && state === MISSING) ? length + 1 : 0;
    longest = Math.max(longest, length);
  }
  return longest;
}

/** States of steps of which nothing is known. */
export const allMissing = (count: number) => new Uint8Array(count).fill(MISSING);

/** Whether each step is within the limits, beyond them, or missing. */
export function statesOf({ count, quantities }: Pick<WorkabilitySeries, "count" | "quantities">): Uint8Array {
  const states = new Uint8Array(count).fill(WITHIN);
  for (const { most, least, isMissing, max, min } of quantities) {
    // A quantity without a limit only appears in the exceedance table.
    if (max === undefined && min === undefined) continue;
    for (let step = 0; step < count; step++) {
      if (states[step] === BEYOND) continue;
      if ((max !== undefined && most[step]! > max) || (min !== undefined && least[step]! < min))
        states[step] = BEYOND;
      else if (isMissing[step]) states[step] = MISSING;
    }
  }
  return states;
}

/** Months since the year 0, UTC. @param time Unix seconds. */
function monthOf(time: number): number {
  const date = new Date(1000 * time);
  return 12 * date.getUTCFullYear() + date.getUTCMonth();
}

function countOf(states: Uint8Array, steps: ArrayLike<number>, state: number): number {
  let found = 0;
  for (let at = 0; at < steps.length; at++) if (states[steps[at]!] === state) found++;
  return found;
}

/** Share of the known steps that are within the limits; NaN if none is known. */
function withinShare(states: Uint8Array, steps: ArrayLike<number>): number {
  return countOf(states, steps, WITHIN) / (steps.length - countOf(states, steps, MISSING));
}

function statisticsOf(
  { most, least, isMissing, max, min, levels }: QuantitySeries,
  steps: ArrayLike<number>,
  stepHours: number,
): QuantityStatistics {
  // If only a lower limit is set, the least value over a box counts.
  const values = max === undefined && min !== undefined ? least : most;
  const known: number[] = [];
  for (let at = 0; at < steps.length; at++) {
    const step = steps[at]!;
    if (!isMissing[step]) known.push(values[step]!);
  }
  const sorted = Float64Array.from(known).sort();
  const sum = sorted.reduce((total, value) => total + value, 0);
  return {
    hours: steps.length * stepHours,
    missingHours: (steps.length - sorted.length) * stepHours,
    mean: sum / sorted.length,
    least: sorted[0] ?? Number.NaN,
    most: sorted.at(-1) ?? Number.NaN,
    percentiles: percents.map((percent) => percentile(sorted, percent)),
    exceeded: levels.map((level) => above(sorted, level) / sorted.length),
  };
}

function percentile(sorted: Float64Array, percent: number): number {
  if (sorted.length === 0) return Number.NaN;
  const rank = (percent / 100) * (sorted.length - 1);
  const below = sorted[Math.floor(rank)]!;
  return below + (rank % 1) * (sorted[Math.ceil(rank)]! - below);
}

/** Number of sorted values that are greater than a level. */
function above(sorted: Float64Array, level: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! > level) high = middle;
    else low = middle + 1;
  }
  return sorted.length - low;
}

const MAX_LEVELS = 12;

/** Round levels across a range of values, merged with the limits. */
export function levelsBetween(least: number, most: number, limits: readonly number[]): number[] {
  if (!(most > least)) return [...limits].sort((a, b) => a - b);
  const rough = (most - least) / MAX_LEVELS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= rough)!;
  const levels = new Set(limits);
  for (let at = Math.ceil(least / step); at * step <= most; at++)
    levels.add(Number((at * step).toPrecision(6)));
  return [...levels].sort((a, b) => a - b);
}

import { outputsIn } from "#lib/catalog/fields.ts";
import { type VariableName, variable, variableNames } from "#lib/catalog/variables.ts";
import {
  MAX_WINDOWS,
  type WorkabilityMeta,
  type WorkabilityReplyRow,
  type WorkabilityRequest,
} from "#lib/contract/workability.ts";
import { ensembleCaution } from "#lib/ensemble/caution.ts";
import { NOT_FOR_NAVIGATION, pointOutputs } from "#lib/table/table.ts";
import { formatInstant, HOUR_S, parseInstant } from "#lib/time.ts";
import {
  allMissing,
  analyseWorkability,
  levelsBetween,
  membersDuring,
  membersWithWindow,
  type QuantitySeries,
  type QuantityStatistics,
  statesOf,
  type WorkabilityRow,
} from "#lib/workability/analyse.ts";
import { workPlaces } from "#lib/workability/places.ts";
import { groupByRun } from "#server/archive/choose-run.ts";
import { describeRun } from "#server/archive/describe-run.ts";
import { manifestOfMember, membersOf, runsOfEnsemble, sizeOf } from "#server/archive/ensembles.ts";
import type { PointSource } from "#server/archive/reader.ts";
import type { Manifest, Run } from "#server/archive/run.ts";
import { nextTurn } from "#server/platform/next-turn.ts";
import { conditionsOfRuns } from "./points.ts";

export interface WorkabilityAnswer {
  rows: WorkabilityReplyRow[];
  meta: WorkabilityMeta;
}

/** Maximum number of steps of one place that are read together. */
const STEPS_A_SLICE = 2048;

const method =
  "Persistence of weather windows, counted in the series as in the availability analysis of DNV-RP-N103 (before, " +
  "DNV-RP-H103). A step has the weather of its begin. A window is an uninterrupted time within all limits, at least " +
  "window_hours long; missing data ends it. The wait of an hour is the time until an operation of window_hours can begin that ends " +
  "within the limits. Limits are used as given: no alpha factor for the uncertainty of forecasts";

const knowledge = [
  NOT_FOR_NAVIGATION,
  "Three years are too few for extremes: the share of a month varies from year to year, see lowest_share and highest_share",
  "Past hours are those of models, interpolated in space and time: squalls and shoaling waves are not in them",
];

export function stepsOf({ from, to, step_hours }: WorkabilityRequest): number {
  return Math.floor((parseInstant(to) - parseInstant(from)) / (step_hours * HOUR_S));
}

/** Number of steps from the present one on, which members of an ensemble can have. */
export function stepsAhead(request: WorkabilityRequest, now: number): number {
  return Math.max(0, stepsOf(request) - firstAhead(request, now));
}

function firstAhead({ from, step_hours }: WorkabilityRequest, now: number): number {
  return Math.max(0, Math.floor((now - parseInstant(from)) / (step_hours * HOUR_S)));
}

/**
 * Computes how much of a time the weather of a place, or of a box, is within limits.
 *
 * @param now Weather clock when the request was accepted, Unix seconds.
 * @param progress Called with the share that is done.
 */
export async function workabilityOf(
  source: PointSource,
  manifest: Manifest,
  request: WorkabilityRequest,
  now: number,
  signal: AbortSignal,
  progress: (share: number) => void = () => {},
): Promise<WorkabilityAnswer> {
  const { limits, step_hours: stepHours, window_hours, wind_height } = request;
  const start = parseInstant(request.from);
  const count = stepsOf(request);
  const places = workPlaces(request.area);
  const ensemble = request.ensemble;
  const share = ensemble === undefined ? 1 : BEST_SHARE;
  const whole = await readSeries(
    { source, manifest, request, now, signal, progress: (done) => progress(share * done) },
    { from: 0, to: count },
  );
  const { extremes, used } = whole;
  const quantities = limits.map(({ max, min, levels }, at): QuantitySeries => {
    const { most, least, isMissing, lowest, highest } = extremes[at]!.result();
    const own = [max, min].filter((limit) => limit !== undefined);
    return {
      most,
      least,
      isMissing,
      max,
      min,
      levels: levels ? [...new Set(levels)].sort((a, b) => a - b) : levelsBetween(lowest, highest, own),
    };
  });
  const { rows, windows, longestWait } = analyseWorkability(
    { start, stepHours, count, quantities },
    window_hours,
  );
  const ofMembers =
    ensemble === undefined
      ? undefined
      : await membersOfSteps(
          {
            source,
            manifest,
            request,
            now,
            signal,
            progress: (done) => progress(share + (1 - share) * done),
          },
          ensemble,
        );
  return {
    rows: rows.map((row) => rowToWire(row, limits)),
    meta: {
      method,
      limits: limits.map(({ quantity, max = null, min = null }, at) => ({
        quantity,
        title: pointOutputs.get(quantity)!.title,
        unit: pointOutputs.get(quantity)!.unit,
        max,
        min,
        levels: [...quantities[at]!.levels],
        places_without: places.length - extremes[at]!.places,
      })),
      window_hours,
      step_hours: stepHours,
      from: formatInstant(start),
      to: formatInstant(start + count * stepHours * HOUR_S),
      places,
      windows: windows.slice(0, MAX_WINDOWS).map(({ from, to, hours, isCut }) => ({
        from: formatInstant(from),
        to: formatInstant(to),
        hours,
        is_cut: isCut,
        ...(ofMembers && from >= ofMembers.begins && { members: ofMembers.during(from, to) }),
      })),
      longest_wait: longestWait
        ? {
            from: formatInstant(longestWait.from),
            to: formatInstant(longestWait.to),
            hours: longestWait.hours,
            is_lower_bound: longestWait.isLowerBound,
            missing_hours: longestWait.missingHours,
          }
        : null,
      ...(ofMembers && { ensemble: ofMembers.meta }),
      provenance: [...used].flatMap(([name, runs]) =>
        [...runs].map(([run, { steps, last }]) => {
          const { valid_times: _times, ...described } = describeRun(
            name,
            run,
            [last],
            steps,
            wind_height,
            now,
          );
          return described;
        }),
      ),
      knowledge,
    },
  };
}

interface ReadSeries {
  source: PointSource;
  manifest: Manifest;
  request: WorkabilityRequest;
  now: number;
  signal: AbortSignal;
  progress(share: number): void;
}

/** Reads the quantities of a request over some of its steps, at all places. */
async function readSeries(
  { source, manifest, request, now, signal, progress }: ReadSeries,
  { from: first, to: end }: { from: number; to: number },
): Promise<{ extremes: Extremes[]; used: Map<VariableName, Map<Run, { steps: number; last: number }>> }> {
  const { limits, step_hours: stepHours, wind_height } = request;
  const start = parseInstant(request.from) + first * stepHours * HOUR_S;
  const count = end - first;
  const places = workPlaces(request.area);
  const wanted = new Set<string>(limits.map(({ quantity }) => quantity));
  const names = variableNames.filter((name) => variable(name).outputs.some(({ point }) => wanted.has(point)));
  const extremes = limits.map(() => new Extremes(count));
  const used = new Map<VariableName, Map<Run, { steps: number; last: number }>>();
  const column = () => new Float64Array(count);
  for (const [place, { latitude, longitude }] of places.entries()) {
    const values = limits.map(column);
    for (let from = 0; from < count; from += STEPS_A_SLICE) {
      const length = Math.min(STEPS_A_SLICE, count - from);
      const points = {
        count: length,
        latitude: new Float64Array(length).fill(latitude),
        longitude: new Float64Array(length).fill(longitude),
        time: Float64Array.from({ length }, (_, at) => start + (from + at) * stepHours * HOUR_S),
      };
      const groupingOf = (name: VariableName) => groupByRun(manifest, name, points, now);
      const { conditions, groupings } = await conditionsOfRuns(
        source,
        points,
        names,
        wind_height,
        groupingOf,
        signal,
      );
      for (const [at, { quantity }] of limits.entries())
        for (let step = 0; step < length; step++)
          values[at]![from + step] = conditions[step]![quantity] ?? Number.NaN;
      for (const [name, { groups }] of groupings) {
        const runs = used.get(name) ?? new Map<Run, { steps: number; last: number }>();
        used.set(name, runs);
        for (const { run, indices } of groups) {
          const known = runs.get(run);
          const last = indices.reduce((latest, index) => Math.max(latest, points.time[index]!), 0);
          runs.set(run, {
            steps: (known?.steps ?? 0) + indices.length,
            last: Math.max(known?.last ?? 0, last),
          });
        }
      }
      progress((place + (from + length) / count) / places.length);
      await nextTurn();
      signal.throwIfAborted();
    }
    for (const [at, one] of extremes.entries()) one.add(values[at]!);
  }
  return { extremes, used };
}

const isLimited = ({ max, min }: WorkabilityRequest["limits"][number]) =>
  max !== undefined || min !== undefined;

/** Share of the work with an ensemble that is done when the best forecast is read. */
const BEST_SHARE = 0.1;

/** The members of an ensemble within the limits, from now on; undefined if the period ends before. */
async function membersOfSteps(read: ReadSeries, ensemble: string) {
  const { manifest, request, now, progress } = read;
  const { limits, step_hours: stepHours, window_hours } = request;
  const start = parseInstant(request.from);
  const stepS = stepHours * HOUR_S;
  const [first, end] = [firstAhead(request, now), stepsOf(request)];
  if (first >= end) return undefined;
  const members = membersOf(manifest, ensemble);
  const fields = members.flatMap((member) =>
    manifestOfMember(manifest, ensemble, member).runs.map((run) => run.fields),
  );
  const has = new Set(
    fields.flatMap((one) => variableNames.flatMap((name) => outputsIn(one, name).map(({ point }) => point))),
  );
  const judged = limits.filter(({ quantity }) => has.has(quantity));
  const states: Uint8Array[] = [];
  for (const [at, member] of members.entries()) {
    const own = {
      ...read,
      manifest: manifestOfMember(manifest, ensemble, member),
      request: { ...request, limits: judged },
    };
    const { extremes } = await readSeries(
      { ...own, progress: (done) => progress((at + done) / members.length) },
      { from: first, to: end },
    );
    const quantities = judged.map(
      ({ max, min }, at): QuantitySeries => ({ ...extremes[at]!.result(), max, min, levels: [] }),
    );
    states.push(
      judged.some(isLimited) ? statesOf({ count: end - first, quantities }) : allMissing(end - first),
    );
  }
  const begins = start + first * stepS;
  return {
    begins,
    during: (from: number, to: number) =>
      membersDuring(states, (from - begins) / stepS, (to - begins) / stepS),
    meta: {
      ensemble,
      members,
      size: Math.max(members.length, sizeOf(manifest, ensemble)),
      from: formatInstant(begins),
      with_window: membersWithWindow(states, Math.ceil(window_hours / stepHours)),
      unjudged: limits
        .filter((one) => isLimited(one) && !has.has(one.quantity))
        .map(({ quantity }) => quantity),
      caution: ensembleCaution(runsOfEnsemble(manifest, ensemble)),
    },
  };
}

/** Greatest and least value of a quantity over places, step by step. A place that never has one is left out. */
class Extremes {
  places = 0;
  readonly #most: Float64Array;
  readonly #least: Float64Array;
  readonly #known: Uint32Array;

  constructor(count: number) {
    this.#most = new Float64Array(count).fill(Number.NaN);
    this.#least = new Float64Array(count).fill(Number.NaN);
    this.#known = new Uint32Array(count);
  }

  add(values: Float64Array): void {
    if (values.every(Number.isNaN)) return;
    this.places++;
    for (const [step, value] of values.entries()) {
      if (Number.isNaN(value)) continue;
      const isFirst = this.#known[step]! === 0;
      this.#known[step]!++;
      if (isFirst || value > this.#most[step]!) this.#most[step] = value;
      if (isFirst || value < this.#least[step]!) this.#least[step] = value;
    }
  }

  result() {
    let [lowest, highest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const [step, known] of this.#known.entries()) {
      if (known === 0) continue;
      lowest = Math.min(lowest, this.#least[step]!);
      highest = Math.max(highest, this.#most[step]!);
    }
    const isMissing = Uint8Array.from(this.#known, (known) => Number(known < this.places || known === 0));
    return { most: this.#most, least: this.#least, isMissing, lowest, highest };
  }
}

function rowToWire(row: WorkabilityRow, limits: WorkabilityRequest["limits"]): WorkabilityReplyRow {
  return {
    month: row.month,
    years: row.years,
    hours: row.hours,
    missing_hours: row.missingHours,
    within_hours: row.withinHours,
    within_share: share(row.withinShare),
    lowest_share: share(row.lowestShare),
    highest_share: share(row.highestShare),
    windows: row.windows,
    mean_window_hours: known(row.meanWindowHours, 1),
    longest_window_hours: known(row.longestWindowHours, 0),
    window_hours: row.windowHours,
    window_share: share(row.windowShare),
    mean_wait_hours: known(row.meanWaitHours, 1),
    longest_wait_hours: known(row.longestWaitHours, 0),
    wait_is_lower_bound: row.waitIsLowerBound,
    quantities: row.quantities.map((statistics, at) => statisticsToWire(statistics, limits[at]!.quantity)),
  };
}

function statisticsToWire(
  { hours, missingHours, mean, least, most, percentiles, exceeded }: QuantityStatistics,
  quantity: WorkabilityReplyRow["quantities"][number]["quantity"],
): WorkabilityReplyRow["quantities"][number] {
  const [p50, p90, p95, p99] = percentiles.map((value) => known(value, 2));
  return {
    quantity,
    hours,
    missing_hours: missingHours,
    mean: known(mean, 2),
    least: known(least, 2),
    most: known(most, 2),
    p50: p50!,
    p90: p90!,
    p95: p95!,
    p99: p99!,
    exceeded: exceeded.map(share),
  };
}

const share = (value: number) => known(value, 4);

function known(value: number, decimals: number): number | null {
  return Number.isNaN(value) ? null : Math.round(value * 10 ** decimals) / 10 ** decimals + 0;
}

import { type EnsembleQuantity, type Statistic, spanHours } from "#lib/catalog/ensemble.ts";
import { HOUR_S } from "#lib/time.ts";
import { countOver, type Moments, momentsOf, percentileOf, sortMembers } from "./statistics.ts";

/** The values of one statistic at one step. */
export interface StatisticStep {
  statistic: Statistic;
  /** Index into the times. */
  step: number;
  /** One value a node, NaN = missing. Valid until the next statistic is asked for. */
  values: Float32Array;
}

/** The state of a member has a step as its index + 1 in one byte; 0 means never. */
const MAX_STEPS = 254;
/** Number of nodes whose members are gathered at once for sorting. */
const BLOCK = 64;

/**
 * Computes statistics over the members of an ensemble, step by step.
 *
 * A member without a value is not counted. A share within a span counts the members that have a value at each of its
 * steps. Where no member is counted, every statistic is missing, `members` too.
 *
 * Shares within a span need one byte for each limit, and one more, of each member at each node, besides the values of a
 * step.
 *
 * @param wanted Statistics of one quantity.
 * @param times Unix seconds, ascending: the steps that will be added. At most 254 if shares within a span are wanted.
 * @param nodes Nodes of the grid.
 */
export function statisticsOfSteps(
  wanted: readonly Statistic[],
  times: readonly number[],
  members: number,
  nodes: number,
) {
  const atSteps = wanted.filter((statistic) => spanHours(statistic) === undefined);
  const outs = atSteps.map(() => new Float32Array(nodes));
  const spans = spansOf(wanted, members, nodes);
  if (spans && times.length > MAX_STEPS)
    throw new RangeError(`${times.length} steps are more than the ${MAX_STEPS} of which spans are followed`);
  let next = 0;
  /** The last step without any data. */
  let lastAbsent = -1;

  /** The first steps of the spans that end at a step, or between it and the next one. */
  function startsOf(step: number, hours: number): number[] {
    const [now, later] = [times[step]!, times[step + 1]];
    const starts: number[] = [];
    for (let start = lastAbsent + 1; start <= step; start++) {
      const end = times[start]! + hours * HOUR_S;
      if (end === now || (end > now && later !== undefined && end < later)) starts.push(start);
    }
    return starts;
  }

  return {
    /**
     * Adds the next step.
     *
     * @param values (members, nodes), NaN = the member has no value; undefined if the step has no data at all. It is then
     *   missing from the result, and so are the spans that contain it.
     * @returns The statistics of this step, and the shares within spans that end at it or before the next one.
     */
    *add(values: Float32Array | undefined): Generator<StatisticStep> {
      const step = next++;
      if (!values) {
        lastAbsent = step;
        return;
      }
      if (values.length !== members * nodes)
        throw new RangeError(`${values.length} values of ${members} members at ${nodes} nodes`);
      if (atSteps.length > 0) {
        computeStep(atSteps, outs, values, members, nodes);
        for (const [place, statistic] of atSteps.entries()) yield { statistic, step, values: outs[place]! };
      }
      if (!spans) return;
      spans.follow(values, step);
      for (const statistic of wanted) {
        const hours = spanHours(statistic);
        if (hours === undefined) continue;
        for (const start of startsOf(step, hours))
          yield { statistic, step: start, values: spans.shares(statistic, start) };
      }
    },
  };
}

/** Computes the statistics that depend on a single step. */
function computeStep(
  wanted: readonly Statistic[],
  outs: readonly Float32Array[],
  values: Float32Array,
  members: number,
  nodes: number,
): void {
  const block = new Float64Array(BLOCK * members);
  const sorted = new Float64Array(members);
  for (let from = 0; from < nodes; from += BLOCK) {
    const count = Math.min(BLOCK, nodes - from);
    for (let member = 0; member < members; member++)
      for (let i = 0, at = member * nodes + from; i < count; i++, at++)
        block[i * members + member] = values[at]!;
    for (let i = 0; i < count; i++) {
      const found = sortMembers(block.subarray(i * members, (i + 1) * members), sorted);
      const moments = momentsOf(sorted, found);
      for (let place = 0; place < wanted.length; place++)
        outs[place]![from + i] =
          found === 0 ? Number.NaN : statisticAt(wanted[place]!, sorted, found, moments);
    }
  }
}

function statisticAt(statistic: Statistic, sorted: Float64Array, count: number, moments: Moments): number {
  switch (statistic.is) {
    case "mean":
      return moments.mean;
    case "spread":
      return moments.spread;
    case "members":
      return count;
    case "percentile":
      return percentileOf(sorted, count, statistic.percentile);
    case "share":
      return (100 * countOver(sorted, count, statistic.threshold.value)) / count;
  }
}

/**
 * Follows at which step each member was last over each limit, and last without a value. Returns undefined if no share
 * within a span is wanted.
 */
function spansOf(wanted: readonly Statistic[], members: number, nodes: number) {
  const limits = [
    ...new Set(
      wanted.flatMap((one) => (one.is === "share" && one.hours !== undefined ? one.threshold.value : [])),
    ),
  ];
  if (limits.length === 0) return undefined;
  const lowest = Math.min(...limits);
  const overs = limits.map(() => new Uint8Array(members * nodes));
  const missing = new Uint8Array(members * nodes);
  /** The last step at which any member lacks a value at any node, as in `missing`. */
  let lastMissing = 0;
  const [over, counted] = [new Uint16Array(nodes), new Uint16Array(nodes)];
  const out = new Float32Array(nodes);
  return {
    follow(values: Float32Array, step: number): void {
      for (let i = 0; i < values.length; i++) {
        const value = values[i]!;
        // Most values are over no limit.
        if (value <= lowest) continue;
        if (Number.isNaN(value)) missing[i] = lastMissing = step + 1;
        else for (let at = 0; at < limits.length; at++) if (value > limits[at]!) overs[at]![i] = step + 1;
      }
    },
    /** Shares over the limit of a statistic from a step to the last one that was followed. Valid until the next call. */
    shares(statistic: Statistic, start: number): Float32Array {
      const last = overs[limits.indexOf(statistic.is === "share" ? statistic.threshold.value : Number.NaN)]!;
      over.fill(0);
      if (lastMissing <= start) {
        for (let member = 0; member < members; member++)
          for (let node = 0, at = member * nodes; node < nodes; node++, at++)
            if (last[at]! > start) over[node]!++;
        for (let node = 0; node < nodes; node++) out[node] = (100 * over[node]!) / members;
        return out;
      }
      counted.fill(0);
      for (let member = 0; member < members; member++)
        for (let node = 0, at = member * nodes; node < nodes; node++, at++) {
          const counts = missing[at]! <= start ? 1 : 0;
          counted[node]! += counts;
          over[node]! += last[at]! > start ? counts : 0;
        }
      for (let node = 0; node < nodes; node++)
        out[node] = counted[node] === 0 ? Number.NaN : (100 * over[node]!) / counted[node]!;
      return out;
    },
  };
}

/**
 * Derives a quantity of the members from its fields: the length of a vector, or the field itself.
 *
 * @param columns The fields of `quantity.output`, in its order, all of the same length; NaN = missing.
 * @param speeds Receives the lengths of a vector.
 * @returns The only column itself, or `speeds`.
 */
export function quantityOf(
  { output }: EnsembleQuantity,
  columns: readonly Float32Array[],
  speeds?: Float32Array,
): Float32Array {
  const [east, north] = columns as [Float32Array, Float32Array];
  if (output.is !== "speed") return east;
  speeds ??= new Float32Array(east.length);
  for (let i = 0; i < speeds.length; i++) speeds[i] = Math.sqrt(east[i]! * east[i]! + north[i]! * north[i]!);
  return speeds;
}

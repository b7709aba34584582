import { acceptedTimes } from "#lib/catalog/datasets.ts";
import { type VariableName, variable } from "#lib/catalog/variables.ts";
import type { PointMeta } from "#lib/contract/point.ts";
import { drivingVariables, march, type Passage, type Wanted } from "#lib/passage/march.ts";
import type { PassageQuestion } from "#lib/passage/question.ts";
import type { Weather } from "#lib/passage/weather.ts";
import type { Grouping } from "#server/archive/choose-run.ts";
import type { PointColumns, PointSource } from "#server/archive/reader.ts";
import type { Manifest, Run } from "#server/archive/run.ts";
import { turns } from "#server/platform/next-turn.ts";
import { describeRun } from "./meta.ts";
import { conditionsAt, WIND_HEIGHT } from "./points.ts";

export interface Evaluated {
  /** In the order of the departures. */
  passages: Passage[];
  /** The runs that the pieces' weather came from. */
  provenance: PointMeta["provenance"];
}

/**
 * Evaluates departures side by side: all of them go on by a piece, then the weather of all is read in one go, so that what
 * their ways have in common, a chunk of the archive above all, is read once. Times outside the window of POST /MetOcean have
 * no weather.
 *
 * @param departures Unix seconds.
 * @param now Weather clock when the request was accepted, Unix seconds.
 * @param progress Called with the number of pieces so far.
 */
export async function evaluatePassages(
  source: PointSource,
  manifest: Manifest,
  { legs, vessel, variables }: Pick<PassageQuestion, "legs" | "vessel" | "variables">,
  departures: readonly number[],
  now: number,
  signal: AbortSignal,
  progress: (pieces: number) => void = () => {},
): Promise<Evaluated> {
  const driving = drivingVariables(vessel);
  const window = acceptedTimes(now);
  const used: UsedRuns = new Map();
  const passages: Passage[] = [];
  let pieces = 0;
  const turn = turns(signal);
  let going = departures.map((departure, index) => {
    const way = march(legs, vessel, departure);
    return { index, way, step: way.next() };
  });
  while (true) {
    going = going.filter(({ index, step }) => {
      if (step.done) passages[index] = step.value;
      return !step.done;
    });
    if (going.length === 0) break;
    // They are all at the same of the two readings of a piece, but for those that began with another one.
    const whole = !going.some(({ step }) => !step.done && !step.value.whole);
    const reading = going.filter(({ step }) => !step.done && step.value.whole === whole);
    const wanted = reading.map(({ step }) => step.value as Wanted);
    const names = whole ? variables : driving;
    const read = await weatherAt(source, manifest, wanted, names, window, now, signal);
    if (whole) {
      count(used, wanted, read.groupings, window);
      pieces += wanted.length;
      progress(pieces);
    }
    for (const [at, one] of reading.entries()) one.step = one.way.next(read.weather[at]!);
    await turn();
  }
  return { passages, provenance: described(used, now) };
}

type TimeWindow = ReturnType<typeof acceptedTimes>;

const isIn = ({ first, last }: TimeWindow, time: number) => time >= first && time <= last;

type Groupings = ReadonlyMap<VariableName, Grouping>;

/** Weather of places in the order asked; nothing is known, and nothing read, outside the window of time. */
export async function weatherAt(
  source: PointSource,
  manifest: Manifest,
  wanted: readonly Wanted[],
  names: readonly VariableName[],
  window: TimeWindow,
  now: number,
  signal: AbortSignal,
): Promise<{ weather: Weather[]; groupings: Groupings }> {
  if (!wanted.some(({ time }) => isIn(window, time)))
    return { weather: wanted.map(() => unknown(names)), groupings: new Map() };
  const columns = columnsOf(wanted);
  const { conditions, groupings } = await conditionsAt(manifest, source, columns, names, now, signal);
  const weather = conditions.map((one, index): Weather => {
    const time = columns.time[index]!;
    return isIn(window, time) ? (one as Weather) : emptied(one);
  });
  return { weather, groupings };
}

function unknown(names: readonly VariableName[]): Weather {
  return Object.fromEntries(
    names.flatMap((name) => variable(name).outputs.map(({ point }) => [point, null])),
  );
}

function emptied(conditions: Readonly<Record<string, number | null>>): Weather {
  return Object.fromEntries(Object.keys(conditions).map((key) => [key, null]));
}

function columnsOf(wanted: readonly Wanted[]): PointColumns {
  return {
    count: wanted.length,
    latitude: Float64Array.from(wanted, ({ latitude }) => latitude),
    longitude: Float64Array.from(wanted, ({ longitude }) => longitude),
    time: Float64Array.from(wanted, ({ time }) => time),
  };
}

type UsedRuns = Map<VariableName, Map<Run, number[]>>;

/** A run that has times outside the window answers nothing there. */
function count(used: UsedRuns, wanted: readonly Wanted[], groupings: Groupings, window: TimeWindow): void {
  for (const [name, { groups }] of groupings) {
    const runs = used.get(name) ?? new Map<Run, number[]>();
    used.set(name, runs);
    for (const { run, indices } of groups) {
      for (const index of indices) {
        const { time } = wanted[index]!;
        if (!isIn(window, time)) continue;
        const times = runs.get(run);
        if (times) times.push(time);
        else runs.set(run, [time]);
      }
    }
  }
}

function described(used: UsedRuns, now: number): PointMeta["provenance"] {
  return [...used].flatMap(([name, runs]) =>
    [...runs].map(([run, times]) => describeRun(name, run, times, times.length, WIND_HEIGHT, now)),
  );
}

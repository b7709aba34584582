import { type Output, type VariableName, variable } from "#lib/catalog/variables.ts";
import type { BoxEnsemble } from "#lib/contract/ensemble.ts";
import type { MapMeta } from "#lib/contract/map2d.ts";
import { ensembleCaution } from "#lib/ensemble/caution.ts";
import { type MapField, type MapOutput, MIN_STORED, NULL_ENTRY } from "#lib/field/map-field.ts";
import { type Figure, figuresOf } from "#lib/table/ensemble-table.ts";
import { formatInstant } from "#lib/time.ts";
import type { NoRun } from "#server/archive/choose-run.ts";
import type { PointColumns, PointSource } from "#server/archive/reader.ts";
import type { EnsembleRun, Manifest } from "#server/archive/run.ts";
import { describeEnsemble, distribute, type Part, readEnsemble } from "./read.ts";
import type { WindAsked } from "./stored.ts";

/** Nodes and times of a box. */
export interface BoxNodes {
  /** Degrees north, ascending, and degrees east, west to east. */
  latitude: Float64Array;
  longitude: Float64Array;
  /** Unix seconds, ascending. */
  times: readonly number[];
  isRange: boolean;
}

/** Answer to a box from an ensemble. */
export interface EnsembleBox {
  field: MapField;
  meta: MapMeta;
  synthetic: boolean;
}

/** Height of the wind of a box, metres above the surface. */
const WIND_HEIGHT = 10;

/**
 * Number of nodes × times whose members are read together: few enough for their chunks to stay in the cache while one member
 * is read after another.
 */
const POINTS_PER_READ = 4096;

/** The numbers that a box has of each output: statistics, or undefined for the members themselves. */
export function boxFigures(output: Output, asked: BoxEnsemble): Figure[] | undefined {
  if (asked.members) return undefined;
  return figuresOf(output, asked).filter(
    ({ is }) => is === "percentile" || is === "share" || asked.statistics.some((name) => name === is),
  );
}

/**
 * Reads statistics of an ensemble, or its members, at the nodes of a box. The numbers are those that `answerEnsemble` has
 * there.
 *
 * @param runs That of `manifestOfEnsemble`.
 * @param members Members that have values of the variable, ascending.
 * @param now Weather clock, Unix seconds.
 */
export async function readEnsembleBox(
  source: PointSource,
  runs: Manifest,
  nodes: BoxNodes,
  name: VariableName,
  members: readonly number[],
  asked: BoxEnsemble,
  now: number,
  signal: AbortSignal,
): Promise<EnsembleBox> {
  const { latitude, longitude, times, isRange } = nodes;
  const size = latitude.length * longitude.length;
  const layers = asked.members ? members.length : 1;
  const outputs = variable(name).outputs.filter(({ map2d }: Output) => map2d !== undefined);
  const written = new Map(
    outputs.map((output: Output) => [output.point, fieldsOf(output, asked, layers * times.length * size)]),
  );
  const question: WindAsked = { ...asked, wind_height: WIND_HEIGHT };
  const answered = new Map<EnsembleRun, Map<number, number>>();
  const unanswered = new Map<NoRun, number>();
  let missing = 0;

  const together = Math.max(1, Math.floor(POINTS_PER_READ / times.length));
  for (let from = 0; from < size; from += together) {
    const count = Math.min(together, size - from);
    const points = pointsOf(nodes, from, count);
    const [part] = await readEnsemble(source, runs, points, [name], question, now, signal);
    const isMissing = new Uint8Array(points.count).fill(1);
    countRuns(part!, points, answered);
    for (const { reason, indices } of part!.unanswered) {
      unanswered.set(reason, (unanswered.get(reason) ?? 0) + indices.length);
      for (const index of indices) isMissing[index] = 0;
    }
    const write = (output: Output, index: number, distribution: Parameters<Figure["of"]>[0] | null) => {
      // A run that keeps no members has statistics alone.
      if (!distribution || (asked.members && !distribution.values)) return;
      isMissing[index] = 0;
      // A point is a node at a time; times of a node stand one after another in a read, and far apart in the field.
      const at = (index % times.length) * size + from + Math.floor(index / times.length);
      for (const { figure, field } of written.get(output.point) ?? []) {
        if (figure) field.entries[at] = entryOf(figure.of(distribution), field.decimals);
        else
          for (const [layer, value] of distribution.values!.entries())
            field.entries[layer * times.length * size + at] = entryOf(value, field.decimals);
      }
    };
    await distribute(part!, question, members, write, signal);
    for (const one of isMissing) missing += one;
  }

  const ensembles = [...answered].map(([run, ofTimes]) => {
    const points = [...ofTimes.values()].reduce((sum, count) => sum + count, 0);
    return describeEnsemble(name, run, [...ofTimes.keys()], points, question, now);
  });
  const found = [...answered.keys()];
  return {
    field: {
      latitude,
      longitude,
      times: times.map(formatInstant),
      isRange,
      ...(asked.members && { members }),
      ensembleSize: Math.max(0, ...found.map(({ ensemble }) => ensemble.size)),
      outputs: [...written.values()].flatMap((fields) => fields.map(({ field }) => field)),
    },
    meta: {
      provenance: ensembles.map(({ ensemble, members: _, size: __, from: ___, ...one }) => ({
        ...one,
        dataset: "Forecast",
        answer: ensemble,
      })),
      nulls: [
        ...[...unanswered].map(([reason, points]) => ({ reason, points })),
        ...(missing > 0 ? [{ reason: "missing" as const, points: missing }] : []),
      ],
      ensembles,
      caution: ensembleCaution(found),
    },
    synthetic: found.some(({ provenance }) => provenance === "synthetic"),
  };
}

/** A field of the answer, and the number of a distribution that it has; undefined for members. */
interface Written {
  figure?: Figure;
  field: MapOutput;
}

function fieldsOf(output: Output, asked: BoxEnsemble, length: number): Written[] {
  const name = output.map2d!;
  const { unit, title, decimals } = output;
  const entries = () => new Uint16Array(length).fill(NULL_ENTRY);
  const figures = boxFigures(output, asked);
  if (!figures) return [{ field: { name, unit, title, decimals, entries: entries() } }];
  return figures.map((figure) => ({
    figure,
    field: {
      name: `${name}_${figure.suffix}`,
      unit: figure.unit ?? unit,
      title: `${title}, ${figure.title}`,
      decimals: figure.decimals ?? decimals,
      statistic: { of: name, is: figure.is },
      entries: entries(),
    },
  }));
}

/** @param value Rounded to the decimals. */
function entryOf(value: number | null | undefined, decimals: number): number {
  return value === null || value === undefined ? NULL_ENTRY : Math.round(value * 10 ** decimals) - MIN_STORED;
}

/** Nodes `from` … `from + count`, each with all times. */
function pointsOf({ latitude, longitude, times }: BoxNodes, from: number, count: number): PointColumns {
  const all = count * times.length;
  const points = {
    count: all,
    latitude: new Float64Array(all),
    longitude: new Float64Array(all),
    time: new Float64Array(all),
  };
  for (let index = 0; index < all; index++) {
    const node = from + Math.floor(index / times.length);
    points.latitude[index] = latitude[Math.floor(node / longitude.length)]!;
    points.longitude[index] = longitude[node % longitude.length]!;
    points.time[index] = times[index % times.length]!;
  }
  return points;
}

/** Counts how many nodes each run answered at each time. */
function countRuns(
  { groups }: Part,
  { time }: PointColumns,
  answered: Map<EnsembleRun, Map<number, number>>,
): void {
  for (const { run, indices } of groups) {
    const ofTimes = answered.get(run) ?? new Map<number, number>();
    answered.set(run, ofTimes);
    for (const index of indices) ofTimes.set(time[index]!, (ofTimes.get(time[index]!) ?? 0) + 1);
  }
}

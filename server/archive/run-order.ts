import type { DatasetName } from "#lib/catalog/datasets.ts";
import { type FieldName, outputsIn } from "#lib/catalog/fields.ts";
import { type VariableName, variable, variableNames } from "#lib/catalog/variables.ts";
import { HOUR_S } from "#lib/time.ts";
import type { Manifest, Run } from "./run.ts";

/**
 * A forecast whose base time is this much older than the newest of its variable ranks last, whatever its source,
 * because its feed is dead. Seconds. The limit is longer than 30 hours, by which another source's newest run may be
 * ahead between two daily runs.
 */
const OUTDATED_S = 36 * HOUR_S;

/** A run that has an output of a variable, and the span of time for which it answers. */
export interface Candidate {
  run: Run;
  /** Unix seconds, both included. */
  first: number;
  last: number;
  /** How many of the variable's outputs the run lacks altogether. */
  lacking: number;
  /** Spans of the outputs that it has. */
  spans: readonly Span[];
}

/** Unix seconds, both included. */
interface Span {
  first: number;
  last: number;
}

/** The candidates of some time, best first. */
interface Order {
  /** Unix seconds; the order applies until the next one begins. */
  from: number;
  candidates: readonly Candidate[];
}

type Orders = Map<VariableName, Map<DatasetName, Order[]>>;

const orders = new WeakMap<Manifest, Orders>();

/** Runs of a dataset that have a variable, best first where one order holds for all times. */
export function candidates(manifest: Manifest, dataset: DatasetName, name: VariableName): Candidate[] {
  return [...new Set(ordersOf(manifest, dataset, name).flatMap((order) => order.candidates))];
}

/** Runs of a dataset that may answer for a variable at a time, best first. Their steps need not bracket it. */
export function candidatesAt(
  manifest: Manifest,
  dataset: DatasetName,
  name: VariableName,
  time: number,
): readonly Candidate[] {
  const all = ordersOf(manifest, dataset, name);
  let low = 0;
  let high = all.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (time < all[middle]!.from) high = middle - 1;
    else low = middle;
  }
  return all[low]?.candidates ?? none;
}

const none: readonly Candidate[] = [];

/**
 * Returns the orders of a variable's runs, ascending by time. There is one order if each run has its outputs for the
 * same steps; each time at which a run gains or loses an output adds one. They are sorted once for each manifest.
 */
export function ordersOf(manifest: Manifest, dataset: DatasetName, name: VariableName): readonly Order[] {
  const known = orders.get(manifest);
  const order = known ?? sortedCandidates(manifest);
  if (!known) orders.set(manifest, order);
  return order.get(name)?.get(dataset) ?? [];
}

function sortedCandidates({ runs, sourceOrder }: Manifest): Orders {
  const order: Orders = new Map();
  for (const name of variableNames) {
    const sources = sourceOrder?.[name] ?? [];
    const found = runs.flatMap((run) => asCandidate(run, name) ?? []);
    const newest = found.reduce(
      (most, { run }) => Math.max(most, run.referenceTime),
      Number.NEGATIVE_INFINITY,
    );
    const compareAt = (time: number) => (a: Candidate, b: Candidate) =>
      outdated(a, newest) - outdated(b, newest) ||
      lackingAt(a, time) - lackingAt(b, time) ||
      // A source that the order does not know, -1, is the operator's own: it comes first, where its grid is.
      sources.indexOf(a.run.source) - sources.indexOf(b.run.source) ||
      b.run.referenceTime - a.run.referenceTime;
    const datasets = Map.groupBy(found, ({ run }) => run.dataset);
    order.set(name, new Map([...datasets].map(([dataset, all]) => [dataset, ordersByTime(all, compareAt)])));
  }
  return order;
}

function ordersByTime(
  all: readonly Candidate[],
  compareAt: (time: number) => (a: Candidate, b: Candidate) => number,
): Order[] {
  const changes = new Set(all.flatMap(changesOf));
  const begins = [Number.NEGATIVE_INFINITY, ...[...changes].sort((a, b) => a - b)];
  return begins.map((from, index) => {
    const until = begins[index + 1];
    const some =
      until === undefined && index === 0
        ? all
        : all.filter(({ first, last }) => last >= from && (until === undefined || first < until));
    return { from, candidates: some.toSorted(compareAt(from)) };
  });
}

/** The times, whole seconds, within its span from which a run has more or fewer outputs. */
function changesOf({ first, last, spans }: Candidate): number[] {
  return spans.flatMap((span) => [span.first, span.last + 1]).filter((time) => time > first && time <= last);
}

/** How many of the variable's outputs a run lacks at a time; before it begins, at its beginning. */
function lackingAt({ first, last, lacking, spans }: Candidate, time: number): number {
  const at = Math.min(Math.max(time, first), last);
  return spans.reduce((sum, span) => (at < span.first || at > span.last ? sum + 1 : sum), lacking);
}

/**
 * Returns 1 for an outdated forecast. A run that stays valid beyond its last step, such as a daily analysis, is old by
 * nature.
 */
function outdated({ run: { dataset, referenceTime, holds } }: Candidate, newest: number): number {
  return dataset === "Forecast" && !holds && newest - referenceTime > OUTDATED_S ? 1 : 0;
}

/** Returns undefined if the run has none of the outputs whole. */
function asCandidate(run: Run, name: VariableName): Candidate | undefined {
  const outputs = outputsIn(run.fields, name);
  if (outputs.length === 0) return undefined;
  const spans = outputs.map(({ of }) => {
    const all = of.map((field) => spanOf(run, field));
    return {
      first: Math.max(...all.map(({ first }) => first)),
      last: Math.min(...all.map(({ last }) => last)),
    };
  });
  return {
    run,
    first: Math.min(...spans.map(({ first }) => first)),
    last: Math.max(...spans.map(({ last }) => last)),
    lacking: variable(name).outputs.length - outputs.length,
    spans,
  };
}

function spanOf({ times, fields, holds = 0 }: Run, field: FieldName): Span {
  const steps = fields[field]?.steps;
  const first = steps ? steps[0] : 0;
  const last = steps ? steps.at(-1) : times.length - 1;
  return {
    first: times[first ?? -1] ?? Number.POSITIVE_INFINITY,
    last: (times[last ?? -1] ?? Number.NEGATIVE_INFINITY) + holds,
  };
}

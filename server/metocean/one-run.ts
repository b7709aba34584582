import { type Box, unionBox } from "@open-metocean/geo/box";
import { coversGlobe, normaliseLongitude, wraps } from "@open-metocean/geo/grid";
import type { DatasetName } from "#lib/catalog/datasets.ts";
import { outputsIn } from "#lib/catalog/fields.ts";
import type { VariableName } from "#lib/catalog/variables.ts";
import { manifestOfEnsemble, manifestOfMember } from "#server/archive/ensembles.ts";
import { manifestOfModel } from "#server/archive/one-model.ts";
import type { Manifest, Run } from "#server/archive/run.ts";
import type { MapSource } from "./box-read.ts";

/** Runs of datasets that answer for some variable, newest first. */
export function runsWith(
  manifest: Manifest,
  datasets: readonly DatasetName[],
  names: readonly VariableName[],
): Run[] {
  const earlier = datasets.includes("Forecast") ? (manifest.earlier ?? []) : [];
  const all = [...manifest.runs, ...earlier].filter(
    (run) => datasets.includes(run.dataset) && variablesOf(run, names).length > 0,
  );
  return all.sort((a, b) => b.referenceTime - a.referenceTime || (a.id < b.id ? -1 : 1));
}

/** Returns those of some variables of which a run has an output. */
export function variablesOf({ fields }: Run, names: readonly VariableName[]): VariableName[] {
  return names.filter((name) => outputsIn(fields, name).length > 0);
}

/** The bounding box of runs; that of the globe for none. */
export function boxOfRuns(runs: readonly Run[]): Box {
  const globe = { south: -90, north: 90, west: -180, east: 180 };
  if (runs.some(({ grid }) => coversGlobe(grid))) return globe;
  return unionBox(runs.map(boxOfRun)) ?? globe;
}

function boxOfRun({ grid: { latitude, longitude } }: Run): Box {
  const end = ({ start, step, count }: typeof latitude) => start + step * (count - 1);
  const [south, north] = [latitude.start, end(latitude)];
  if (wraps(longitude)) return { south, north, west: -180, east: 180 };
  return {
    south,
    north,
    west: normaliseLongitude(longitude.start),
    east: normaliseLongitude(end(longitude)),
  };
}

/** First and last time at which some run answers for a variable, Unix seconds; undefined for none. */
export function spanOfRuns(runs: readonly Run[]): { first: number; last: number } | undefined {
  const ends = runs.flatMap(({ times, holds = 0 }) => [times[0]!, times.at(-1)! + holds]);
  return ends.length === 0 ? undefined : { first: Math.min(...ends), last: Math.max(...ends) };
}

/** An archive in which one run is the only one: the same readers, samplers and rules answer from it alone. */
export function sourceOfRun(source: MapSource, run: Run): MapSource {
  const only = ({ earlier: _earlier, ...manifest }: Manifest): Manifest => ({ ...manifest, runs: [run] });
  const cached = new WeakMap<Manifest, Manifest>();
  return reducedSource(source, (manifest) => {
    const known = cached.get(manifest) ?? only(manifest);
    cached.set(manifest, known);
    return known;
  });
}

/** An archive in which one model answers alone. */
export function sourceOfModel(source: MapSource, model: string): MapSource {
  return reducedSource(source, (manifest) => manifestOfModel(manifest, model));
}

/** An archive in which one member of an ensemble answers alone. @param number CF realization, 0 = control. */
export function sourceOfMember(source: MapSource, ensemble: string, number: number): MapSource {
  return reducedSource(source, (manifest) => manifestOfMember(manifest, ensemble, number));
}

/** An archive in which an ensemble answers, with the statistics of its members. */
export function sourceOfEnsemble(source: MapSource, ensemble: string): MapSource {
  return reducedSource(source, (manifest) => manifestOfEnsemble(manifest, ensemble));
}

/** @param reduced Returns the same object for the same manifest, because caches use its identity as their key. */
function reducedSource(source: MapSource, reduced: (manifest: Manifest) => Manifest): MapSource {
  return {
    manifest: async () => reduced(await source.manifest()),
    refresh: async () => reduced(await source.refresh()),
    valuesAt: (...request) => source.valuesAt(...request),
    mapStep: (...request) => source.mapStep(...request),
    waitsFor: source.waitsFor,
    stepCache: source.stepCache,
  };
}

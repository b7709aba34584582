import type { FieldName } from "#lib/catalog/fields.ts";
import { rowOf } from "#lib/catalog/fields.ts";
import type { VariableName } from "#lib/catalog/variables.ts";
import { emptyCell, locate } from "#lib/field/interpolate.ts";
import { type Candidate, candidatesAt, chooseRun, type NoRun } from "./choose-run.ts";
import type { Manifest, Run } from "./run.ts";

/** Why no forecast run answers: also where a hindcast does, or what was condensed from many runs. */
export type NoForecast = NoRun | "past" | "static";

const manifests = new WeakMap<Manifest, Manifest>();
const cell = emptyCell();

/**
 * The forecasts that answer for a variable at a time and a place, newest first, one for each base time: that which `chooseRun`
 * chooses, and those of the same source from which it chose before that run was published.
 *
 * @param time Unix seconds.
 * @param now Weather clock, Unix seconds.
 */
export function forecastsAt(
  manifest: Manifest,
  name: VariableName,
  latitude: number,
  longitude: number,
  time: number,
  now: number,
): Run[] | NoForecast {
  const newest = chooseRun(manifest, name, latitude, longitude, time, now);
  if (typeof newest === "string") return newest;
  if (newest.dataset === "Static") return "static";
  if (!isForecast(newest)) return "past";
  const found = [newest];
  for (const { run, first, last } of forecasts(manifest, name, time)) {
    if (run.source !== newest.source || time < first || time > last) continue;
    if (run.referenceTime >= found.at(-1)!.referenceTime || !isForecast(run)) continue;
    if (locate(run.grid, latitude, longitude, cell)) found.push(run);
  }
  return found;
}

/** Forecasts that have a variable at a time, by preference of their source, then newest first. */
function forecasts(manifest: Manifest, name: VariableName, time: number): readonly Candidate[] {
  const { earlier = [], ...published } = manifest;
  if (earlier.length === 0) return candidatesAt(manifest, "Forecast", name, time);
  const all = manifests.get(manifest) ?? { ...published, runs: [...published.runs, ...earlier] };
  manifests.set(manifest, all);
  return candidatesAt(all, "Forecast", name, time);
}

/** Whether a run is one forecast. The archive of forecasts is made of the shortest leads of many, and has nothing else. */
function isForecast({ dataset, condensed, fields }: Run): boolean {
  if (dataset !== "Forecast" || condensed) return false;
  return (Object.keys(fields) as FieldName[]).some((name) => !rowOf(name)?.archiveOnly);
}

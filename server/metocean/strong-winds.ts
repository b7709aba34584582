import { coversGlobe, normaliseLongitude } from "@open-metocean/geo/grid";
import { toKnots } from "@open-metocean/geo/knots";
import { type DrawnVariable, paintedOutput, variableOf } from "#lib/catalog/colours.ts";
import { type FieldName, fields } from "#lib/catalog/fields.ts";
import { FILL } from "#lib/catalog/fill.ts";
import type { StrongWind } from "#lib/contract/strong-wind.ts";
import { eastwards } from "#lib/field/window.ts";
import { type Catalog, withManifest } from "#server/archive/catalog.ts";
import type { MapStep, MapStepRequest } from "#server/archive/map-step.ts";
import { type Manifest, type Run, stepsWith } from "#server/archive/run.ts";
import { candidatesAt } from "#server/archive/run-order.ts";

/** The part of the archive from which strong winds are read. */
interface WindSource extends Catalog {
  mapStep(...request: MapStepRequest): Promise<MapStep>;
}

/** Side of the parts of the Earth of which each has one strongest wind, degrees. */
const PART = 20;

/** Highest latitude that is searched: beyond it ice lies on the sea, and Mercator's map is mostly land. */
const MAX_LATITUDE = 65;

/**
 * Returns a function that reads the strongest winds at sea now. It reads the coarsest level of one step, which the map
 * requests first anyway, and caches the answer until the step or the run changes.
 *
 * @param source The archive. Without a global run of the wind, or where it cannot be read, there are no winds.
 * @param now Weather clock, Unix seconds.
 */
export function strongWinds(source: WindSource, now: () => number): () => Promise<readonly StrongWind[]> {
  let known: { of: string; winds: Promise<readonly StrongWind[]> } | undefined;
  const signal = new AbortController().signal;
  return async () => {
    try {
      return await withManifest(source, async (manifest) => {
        const time = now();
        const wind = stepAt(manifest, "wind", time);
        const wave = stepAt(manifest, "wave", time);
        if (!wind) return [];
        const of = [wind, wave].map((step) => step && `${step.run.id} ${step.index}`).join();
        known = known?.of === of ? known : { of, winds: readWinds(source, wind, wave, signal) };
        return await known.winds;
      });
    } catch {
      // The map opens without them, and reports a damaged archive itself.
      known = undefined;
      return [];
    }
  };
}

/** One step of a run. */
interface RunStep {
  run: Run;
  index: number;
  names: readonly FieldName[];
}

/** The step of a global forecast that is nearest to a time. */
function stepAt(manifest: Manifest, name: DrawnVariable, time: number): RunStep | undefined {
  const names = paintedOutput(name).of;
  const found = candidatesAt(manifest, "Forecast", variableOf(name), time).find(
    ({ run, first, last }) => time >= first && time <= last && coversGlobe(run.grid),
  );
  const steps = found && stepsWith(found.run, names);
  if (!found || !steps?.length) return undefined;
  const { run } = found;
  const distance = (step: number) => Math.abs(run.times[step]! - time);
  return { run, names, index: steps.reduce((near, step) => (distance(step) < distance(near) ? step : near)) };
}

async function readWinds(
  source: WindSource,
  wind: RunStep,
  wave: RunStep | undefined,
  signal: AbortSignal,
): Promise<readonly StrongWind[]> {
  const read = ({ run, index, names }: RunStep) =>
    Promise.all(names.map((name) => source.mapStep(run, name, index, run.levels.at(-1)!, signal)));
  const [[eastward, northward], sea] = await Promise.all([read(wind), wave ? read(wave) : []]);
  const scale = fields[wind.names[0]!].scale;
  return strongest(eastward!, northward!, scale, sea[0]);
}

/**
 * The strongest wind of each part of the Earth, at sea.
 *
 * @param scale m s-1 for each stored unit of both components.
 * @param sea Heights of waves, which are missing on land and under ice; without them, land counts as sea.
 */
export function strongest(
  { grid, values: eastward }: MapStep,
  { values: northward }: Pick<MapStep, "values">,
  scale: number,
  sea: MapStep | undefined,
): StrongWind[] {
  const parts = new Map<number, StrongWind>();
  const { latitude: rows, longitude: columns } = grid;
  for (let row = 0; row < rows.count; row++) {
    const latitude = rows.start + row * rows.step;
    if (Math.abs(latitude) > MAX_LATITUDE) continue;
    for (let column = 0; column < columns.count; column++) {
      const node = row * columns.count + column;
      const [u, v] = [eastward[node]!, northward[node]!];
      if (u === FILL || v === FILL) continue;
      const longitude = normaliseLongitude(columns.start + column * columns.step);
      const part = Math.floor((latitude + 90) / PART) * 360 + Math.floor((longitude + 180) / PART);
      const knots = Math.round(toKnots(scale * Math.hypot(u, v)));
      if (knots <= (parts.get(part)?.[2] ?? 0)) continue;
      if (sea && !hasValue(sea, latitude, longitude)) continue;
      parts.set(part, [latitude, longitude, knots]);
    }
  }
  return [...parts.values()];
}

/** Whether the node nearest to a place has a value. */
function hasValue({ grid, values }: MapStep, latitude: number, longitude: number): boolean {
  const { latitude: rows, longitude: columns } = grid;
  const row = Math.round((latitude - rows.start) / rows.step);
  const column = Math.round(eastwards(longitude - columns.start) / columns.step) % columns.count;
  return row >= 0 && row < rows.count && values[row * columns.count + column] !== FILL;
}

import { coordinate, normaliseLongitude } from "@open-metocean/geo/grid";
import { type FieldName, fields } from "#lib/catalog/fields.ts";
import { formatInstant } from "#lib/time.ts";
import { directoryStore } from "#server/archive/directory-store.ts";
import { readManifest } from "#server/archive/manifest.ts";
import { openReader } from "#server/archive/reader.ts";
import type { Run } from "#server/archive/run.ts";
import { columnsOf } from "#test/archive.ts";
import { analyticValue } from "#test/feeds-mirror/analytic.ts";
import { seeded } from "#test/seeded.ts";

/** Tolerance for rounding in the files, in the unit of the catalog, and larger tolerances by field. */
export const FILE_PRECISION = 0.0051;
export const precision: Partial<Record<FieldName, number>> = {
  precipitation_flux: 0.0004,
  atmosphere_convective_available_potential_energy: 0.51,
  cloud_area_fraction: 0.051,
  air_pressure_at_mean_sea_level: 0.0021,
  // Swell combines three rounded partitions; where they are low, their weights vary too.
  sea_surface_swell_wave_significant_height: 0.009,
  sea_surface_swell_wave_mean_period: 0.06,
  sea_surface_swell_wave_from_direction_x: 0.02,
  sea_surface_swell_wave_from_direction_y: 0.02,
  sea_floor_depth_below_sea_surface: 0.01,
};

/** Tolerances of single models: ARPEGE's rain is the difference of sums since the base time, each packed into 16 bits. */
const precisionBySource: Readonly<Record<string, Partial<Record<FieldName, number>>>> = {
  arpege: { precipitation_flux: 0.004 },
};

/** A published value that differs from the planet's. */
export interface WrongValue {
  run: string;
  field: string;
  latitude: number;
  longitude: number;
  time: string;
  found: number;
  truth: number;
}

/**
 * Compares published runs with the planet, at some nodes of every step of every field.
 *
 * @param checked Ids of runs that were compared before; new ones are added. Runs are immutable.
 * @returns The values that differ by more than packing, and the number of comparisons.
 */
export async function checkArchive(
  archive: string,
  checked: Set<string>,
  nodes = 24,
): Promise<{ wrong: WrongValue[]; compared: number }> {
  // Runs of ensembles are compared by checkEnsembles.
  const runs = (await readManifest(archive)).runs.filter((run) => !run.ensemble && !checked.has(run.id));
  const wrong: WrongValue[] = [];
  let compared = 0;
  if (runs.length === 0) return { wrong, compared };
  const reader = openReader(directoryStore(archive), { cacheBytes: 1 << 20 });
  for (const run of runs) {
    checked.add(run.id);
    const random = seeded(run.referenceTime % 1_000_003);
    for (const name of Object.keys(run.fields) as FieldName[]) {
      const places = Array.from({ length: nodes }, () => node(run, random));
      const steps = run.fields[name]!.steps ?? run.times.map((_, step) => step);
      const rows = steps.flatMap((step) =>
        places.map(([latitude, longitude]) => [latitude, longitude, run.times[step]!] as const),
      );
      const points = columnsOf(rows);
      const out = new Float64Array(points.count);
      const indices = Int32Array.from(rows, (_, i) => i);
      await reader.valuesAt(run, name, points, indices, out, new AbortController().signal);
      compared += rows.length;
      for (const [i, [latitude, longitude, time]] of rows.entries()) {
        const window = { from: time - meanOf(run, name), to: time };
        const truth = analyticValue(name, latitude, longitude, window);
        const found = out[i]!;
        if (Number.isNaN(truth) && Number.isNaN(found)) continue;
        const rounding = precisionBySource[run.source]?.[name] ?? precision[name] ?? FILE_PRECISION;
        const tolerance = rounding + fields[name].scale / 2;
        if (Math.abs(found - truth) <= tolerance) continue;
        wrong.push({
          run: run.id,
          field: name,
          latitude,
          longitude,
          time: formatInstant(time),
          found,
          truth,
        });
      }
    }
  }
  return { wrong, compared };
}

/** Length of the window that the values of a field are the mean of, seconds; 0 where they are of an instant. */
function meanOf({ fields }: Run, name: FieldName): number {
  const [, hours = "0"] = /^([\d.]+)-h average/.exec(fields[name]?.comment ?? "") ?? [];
  return Number(hours) * 3600;
}

function node({ grid }: Run, random: () => number): [number, number] {
  const { latitude, longitude } = grid;
  return [
    coordinate(latitude, Math.floor(random() * latitude.count)),
    normaliseLongitude(coordinate(longitude, Math.floor(random() * longitude.count))),
  ];
}

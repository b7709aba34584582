import type { Grid } from "@open-metocean/geo/grid";
import { LRUCache } from "lru-cache";
import { type Statistic, spanHours, statisticOf, statistics } from "#lib/catalog/ensemble.ts";
import { type FieldName, fieldsOf } from "#lib/catalog/fields.ts";
import type { StoredName } from "#lib/catalog/stored-names.ts";
import { quantityOf, statisticsOfSteps } from "#lib/ensemble/step-statistics.ts";
import { HOUR_S } from "#lib/time.ts";
import type { Run } from "#server/archive/run.ts";
import { groupOf, type Values } from "./field-groups.ts";
import { perturbationOf } from "./runs.ts";
import type { World } from "./static/world.ts";

/**
 * The planet is computed at multiples of this, seconds, and interpolated between them as between two steps of any run.
 * Seas change more slowly than winds. Both divide the steps of the run, so that the control equals the planet.
 */
const snapshotSeconds = (name: FieldName) => (fieldsOf("wave").includes(name) ? 6 : 3) * HOUR_S;

/** Pressure from which a stronger member deviates more, hPa. */
const MEAN_PRESSURE = 1013;

/**
 * How a field grows with the strength of a member. Winds grow with the slope of the pressure. The heights and periods of
 * seas grow as those of wind seas do, so that they become no steeper.
 */
const powers: Partial<Record<FieldName, number>> = {
  air_pressure_at_mean_sea_level: 1,
  eastward_wind_10m: 1,
  northward_wind_10m: 1,
  wind_speed_of_gust: 1,
  sea_surface_wave_significant_height: 1.5,
  sea_surface_wave_mean_period: 0.75,
};

/** The stored names that are best computed together with one. */
export function ensembleGroupOf(name: StoredName): readonly StoredName[] {
  const statistic = statisticOf(name);
  if (!statistic) return fieldsWith(name as FieldName);
  return statistics
    .filter((other) => other.quantity === statistic.quantity && spanHours(other) === spanHours(statistic))
    .map((other) => other.name);
}

const fieldsWith = (name: FieldName): readonly FieldName[] =>
  fieldsOf("wave").includes(name) ? fieldsOf("wave") : groupOf(name).fields;

/**
 * Values of members and their statistics in the ensemble of the demo at a step.
 *
 * @param names Names of one group: see `ensembleGroupOf`.
 * @returns A field: (members, rows, columns); a statistic: (rows, columns).
 */
export function ensembleValues(
  world: World,
  run: Run,
  names: readonly StoredName[],
  grid: Grid,
  step: number,
): Partial<Record<StoredName, Float32Array>> {
  const wanted = names.flatMap((name) => statisticOf(name) ?? []);
  if (wanted.length === 0) return membersAt(world, run, names as readonly FieldName[], grid, step);
  const [{ quantity }] = wanted as [Statistic];
  const span = Math.max(...wanted.map((statistic) => spanHours(statistic) ?? 0)) * HOUR_S;
  const times = run.times.slice(step).filter((time) => time <= run.times[step]! + span);
  const nodes = grid.latitude.count * grid.longitude.count;
  const computing = statisticsOfSteps(wanted, times, run.ensemble!.members.length, nodes);
  const found: Partial<Record<StoredName, Float32Array>> = {};
  const { of } = quantity.output;
  // The steps of a span use the same memory.
  let members: Members = {};
  let speeds: Float32Array | undefined;
  for (const later of times.keys()) {
    members = membersAt(world, run, of, grid, step + later, members);
    speeds = quantityOf(
      quantity,
      of.map((field) => members[field]!),
      speeds,
    );
    for (const { statistic, step: at, values } of computing.add(speeds))
      if (at === 0) found[statistic.name] = values.slice();
  }
  return found;
}

type Members = Partial<Record<FieldName, Float32Array>>;

/** The values of each member: (members, rows, columns). @param out Memory from an earlier call, which is overwritten. */
function membersAt(
  world: World,
  run: Run,
  names: readonly FieldName[],
  grid: Grid,
  step: number,
  out: Members = {},
): Members {
  const nodes = grid.latitude.count * grid.longitude.count;
  const count = run.ensemble!.members.length;
  for (const name of names) out[name] ??= new Float32Array(count * nodes);
  const every = snapshotSeconds(names[0]!);
  for (let member = 0; member < count; member++) {
    const { early, strength } = perturbationOf(run, step, member);
    const time = run.times[step]! + early;
    const before = Math.floor(time / every) * every;
    const later = (time - before) / every;
    const first = snapshot(world, names, grid, before);
    const second = later === 0 ? first : snapshot(world, names, grid, before + every);
    for (const name of names) {
      const factor = strength ** (powers[name] ?? 0);
      const about = name === "air_pressure_at_mean_sea_level" ? MEAN_PRESSURE : 0;
      const [from, to, into] = [first[name]!, second[name]!, out[name]!];
      for (let node = 0, at = member * nodes; node < nodes; node++, at++)
        into[at] = about + factor * (from[node]! + later * (to[node]! - from[node]!) - about);
    }
  }
  return out;
}

/** Memory of a thread for snapshots, bytes, which holds those of a span on half a globe. */
const SNAPSHOT_BYTES = 32 * 2 ** 20;

/** Snapshots of the planet, which members and steps share. */
const snapshots = new LRUCache<string, Values>({
  maxSize: SNAPSHOT_BYTES,
  sizeCalculation: (values, key) =>
    Object.values(values).reduce((sum, { byteLength }) => sum + byteLength, 2 * key.length),
});

/** Fields of the planet at an instant. */
function snapshot(world: World, names: readonly FieldName[], grid: Grid, time: number): Values {
  const { latitude, longitude } = grid;
  const places = [latitude.start, latitude.count, longitude.start, longitude.count, latitude.step];
  const key = [world.seed, names.join(), time, ...places].join(" ");
  const known = snapshots.get(key);
  if (known) return known;
  const computed = groupOf(names[0]!).compute(world, { grid, time });
  const values: Values = {};
  for (const name of names) values[name] = computed[name]!;
  snapshots.set(key, values);
  return values;
}

import { coordinate, normaliseLongitude } from "@open-metocean/geo/grid";
import { type Statistic, statisticOf } from "#lib/catalog/ensemble.ts";
import type { FieldName } from "#lib/catalog/fields.ts";
import { storedField } from "#lib/catalog/stored-names.ts";
import { formatInstant, HOUR_S } from "#lib/time.ts";
import { directoryStore } from "#server/archive/directory-store.ts";
import { readManifest } from "#server/archive/manifest.ts";
import { openReader } from "#server/archive/reader.ts";
import { type EnsembleRun, isEnsemble } from "#server/archive/run.ts";
import { columnsOf } from "#test/archive.ts";
import { type AnalyticField, analyticValue } from "#test/feeds-mirror/analytic.ts";
import { timeOfMember } from "#test/feeds-mirror/members.ts";
import { seeded } from "#test/seeded.ts";
import { FILE_PRECISION, precision, type WrongValue } from "./check-archive.ts";

interface Place {
  latitude: number;
  longitude: number;
  /** Unix seconds. */
  time: number;
}

/**
 * Compares the published runs of ensembles with the members of the planet, at some nodes of every step: stored members one by
 * one, and statistics with plain counting over the members that the run names.
 *
 * @param checked Ids of runs that were compared before; new ones are added.
 * @param lacks Tells whether a member of a cycle must be missing at a time, Unix seconds. "what is missing" accepts any step of
 *   a stored member that is missing as a whole.
 */
export async function checkEnsembles(
  archive: string,
  checked: Set<string>,
  nodes = 8,
  lacks: "what is missing" | ((cycle: number, member: number, time: number) => boolean) = () => false,
): Promise<{ wrong: WrongValue[]; compared: number }> {
  const runs = (await readManifest(archive)).runs.filter(isEnsemble).filter(({ id }) => !checked.has(id));
  const wrong: WrongValue[] = [];
  let compared = 0;
  if (runs.length === 0) return { wrong, compared };
  /** Members and times, "member time", at which the run has nothing of them. */
  let missing = new Set<string>();
  const isLacking = (cycle: number, member: number, time: number) =>
    lacks === "what is missing" ? missing.has(`${member} ${time}`) : lacks(cycle, member, time);
  /** Values of the run that is being compared, because each statistic counts the same ones. */
  const known = new Map<string, number>();
  const seenValue: typeof memberValue = (run, field, member, place) => {
    const { latitude, longitude, time } = place;
    const key = `${field} ${member} ${latitude} ${longitude} ${time}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const value = isLacking(run.referenceTime, member, time)
      ? Number.NaN
      : memberValue(run, field, member, place);
    known.set(key, value);
    return value;
  };
  const reader = openReader(directoryStore(archive), { cacheBytes: 1 << 20 });
  for (const run of runs) {
    checked.add(run.id);
    const random = seeded(run.referenceTime % 1_000_003);
    const places = Array.from({ length: nodes }, () => nodeOf(run, random));
    const valuesOf = async (as: EnsembleRun & { member?: number }, name: string, rows: readonly Place[]) => {
      const points = columnsOf(
        rows.map(({ latitude, longitude, time }) => [latitude, longitude, time] as const),
      );
      const out = new Float64Array(points.count);
      const indices = Int32Array.from(rows, (_, i) => i);
      await reader.valuesAt(as, name as FieldName, points, indices, out, new AbortController().signal);
      compared += rows.length;
      return out;
    };
    missing = new Set();
    known.clear();
    const kept = Object.keys(run.fields).find((name) => run.fields[name]!.members);
    const members = lacks === "what is missing" && kept ? run.ensemble.members : [];
    for (const [member, number] of members.entries())
      for (const time of run.times) {
        const values = await valuesOf(
          { ...run, member },
          kept!,
          places.map((place) => ({ ...place, time })),
        );
        if (values.every(Number.isNaN)) missing.add(`${number} ${time}`);
      }
    for (const [name, field] of Object.entries(run.fields)) {
      const steps = field.steps ?? run.times.map((_, step) => step);
      const rows = steps.flatMap((step) => places.map((place) => ({ ...place, time: run.times[step]! })));
      const compare = (found: Float64Array, truthAt: (row: Place) => Truth) => {
        for (const [i, row] of rows.entries()) {
          const { value, tolerance } = truthAt(row);
          if (Number.isNaN(value) && Number.isNaN(found[i]!)) continue;
          if (Math.abs(found[i]! - value) <= tolerance + storedField(name as FieldName).scale / 2 + 1e-4)
            continue;
          const { latitude, longitude, time } = row;
          const at = { run: run.id, field: name, latitude, longitude, time: formatInstant(time) };
          wrong.push({ ...at, found: found[i]!, truth: value });
        }
      };
      const statistic = statisticOf(name);
      if (statistic)
        compare(await valuesOf(run, name, rows), (row) => truthOf(run, statistic, row, seenValue));
      else
        for (const [member, number] of run.ensemble.members.entries())
          compare(await valuesOf({ ...run, member }, name, rows), (row) => ({
            value: seenValue(run, name as AnalyticField, number, row),
            tolerance: toleranceOf(name as FieldName),
          }));
    }
  }
  return { wrong, compared };
}

interface Truth {
  value: number;
  tolerance: number;
}

const toleranceOf = (name: FieldName) => precision[name] ?? FILE_PRECISION;

function memberValue(
  { referenceTime: cycle }: EnsembleRun,
  field: AnalyticField,
  member: number,
  { latitude, longitude, time }: Place,
): number {
  return analyticValue(field, latitude, longitude, timeOfMember(member, { cycle, time }));
}

/** A statistic by plain counting. Values that are within the rounding of files of a limit may count or not. */
function truthOf(
  run: EnsembleRun,
  { quantity, ...kind }: Statistic,
  place: Place,
  seenValue: typeof memberValue,
): Truth {
  const names = quantity.output.of as readonly (FieldName & AnalyticField)[];
  const isSpeed = quantity.output.is === "speed";
  const tolerance = toleranceOf(names[0]!) * (isSpeed ? Math.SQRT2 : 1);
  const componentsAt = (time: number) =>
    run.ensemble.members.map((member) =>
      names.map((name) => seenValue(run, name, member, { ...place, time })),
    );
  const numberOf = (components: readonly number[]) => (isSpeed ? Math.hypot(...components) : components[0]!);
  const at = componentsAt(place.time);
  const values = at.map(numberOf).filter((value) => !Number.isNaN(value));
  const isPublished = !Object.keys(run.fields).some((name) => name.endsWith("_p50"));
  if (isPublished && isSpeed) return { ...publishedSpeed(at, kind.is), tolerance: 0.02 };
  const { length } = values;
  if (length === 0) return { value: Number.NaN, tolerance };
  const sorted = values.toSorted((a, b) => a - b);
  switch (kind.is) {
    case "members":
      return { value: length, tolerance: 0 };
    case "mean":
      return { value: meanOf(values), tolerance };
    case "spread":
      return { value: spreadOf(values), tolerance };
    case "percentile": {
      const position = ((length - 1) * kind.percentile) / 100;
      const [low = Number.NaN, high = low] = sorted.slice(Math.floor(position));
      return { value: low + (position % 1) * (high - low), tolerance };
    }
    case "share": {
      const until = place.time + (kind.hours ?? 0) * HOUR_S;
      const during = run.times.filter((time) => time >= place.time && time <= until).map(componentsAt);
      const most = run.ensemble.members
        .map((_, i) => during.map((components) => numberOf(components[i]!)))
        .filter((of) => !of.some(Number.isNaN))
        .map((of) => Math.max(...of));
      const over = (limit: number) => (100 * most.filter((value) => value > limit).length) / most.length;
      const { value: limit } = kind.threshold;
      const [least, highest] = [over(limit + tolerance), over(limit - tolerance)];
      return { value: (least + highest) / 2, tolerance: (highest - least) / 2 };
    }
  }
}

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

function spreadOf(values: readonly number[]): number {
  if (values.length < 2) return Number.NaN;
  const mean = meanOf(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1));
}

/** Mean and spread of a speed, as they follow from the published mean and spread of its components. */
function publishedSpeed(members: readonly (readonly number[])[], is: string): { value: number } {
  const [u, v] = [0, 1].map((i) => members.map((components) => components[i]!)) as [number[], number[]];
  const speed = Math.hypot(meanOf(u), meanOf(v));
  if (is === "mean") return { value: speed };
  return { value: Math.hypot(meanOf(u) * spreadOf(u), meanOf(v) * spreadOf(v)) / speed };
}

function nodeOf({ grid: { latitude, longitude } }: EnsembleRun, random: () => number): Omit<Place, "time"> {
  return {
    latitude: coordinate(latitude, Math.floor(random() * latitude.count)),
    longitude: normaliseLongitude(coordinate(longitude, Math.floor(random() * longitude.count))),
  };
}

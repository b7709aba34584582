import { statistics as allStatistics, type Statistic, spanHours } from "#lib/catalog/ensemble.ts";
import type { Output, VariableName } from "#lib/catalog/variables.ts";
import type { Distribution } from "#lib/contract/ensemble.ts";
import type { Asked } from "#lib/ensemble/distribution.ts";
import { rounded } from "#lib/field/round.ts";
import type { Group } from "#server/archive/choose-run.ts";
import type { PointColumns, PointSource } from "#server/archive/reader.ts";
import type { EnsembleRun } from "#server/archive/run.ts";

/** The part of a request that decides how members are read and which numbers are computed. */
export interface WindAsked extends Asked {
  /** Metres above the surface. */
  wind_height: number;
}

/** A requested threshold is the stored one if they round to the same number of the API, m/s or m. */
const SAME_THRESHOLD = 0.005;

/** Height of the wind whose statistics are stored, metres above the surface. */
const STORED_HEIGHT = 10;

/** The statistics of a variable at single times. */
const statisticsOf = (name: VariableName) =>
  allStatistics.filter((one) => one.quantity.variable === name && spanHours(one) === undefined);

/** Reads the stored statistics of a variable at the points that a run answers. @param into Columns by name. */
export async function readStatistics(
  source: PointSource,
  variable: VariableName,
  { run, indices }: Group,
  points: PointColumns,
  into: Map<string, Float64Array>,
  signal: AbortSignal,
): Promise<void> {
  const stored = statisticsOf(variable).filter(({ name }) => run.fields[name]);
  await Promise.all(
    stored.map(({ name }) => {
      const column = into.get(name) ?? new Float64Array(points.count).fill(Number.NaN);
      into.set(name, column);
      return source.valuesAt(run, name, points, indices, column, signal);
    }),
  );
}

/** Returns the function that takes the distribution of an output at a point from stored statistics. */
export function storedDistributions(
  { point, decimals }: Output,
  columns: ReadonlyMap<string, Float64Array>,
  run: EnsembleRun,
  { percentiles, thresholds, wind_height }: WindAsked,
): (index: number) => Distribution | null {
  const own = allStatistics.filter(
    (one) => one.quantity.output.point === point && spanHours(one) === undefined,
  );
  if (own.length === 0 || (own[0]!.quantity.variable === "wind" && wind_height !== STORED_HEIGHT))
    return () => null;
  const column = (wanted: (statistic: Statistic) => boolean) => {
    const found = own.find((one) => wanted(one) && run.fields[one.name]);
    const values = found && columns.get(found.name);
    return (index: number) => values?.[index] ?? Number.NaN;
  };
  const members = column(({ is }) => is === "members");
  const mean = column(({ is }) => is === "mean");
  const spread = column(({ is }) => is === "spread");
  const parts = percentiles.map((percentile) =>
    column((one) => one.is === "percentile" && one.percentile === percentile),
  );
  const limits = thresholds
    .filter(({ output }) => output === point)
    .map(({ over }) => ({
      over,
      share: column((one) => one.is === "share" && Math.abs(one.threshold.value - over) < SAME_THRESHOLD),
    }));
  return (index) => {
    const values = [
      mean(index),
      ...parts.map((part) => part(index)),
      ...limits.map(({ share }) => share(index)),
    ];
    if (values.every(Number.isNaN)) return null;
    const counted = members(index);
    const count = Number.isNaN(counted) ? run.ensemble.members.length : Math.round(counted);
    return {
      members: count,
      control: null,
      mean: rounded(mean(index), decimals),
      spread: rounded(spread(index), decimals),
      percentiles: parts.map((part) => rounded(part(index), decimals)),
      ...(limits.length > 0 && {
        over: limits.map(({ over, share }) => {
          const percent = rounded(share(index), 1);
          return { over, members: percent === null ? null : Math.round((percent * count) / 100), percent };
        }),
      }),
    };
  };
}

/**
 * Sentences in English about the stored statistics of a variable: what their fields say of themselves, and what a request asks
 * for and a run without members does not have.
 */
export function storedNotes(variable: VariableName, run: EnsembleRun, request: WindAsked): string[] {
  const stored = statisticsOf(variable).filter(({ name }) => run.fields[name]);
  const percentiles = stored.flatMap((one) => (one.is === "percentile" ? one.percentile : []));
  const shares = stored.flatMap((one) => (one.is === "share" ? one : []));
  const outputs = new Set<string>(stored.map(({ quantity }) => quantity.output.point));
  const notes = [
    ...new Set(stored.flatMap(({ name }) => run.fields[name]?.comment ?? [])),
    "The run keeps no members of this variable: the control is null, and there are no values of members",
  ];
  if (variable === "wind" && request.wind_height !== STORED_HEIGHT)
    notes.push(
      `Statistics are stored of the wind at ${STORED_HEIGHT} m: at other heights the answer is null`,
    );
  if (request.percentiles.some((percentile) => !percentiles.some((one) => one === percentile)))
    notes.push(`Stored percentiles are ${percentiles.join(", ") || "none"}: others are null`);
  const isStored = ({ over }: { over: number }) =>
    shares.some(({ threshold }) => Math.abs(threshold.value - over) < SAME_THRESHOLD);
  if (request.thresholds.some((one) => outputs.has(one.output) && !isStored(one)))
    notes.push(
      `Stored thresholds are ${shares.map(({ threshold }) => threshold.text).join(", ") || "none"}: shares over others are null`,
    );
  return notes;
}

import { type DrawnVariable, variableOf } from "#lib/catalog/colours.ts";
import {
  AROUND_DAYS,
  type DatasetName,
  datasetAges,
  datasetNames,
  FORECAST_ARCHIVE_MONTHS,
} from "#lib/catalog/datasets.ts";
import { type StatisticName, statisticOf, statistics } from "#lib/catalog/ensemble.ts";
import { type StoredSteps, storedSteps } from "#lib/catalog/map-fields.ts";
import { storedField } from "#lib/catalog/stored-names.ts";
import { type VariableName, variable } from "#lib/catalog/variables.ts";
import type { ArchiveSpan, DrawableRun, FieldManifest } from "#lib/contract/field-manifest.ts";
import { type FramesOf, framesPath } from "#lib/contract/frame-paths.ts";
import { DAY_S, formatInstant, HOUR_S, monthsBefore, parseInstant } from "#lib/time.ts";
import { ensemblesIn, manifestOfEnsemble, membersWith } from "#server/archive/ensembles.ts";
import { frameChunking, levelGrid } from "#server/archive/layout.ts";
import { modelOf } from "#server/archive/one-model.ts";
import { isEnsemble, isSynthetic, type Manifest, type Run, stepsWith } from "#server/archive/run.ts";
import { candidates, ordersOf } from "#server/archive/run-order.ts";

/** How far back from now the map reaches by default, and around another instant that was requested. */
const BEHIND_S = 5 * 86_400;
const AROUND_S = AROUND_DAYS * DAY_S;

/** The last instant that can be written: static variables answer until then. */
const LAST_INSTANT = parseInstant("9999-12-31T23:59:59Z");

/** A layer of the map: a variable, or a statistic of an ensemble. */
type LayerName = DrawnVariable | StatisticName;

/** The variable of a layer. */
export function variableOfLayer(name: LayerName): VariableName {
  return statisticOf(name)?.quantity.variable ?? variableOf(name as DrawnVariable);
}

/**
 * Lists the runs of a layer that the map may draw, in the order in which `chooseRun` considers them, each with the
 * span for which its dataset answers. The list covers five days back from now onwards, and the time around another
 * instant.
 *
 * @param manifest For a statistic that of `manifestOfStatistic`.
 * @param now Weather clock, Unix seconds.
 * @param at Unix seconds.
 * @param pathOf Path of the frames of a run.
 */
export function drawableManifest(
  manifest: Manifest,
  name: LayerName,
  now: number,
  at: number | undefined = undefined,
  pathOf: (frames: FramesOf) => string = framesPath,
): FieldManifest {
  const about = {
    variable: name,
    now: formatInstant(now),
    ...(isSynthetic(manifest) && { synthetic: true as const }),
  };
  const of = variableOfLayer(name);
  const layer = storedSteps.find((steps) => steps.name === name)!;
  if (variable(of).static) {
    const runs = candidates(manifest, "Static", of).map(({ run, first }) =>
      describeRun(run, layer, first, LAST_INSTANT, pathOf),
    );
    return { ...about, runs, fixed: true };
  }
  const views = [[now - BEHIND_S, Number.POSITIVE_INFINITY] as const];
  // The days around an instant may begin before those around now even though the latter include the instant.
  if (at !== undefined && at - AROUND_S < now - BEHIND_S)
    views.push([at - AROUND_S, Math.min(at + AROUND_S, now - BEHIND_S - 1)]);
  const runs: DrawableRun[] = [];
  for (const [dataset, oldest, youngest] of datasetSpans(of, now)) {
    const orders = ordersOf(manifest, dataset, of);
    for (const [index, order] of orders.entries()) {
      const until = (orders[index + 1]?.from ?? Number.POSITIVE_INFINITY) - 1;
      for (const { run, first, last } of order.candidates) {
        for (const [start, end] of views) {
          const from = Math.max(first, order.from, oldest, start);
          const to = Math.min(last, until, youngest, end);
          if (from <= to) runs.push(describeRun(run, layer, from, to, pathOf));
        }
      }
    }
  }
  return { ...about, runs };
}

/**
 * The models that forecast a variable, in order of preference; none where it is one model alone.
 *
 * @returns Their names in requests, and titles for people.
 */
export function modelsOfVariable(
  manifest: Manifest,
  name: DrawnVariable,
): NonNullable<FieldManifest["models"]> {
  const titles = new Map<string, string>();
  for (const { run } of candidates(manifest, "Forecast", variableOf(name)))
    if (!titles.has(modelOf(run))) titles.set(modelOf(run), run.model);
  return titles.size > 1 ? [...titles].map(([model, title]) => ({ name: model, title })) : [];
}

/**
 * The ensembles that forecast a variable, in their order, with the statistics that their newest run of it stores.
 *
 * @returns Their names in requests, and titles for people.
 */
export function ensemblesOfVariable(
  manifest: Manifest,
  name: VariableName,
): NonNullable<FieldManifest["ensembles"]> {
  return ensemblesIn(manifest).flatMap((ensemble) => {
    const runs = candidates(manifestOfEnsemble(manifest, ensemble), "Forecast", name).map(({ run }) => run);
    const newest = runs.toSorted((one, other) => other.referenceTime - one.referenceTime)[0];
    if (!newest || !isEnsemble(newest)) return [];
    const stored = statistics.filter((one) => one.quantity.variable === name && newest.fields[one.name]);
    return {
      name: ensemble,
      title: newest.model,
      members: newest.ensemble.members.length,
      size: newest.ensemble.size,
      keeps_members: membersWith(manifest, ensemble, name).length > 0,
      statistics: stored.map((one) => one.name),
    };
  });
}

/** Ages of datasets as spans of time: the complement of `datasetByAge`, whole seconds, both ends included. */
function datasetSpans(name: VariableName, now: number): [DatasetName, oldest: number, youngest: number][] {
  // The forecast archive answers for variables without a hindcast, as far back as it reaches.
  if (variable(name).archiveOnly)
    return [["Forecast", monthsBefore(now, FORECAST_ARCHIVE_MONTHS), Number.POSITIVE_INFINITY]];
  const forecast = now - datasetAges.Forecast * DAY_S;
  const recent = now - datasetAges["Hindcast-3M"] * DAY_S;
  return [
    ["Forecast", forecast, Number.POSITIVE_INFINITY],
    ["Hindcast-3M", recent, forecast - 1],
    ["Hindcast-3Y", Number.NEGATIVE_INFINITY, recent - 1],
  ];
}

function describeRun(
  run: Run,
  { name, bands, painted }: StoredSteps,
  from: number,
  to: number,
  pathOf: (frames: FramesOf) => string,
): DrawableRun {
  // The steps include those just outside the span, because its ends are interpolated.
  const steps = (stepsWith(run, painted) ?? []).filter(
    (step, i, all) =>
      (run.times[all[i + 1] ?? step] ?? 0) >= from && (run.times[all[i - 1] ?? step] ?? 0) <= to,
  );
  return {
    dataset: run.dataset,
    run: run.id,
    source: run.source,
    model: run.model,
    reference_time: formatInstant(run.referenceTime),
    ...(run.condensed && { condensed: run.condensed }),
    ...(isEnsemble(run) && { ensemble: { name: modelOf(run), ...run.ensemble } }),
    ...(run.rhythm && { rhythm: run.rhythm }),
    from: formatInstant(from),
    to: formatInstant(to),
    times: steps.map((step) => formatInstant(run.times[step] ?? Number.NaN)),
    levels: run.levels.map((stride) => {
      const grid = levelGrid(run, stride);
      return { level: String(stride), grid, chunk: frameChunking(grid) };
    }),
    frames: pathOf({ dataset: run.dataset, run: run.id, variable: name }),
    planes: bands.map((field) => {
      const { unit, scale, offset } = storedField(field);
      return { name: field, unit, scale, offset };
    }),
  };
}

/** Shorter gaps between runs are left out: daily runs of three-hourly steps would otherwise be a span a day. */
const GAP_S = 6 * HOUR_S;

/**
 * The spans of time that each dataset has runs of a variable for, ascending by dataset and time. The age of an instant
 * decides which dataset answers (`lib/catalog/datasets.ts`), so the spans change with the runs, not with the clock.
 */
export function archiveSpans(manifest: Manifest, name: VariableName): ArchiveSpan[] {
  return datasetNames
    .filter((dataset) => dataset !== "Static")
    .flatMap((dataset) =>
      spansOf(manifest, dataset, name).map(([from, to]) => ({
        dataset,
        from: formatInstant(from),
        to: formatInstant(to),
      })),
    );
}

function spansOf(manifest: Manifest, dataset: DatasetName, name: VariableName): [from: number, to: number][] {
  const runs = candidates(manifest, dataset, name)
    .filter(({ first, last }) => first <= last)
    .sort((one, other) => one.first - other.first);
  const spans: [number, number][] = [];
  for (const { first, last } of runs) {
    const open = spans.at(-1);
    if (open && first <= open[1] + GAP_S) open[1] = Math.max(open[1], last);
    else spans.push([first, last]);
  }
  return spans;
}

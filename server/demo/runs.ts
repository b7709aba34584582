import type { Grid } from "@open-metocean/geo/grid";
import { LRUCache } from "lru-cache";
import {
  acceptedTimes,
  type DatasetName,
  datasetAges,
  datasetNames,
  FORECAST_ARCHIVE_MONTHS,
} from "#lib/catalog/datasets.ts";
import { type Statistic, spanHours, statistics } from "#lib/catalog/ensemble.ts";
import { type FieldName, fieldNames, fieldsOf, rowOf } from "#lib/catalog/fields.ts";
import { DAY_S, formatInstant, HOUR_S, monthsBefore, parseInstant } from "#lib/time.ts";
import type { Catalog } from "#server/archive/catalog.ts";
import type { EnsembleRun, Manifest, Run } from "#server/archive/run.ts";
import { clamp } from "./math/grid.ts";
import { hash01 } from "./math/patterns.ts";

/** A run is issued every 6 h and published 3.5 h later. It reaches far enough to always cover now + 10 days. */
const CYCLE_S = 6 * HOUR_S;
const DELAY_S = 3.5 * HOUR_S;
const REACH_S = 264 * HOUR_S;

/** Number of earlier forecasts, each issued a cycle before the next. Together with the newest they span a day. */
const EARLIER = 4;

/** Note on an earlier run of the demo. */
const EARLIER_NOTE =
  "An earlier run of the demo world is invented with weather that comes some hours early or late, the more the longer its lead; as the newest run it had none of that";

/** The past is divided into weeks that always begin at the same instants. */
const BLOCK_S = 7 * DAY_S;

/** When the demo answers: while no real run is published, always, or never. */
export type DemoMode = "auto" | "always" | "never";

/**
 * The catalog of an archive, or of the demo in its place. Real and synthetic runs never mix.
 *
 * @param now Weather clock, Unix seconds.
 */
export function withDemo(real: Catalog, mode: DemoMode, now: () => number): Catalog {
  if (mode === "never") return real;
  const choose = (manifest: Manifest) =>
    mode === "always" || manifest.runs.length === 0 ? demoManifest(now()) : manifest;
  return {
    manifest: async () => choose(await real.manifest()),
    refresh: async () => choose(await real.refresh()),
  };
}

/** A model of the demo: all forecast the same planet, and part the more the longer the lead. */
interface DemoModel {
  source: string;
  /** Version of its values, a part of the run ids, under which browsers keep frames permanently (`planet.test.ts`). */
  version: number;
  title: string;
  /** How early its weather comes at the end of a run, seconds; negative is late. */
  early: number;
  /** Fields that it does not have. */
  lacks?: ReadonlySet<FieldName>;
  comment?: string;
}

const ofWaves = new Set<FieldName>([...fieldsOf("wave"), ...fieldsOf("extra_wave")]);

const PARTED = "the more the longer its lead";

/** The first one answers where no model is named, and its weather is that of the planet and of its storms. */
const models: readonly [DemoModel, ...DemoModel[]] = [
  { source: "demo-world", version: 2, title: "DEMO-WORLD v1 (synthetic)", early: 0 },
  {
    source: "demo-early",
    version: 1,
    title: "DEMO-EARLY v1 (synthetic)",
    early: 14 * HOUR_S,
    comment: `A second model of the demo world, invented: its weather comes some hours early, ${PARTED}`,
  },
  {
    source: "demo-late",
    version: 1,
    title: "DEMO-LATE v1 (synthetic)",
    early: -18 * HOUR_S,
    lacks: ofWaves,
    comment: `A third model of the demo world, invented: its weather comes some hours late, ${PARTED}, and it has no waves`,
  },
];

const [main, ...others] = models;

/** Nodes of the demo's grid: 0.25°, including the poles. */
export const demoGrid: Grid = {
  latitude: { start: -90, step: 0.25, count: 721 },
  longitude: { start: -180, step: 0.25, count: 1440 },
};

const LEVELS = [1, 2, 4];

/** Whether a run of a dataset has a field. No hindcast has a field of the forecast archive only. */
function hasField(dataset: DatasetName, field: FieldName): boolean {
  const { static: isStatic = false, archiveOnly } = rowOf(field);
  if (dataset === "Static" || isStatic) return dataset === "Static" && isStatic;
  return dataset === "Forecast" || !archiveOnly;
}

function stepHours(field: FieldName): 1 | 3 | 24 {
  return field === "sea_surface_temperature" ? 24 : ofWaves.has(field) ? 3 : 1;
}

/** Fields that follow clock and season rather than weather; see `weatherTime`. */
const regular = new Set<FieldName>([
  "air_temperature",
  "surface_eastward_sea_water_velocity",
  "surface_northward_sea_water_velocity",
  "sea_surface_temperature",
  "sea_floor_depth_below_sea_surface",
]);

let latest: { cycle: number; manifest: Manifest } | undefined;

/**
 * Manifest of the demo.
 *
 * @param now Weather clock, Unix seconds. The same object is returned until the next run.
 */
export function demoManifest(now: number): Manifest {
  const cycle = Math.floor((now - DELAY_S) / CYCLE_S);
  if (latest?.cycle !== cycle) latest = { cycle, manifest: manifestOf(cycle * CYCLE_S) };
  return latest.manifest;
}

function manifestOf(issued: number): Manifest {
  // The span covers requests until the next run is published, including those accepted some time ago.
  const from = issued + DELAY_S - DAY_S;
  const until = issued + DELAY_S + CYCLE_S;
  const runs = [
    demoRun("Static", 0, 0),
    demoRun("Forecast", issued, issued + REACH_S),
    ...others.map((model) => demoRun("Forecast", issued, issued + REACH_S, issued, model)),
    ...blocks("Forecast", monthsBefore(from, FORECAST_ARCHIVE_MONTHS), issued),
    ...blocks("Hindcast-3M", from - datasetAges["Hindcast-3M"] * DAY_S, until - datasetAges.Forecast * DAY_S),
    ...blocks("Hindcast-3Y", acceptedTimes(from).first, until - datasetAges["Hindcast-3M"] * DAY_S),
  ];
  const earlier = Array.from({ length: EARLIER }, (_, index) => {
    const reference = issued - (index + 1) * CYCLE_S;
    return demoRun("Forecast", issued, reference + REACH_S, reference);
  });
  return { version: 1, runs, earlier, ensembles: [ensembleRun(issued)] };
}

/** The ensemble of the demo, of the planet that the first model shows: see `perturbationOf`. */
const ENSEMBLE: Pick<DemoModel, "source" | "version" | "title" | "comment"> = {
  source: "demo-ensemble",
  version: 1,
  title: "DEMO-ENSEMBLE v1 (synthetic)",
  comment: `Members of the demo world, invented: the weather of each comes early or late, stronger or weaker, ${PARTED}; the control has none of that`,
};

/** A coarse grid and long steps, because each step takes the weather of many hours. */
const ensembleGrid: Grid = {
  latitude: { start: -90, step: 1, count: 181 },
  longitude: { start: -180, step: 1, count: 360 },
};
const ENSEMBLE_STEP_S = 6 * HOUR_S;
const ENSEMBLE_REACH_S = 240 * HOUR_S;
const MEMBERS = 31;

const withMembers: readonly FieldName[] = [
  "air_pressure_at_mean_sea_level",
  ...fieldsOf("wind").filter((field) => field.endsWith("_10m")),
  ...fieldsOf("gust"),
  ...fieldsOf("wave"),
];

/** The run of the ensemble that is issued at a time. */
function ensembleRun(reference: number): EnsembleRun {
  const end = reference + ENSEMBLE_REACH_S;
  const id = `Forecast.${planetOf(ENSEMBLE)}.${compact(reference)}.${compact(end)}`;
  const times = Array.from(
    { length: ENSEMBLE_REACH_S / ENSEMBLE_STEP_S + 1 },
    (_, step) => reference + step * ENSEMBLE_STEP_S,
  );
  const { source, title, comment } = ENSEMBLE;
  // A share within a span is missing where the run ends before.
  const stepsOf = (statistic: Statistic) => {
    const span = (spanHours(statistic) ?? 0) * HOUR_S;
    return span > 0 && { steps: [...times.keys()].filter((step) => times[step]! + span <= end) };
  };
  return {
    id,
    dataset: "Forecast",
    source,
    model: title,
    referenceTime: reference,
    path: `runs/${id}`,
    grid: ensembleGrid,
    times,
    levels: [1],
    maps: true,
    fields: {
      ...Object.fromEntries(withMembers.map((field) => [field, { comment, members: true as const }])),
      ...Object.fromEntries(
        statistics.map((statistic) => [statistic.name, { comment, ...stepsOf(statistic) }]),
      ),
    },
    ensemble: { members: [...Array(MEMBERS).keys()], size: MEMBERS },
    provenance: "synthetic",
  };
}

/** How a member of the ensemble differs from the planet. */
interface Perturbation {
  /** How early its weather comes, seconds; negative is late. */
  early: number;
  /** Factor for its winds. */
  strength: number;
}

/** Standard deviation of how early the members are at the end of a run, seconds. */
const EARLY_S = 24 * HOUR_S;
/** No member is more than this many standard deviations from the planet. */
const MAX_DEVIATIONS = 1.8;
/** Standard deviation of the logarithm of their strength at the beginning, and its growth until the end. */
const STRENGTH = { first: 0.03, grown: 0.17 } as const;
const MEMBER_SEED = 157;

/**
 * The perturbation of a member at a step. Its timing and its strength differ from the planet more with longer leads, as
 * errors of forecasts grow. The control, member 0, has none. No member moves a system off its path.
 *
 * @param member Position in `ensemble.members`.
 */
export function perturbationOf({ referenceTime, times }: Run, step: number, member: number): Perturbation {
  if (member === 0) return { early: 0, strength: 1 };
  const lead = (times[step]! - referenceTime) / ENSEMBLE_REACH_S;
  const cycle = Math.floor(referenceTime / HOUR_S);
  const deviations = (what: number) =>
    // The sum of three even chances between −1 and 1 is nearly normal, with a standard deviation of 1.
    clamp(
      [0, 1, 2].reduce((sum, part) => sum + 2 * hash01(MEMBER_SEED, cycle, member, 3 * what + part) - 1, 0),
      -MAX_DEVIATIONS,
      MAX_DEVIATIONS,
    );
  return {
    early: deviations(0) * EARLY_S * lead ** 1.1,
    strength: Math.exp(deviations(1) * (STRENGTH.first + STRENGTH.grown * lead)),
  };
}

/** The weeks that cover a span. A forecast week that is not over ends with the span. */
function blocks(dataset: DatasetName, from: number, until: number): Run[] {
  const runs: Run[] = [];
  for (let start = Math.floor(from / BLOCK_S) * BLOCK_S; start < until; start += BLOCK_S) {
    const end = dataset === "Forecast" ? Math.min(start + BLOCK_S, until) : start + BLOCK_S;
    runs.push(demoRun(dataset, start, end));
  }
  return runs;
}

/** Times are whole hours, Unix seconds. @param start First step. @param end Last step. @param reference Base time. */
function demoRun(dataset: DatasetName, start: number, end: number, reference = start, model = main): Run {
  const isEarlier = reference < start;
  const base = `${dataset}.${planetOf(model)}.${compact(reference)}.${compact(end)}`;
  const id = isEarlier ? `${base}.${compact(start)}` : base;
  const times = Array.from({ length: (end - start) / HOUR_S + 1 }, (_, hour) => start + hour * HOUR_S);
  const stepsOf = (hours: number) =>
    // Both ends are included, so that every instant of the run lies between two steps.
    [...times.keys()].filter(
      (index) => times[index]! % (hours * HOUR_S) === 0 || index === 0 || index === times.length - 1,
    );
  const steps = { 1: stepsOf(1), 3: stepsOf(3), 24: stepsOf(24) };
  const note = isEarlier ? EARLIER_NOTE : model.comment;
  const fields = fieldNames
    .filter((field) => hasField(dataset, field) && !model.lacks?.has(field))
    .map((field) => {
      const comment = !regular.has(field) && note;
      return [
        field,
        { ...(dataset !== "Static" && { steps: steps[stepHours(field)] }), ...(comment && { comment }) },
      ] as const;
    });
  return {
    id,
    dataset,
    source: model.source,
    model: model.title,
    referenceTime: reference,
    path: `runs/${id}`,
    grid: demoGrid,
    times,
    levels: LEVELS,
    maps: true,
    fields: Object.fromEntries(fields),
    // A week of the past is not a forecast.
    ...(dataset === "Forecast" && end - reference < REACH_S && { condensed: true as const }),
    provenance: "synthetic",
  };
}

/** Part of the id of a run of a model. */
const planetOf = ({ source, version }: Pick<DemoModel, "source" | "version">) => `${source}-${version}`;

const known = new LRUCache<string, Run>({ max: 256 });

/** The demo run with an id, published or not; undefined if it is not the id of a demo run. */
export function demoRunOf(id: string): Run | undefined {
  const cached = known.get(id);
  if (cached) return cached;
  const [name, source, from, to, first = from] = id.split(".");
  const dataset = datasetNames.find((one) => one === name);
  const [reference, end, start] = [from, to, first].map((text) => expand(text ?? ""));
  // The reach limits the time axis, because ids come from requests.
  if (!dataset || !(reference! <= start! && start! <= end! && end! - reference! <= REACH_S)) return undefined;
  const model = models.find((one) => planetOf(one) === source);
  let run: Run;
  if (source === planetOf(ENSEMBLE)) run = ensembleRun(reference!);
  else if (model === main || (model && dataset === "Forecast" && first === from))
    run = demoRun(dataset, start!, end!, reference, model);
  else return undefined;
  if (run.id !== id) return undefined;
  known.set(id, run);
  return run;
}

/** Formats a time as `20260101T06Z`. */
function compact(time: number): string {
  return formatInstant(time)
    .replace(/[-:]/g, "")
    .replace(/0000Z$/, "Z");
}

function expand(text: string): number {
  return parseInstant(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)Z$/, "$1-$2-$3T$4:00:00Z"));
}

/** Largest timing error of a run that is a day older than the newest, at the end of its reach, seconds. */
const MAX_ERROR_S = 20 * HOUR_S;

/** Least share of the largest error that a run has, so that none is right by chance. */
const MIN_SHARE = 0.4;

const ERROR_SEED = 151;

/**
 * The instant of the demo's weather that a run shows at a valid time, Unix seconds. The newest run of the first model is
 * right, so that a storm stays on its forecast track. In the other models and in an earlier run the weather comes too
 * early or too late, the more the longer the lead. An error in time keeps wind, pressure and sea of one run consistent.
 * Tides, days and seasons are always on time.
 */
export function weatherTime(run: Run, field: FieldName, time: number): number {
  const { referenceTime, times, source } = run;
  if (regular.has(field)) return time;
  // Errors of forecasts grow faster than their lead.
  const grown = ((time - referenceTime) / REACH_S) ** 1.5;
  const { early } = models.find((model) => model.source === source) ?? main;
  if (early !== 0) return time + Math.round(early * grown);
  const age = (times[0] ?? referenceTime) - referenceTime;
  if (age <= 0) return time;
  const chance = 2 * hash01(ERROR_SEED, Math.floor(referenceTime / HOUR_S)) - 1;
  const share = Math.sign(chance) * (MIN_SHARE + (1 - MIN_SHARE) * Math.abs(chance));
  return time + Math.round(share * Math.sqrt(age / DAY_S) * MAX_ERROR_S * grown);
}

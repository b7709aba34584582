import { LRUCache } from "lru-cache";
import {
  acceptedTimes,
  type DatasetName,
  datasetAges,
  datasetNames,
  FORECAST_ARCHIVE_MONTHS,
} from "#lib/catalog/datasets.ts";
import { type FieldName, rowOf } from "#lib/catalog/fields.ts";
import type { Grid } from "#lib/field/grid.ts";
import { DAY_S, formatInstant, HOUR_S, monthsBefore, parseInstant } from "#lib/time.ts";
import type { Manifest, Run } from "#server/archive/run.ts";
import { fieldGroups } from "#server/demo/fields/field-groups.ts";

/** A run is issued every 6 h, published 3 h 30 later, and reaches far enough to always cover now + 10 days. */
const CYCLE_S = 6 * HOUR_S;
const DELAY_S = 3.5 * HOUR_S;
const REACH_S = 264 * HOUR_S;

/** Forecasts of before, each issued a cycle before the next: with the newest those of a day. */
const EARLIER = 4;

/** What the demo says of an earlier run. */
const EARLIER_NOTE =
  "An earlier run of the demo world is invented with weather that comes some hours early or late, the more the longer its lead; as the newest run it had none of that";

/** The past is divided into weeks, always at the same instants. */
const BLOCK_S = 7 * DAY_S;

const SOURCE = "demo-world";

const MODEL = "DEMO-WORLD v1 (synthetic)";

/** Nodes of the demo's grid: 0.25°, poles included. */
export const demoGrid: Grid = {
  latitude: { start: -90, step: 0.25, count: 721 },
  longitude: { start: -180, step: 0.25, count: 1440 },
};

const LEVELS = [1, 2, 4];

/** Whether a run of a dataset has a field: there is no hindcast of what comes only from the forecast archive. */
function hasField(dataset: DatasetName, field: FieldName): boolean {
  const { static: isStatic = false, archiveOnly } = rowOf(field);
  if (dataset === "Static" || isStatic) return dataset === "Static" && isStatic;
  return dataset === "Forecast" || !archiveOnly;
}

let latest: { cycle: number; manifest: Manifest } | undefined;

/**
 * Manifest of the demo world.
 *
 * @param now Weather clock, Unix seconds. The result is the same object until the next run.
 */
export function demoManifest(now: number): Manifest {
  const cycle = Math.floor((now - DELAY_S) / CYCLE_S);
  if (latest?.cycle !== cycle) latest = { cycle, manifest: manifestOf(cycle * CYCLE_S) };
  return latest.manifest;
}

function manifestOf(issued: number): Manifest {
  // Covers requests until the next run is published, including those accepted some time ago.
  const from = issued + DELAY_S - DAY_S;
  const until = issued + DELAY_S + CYCLE_S;
  const runs = [
    demoRun("Static", 0, 0),
    demoRun("Forecast", issued, issued + REACH_S),
    ...blocks("Forecast", monthsBefore(from, FORECAST_ARCHIVE_MONTHS), issued),
    ...blocks("Hindcast-3M", from - datasetAges["Hindcast-3M"] * DAY_S, until - datasetAges.Forecast * DAY_S),
    ...blocks("Hindcast-3Y", acceptedTimes(from).first, until - datasetAges["Hindcast-3M"] * DAY_S),
  ];
  const earlier = Array.from({ length: EARLIER }, (_, index) => {
    const reference = issued - (index + 1) * CYCLE_S;
    return demoRun("Forecast", issued, reference + REACH_S, reference);
  });
  return { version: 1, runs, earlier };
}

/** The weeks that cover a span; a forecast week that is not over ends with the span. */
function blocks(dataset: DatasetName, from: number, until: number): Run[] {
  const runs: Run[] = [];
  for (let start = Math.floor(from / BLOCK_S) * BLOCK_S; start < until; start += BLOCK_S) {
    const end = dataset === "Forecast" ? Math.min(start + BLOCK_S, until) : start + BLOCK_S;
    runs.push(demoRun(dataset, start, end));
  }
  return runs;
}

/** @param start First step; @param end Last step; @param reference Base time; whole hours, Unix seconds. */
function demoRun(dataset: DatasetName, start: number, end: number, reference = start): Run {
  const isEarlier = reference < start;
  const base = `${dataset}.${SOURCE}.${compact(reference)}.${compact(end)}`;
  const id = isEarlier ? `${base}.${compact(start)}` : base;
  const times = Array.from({ length: (end - start) / HOUR_S + 1 }, (_, hour) => start + hour * HOUR_S);
  const steps = new Map(
    [3, 24].map((hours) => [
      hours,
      // Includes both ends, so that every instant of the run lies between two steps.
      [...times.keys()].filter(
        (index) => times[index]! % (hours * HOUR_S) === 0 || index === 0 || index === times.length - 1,
      ),
    ]),
  );
  const fields = fieldGroups.flatMap((group) =>
    group.fields
      .filter((field) => hasField(dataset, field))
      .map(
        (field) =>
          [
            field,
            {
              ...(dataset !== "Static" && { steps: steps.get(group.stepHours ?? 1) }),
              ...(isEarlier && !group.regular && { comment: EARLIER_NOTE }),
            },
          ] as const,
      ),
  );
  return {
    id,
    dataset,
    source: SOURCE,
    model: MODEL,
    referenceTime: reference,
    path: `runs/${id}`,
    grid: demoGrid,
    times,
    levels: LEVELS,
    maps: true,
    fields: Object.fromEntries(fields),
    // A week of the past is no forecast.
    ...(dataset === "Forecast" && end - reference < REACH_S && { condensed: true as const }),
    provenance: "synthetic",
  };
}

const known = new LRUCache<string, Run>({ max: 256 });

/** The demo run with an id, published or not; undefined if it is not the id of a demo run. */
export function demoRunOf(id: string): Run | undefined {
  const cached = known.get(id);
  if (cached) return cached;
  const [name, source, from, to, first = from] = id.split(".");
  const dataset = datasetNames.find((one) => one === name);
  const [reference, end, start] = [from, to, first].map((text) => expand(text ?? ""));
  // Limits the time axis: ids come from requests.
  if (!dataset || source !== SOURCE) return undefined;
  if (!(reference! <= start! && start! <= end! && end! - reference! <= REACH_S)) return undefined;
  const run = demoRun(dataset, start!, end!, reference);
  if (run.id !== id) return undefined;
  known.set(id, run);
  return run;
}

/** `20260101T06Z`. */
function compact(time: number): string {
  return formatInstant(time)
    .replace(/[-:]/g, "")
    .replace(/0000Z$/, "Z");
}

function expand(text: string): number {
  return parseInstant(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)Z$/, "$1-$2-$3T$4:00:00Z"));
}

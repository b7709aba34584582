import type { FieldName } from "#lib/catalog/fields.ts";
import { type Output, type VariableName, variable } from "#lib/catalog/variables.ts";
import type { MapMeta } from "#lib/contract/map2d.ts";
import type { NullReason, PointMeta } from "#lib/contract/point.ts";
import { type MapField, NULL_ENTRY } from "#lib/field/map-field.ts";
import { streamFinder } from "#lib/tides/near-stream.ts";
import { type Group, type Grouping, groupByRun, type NoRun } from "#server/archive/choose-run.ts";
import { type Aged, ageIn, besideOthers, describeRun } from "#server/archive/describe-run.ts";
import type { Columns } from "#server/archive/read-variables.ts";
import type { PointColumns, PointSource } from "#server/archive/reader.ts";
import type { Manifest, Run } from "#server/archive/run.ts";

/** The stored fields of some points, and which runs they came from. */
export interface PointsRead {
  columns: Columns;
  groupings: ReadonlyMap<VariableName, Grouping>;
}

/**
 * Describes where each number of an answer comes from, and why some are null.
 *
 * @param model The model that answers, if the request names one.
 */
export async function describeAnswer(
  source: PointSource,
  manifest: Manifest,
  windHeight: number,
  points: PointColumns,
  { columns, groupings }: PointsRead,
  model: string | undefined,
  now: number,
  signal: AbortSignal,
): Promise<PointMeta> {
  const meta: PointMeta = { provenance: [], nulls: [] };
  // Depth and temperature are read only where a value is missing.
  let whyMissing: Awaited<ReturnType<typeof reasons>> | undefined;
  for (const [name, { groups, unanswered }] of groupings) {
    const nulls = new Map<NullReason, number[]>(unanswered.map(({ reason, indices }) => [reason, indices]));
    for (const group of groups) {
      meta.provenance.push({
        ...describeGroup(name, group, points, windHeight, now),
        ...(model !== undefined && besideOthers(model, name, group.run, timesOf(group, points))),
      });
      for (const index of group.indices) {
        const missing = missingOutputs(name, columns, index);
        if (missing === 0) continue;
        // On land and under ice all outputs of a variable are missing: a point that lacks only some of them counts as
        // missing data.
        const all = missing === variable(name).outputs.length && variable(name).absentWhere;
        if (all) whyMissing ??= await reasons(source, manifest, points, now, signal);
        const reason = all && whyMissing ? whyMissing(name, index) : "missing";
        const list = nulls.get(reason);
        if (list) list.push(index);
        else nulls.set(reason, [index]);
      }
    }
    for (const [reason, indices] of nulls) {
      meta.nulls.push({ variable: name, reason, points: indices.sort((a, b) => a - b) });
    }
  }
  if (groupings.has("current")) {
    const streams = await streamsNear(points);
    if (streams.length > 0) meta.streams = streams;
  }
  return meta;
}

type Streams = NonNullable<PointMeta["streams"]>;

let finder: Promise<ReturnType<typeof streamFinder>> | undefined;

/**
 * Finds the points that have a station of tidal streams near them. The list of stations is loaded on the first call.
 */
async function streamsNear({ count, latitude, longitude }: PointColumns): Promise<Streams> {
  finder ??= import("#lib/tides/generated/stream-stations.ts").then((file) =>
    streamFinder(file.streamStations),
  );
  const find = await finder.catch(() => {
    // The setup script makes the list; a server without it answers without streams.
    finder = undefined;
  });
  if (!find) return [];
  const near = new Map<string, number[]>();
  for (let index = 0; index < count; index++) {
    const station = find(latitude[index]!, longitude[index]!);
    if (station === undefined) continue;
    const listed = near.get(station);
    if (listed) listed.push(index);
    else near.set(station, [index]);
  }
  return [...near].map(([station, at]) => ({ station, points: at }));
}

function joinStreams(streams: Streams, more: Streams, from: number): Streams {
  const joined = new Map(streams.map(({ station, points }) => [station, points]));
  for (const { station, points } of more)
    joined.set(station, [...(joined.get(station) ?? []), ...points.map((index) => index + from)]);
  return [...joined].map(([station, points]) => ({ station, points }));
}

/**
 * Joins the meta of the points so far with that of the points that follow them.
 *
 * @param from Position of the first point of `more` in the request.
 */
export function joinMeta(meta: PointMeta, more: PointMeta, from: number): PointMeta {
  const joined: PointMeta = {
    provenance: joinProvenance(meta.provenance, more.provenance),
    nulls: [...meta.nulls],
    ...((meta.streams || more.streams) && {
      streams: joinStreams(meta.streams ?? [], more.streams ?? [], from),
    }),
  };
  for (const one of more.nulls) {
    const points = one.points.map((index) => index + from);
    const at = joined.nulls.findIndex(
      ({ variable, reason }) => variable === one.variable && reason === one.reason,
    );
    const same = joined.nulls[at];
    if (!same) joined.nulls.push({ ...one, points });
    else joined.nulls[at] = { ...same, points: [...same.points, ...points] };
  }
  return joined;
}

/** Joins the meta of some steps of a 2D answer with that of the steps that follow them. */
export function joinMapMeta(meta: MapMeta, more: MapMeta): MapMeta {
  const nulls = [...meta.nulls];
  for (const one of more.nulls) {
    const at = nulls.findIndex(({ answer, reason }) => answer === one.answer && reason === one.reason);
    const same = nulls[at];
    if (!same) nulls.push(one);
    else nulls[at] = { ...same, points: same.points + one.points };
  }
  // The entry of a model's missing values follows its others, as it does in the meta of all steps together.
  const isMissing = ({ reason }: MapMeta["nulls"][number]) => reason === "missing";
  const answers = [...new Set(nulls.map(({ answer }) => answer))];
  return {
    provenance: joinProvenance(meta.provenance, more.provenance),
    nulls: answers.flatMap((answer) => {
      const own = nulls.filter((one) => one.answer === answer);
      return [...own.filter((one) => !isMissing(one)), ...own.filter(isMissing)];
    }),
  };
}

type Provenance = PointMeta["provenance"];

/** Joins what answered first with what answered later: a run of a variable is named once for each model of the request. */
export function joinProvenance(first: Provenance, more: Provenance): Provenance {
  const joined = [...first];
  for (const one of more) {
    const at = joined.findIndex(
      ({ variable, run, answer }) => variable === one.variable && run === one.run && answer === one.answer,
    );
    const same = joined[at];
    if (!same) joined.push(one);
    else {
      const valid_times = [...new Set([...same.valid_times, ...one.valid_times])].sort();
      const older = (one.age_s ?? 0) > (same.age_s ?? 0) ? one : same;
      const step_h = Math.max(one.step_h ?? 0, same.step_h ?? 0);
      joined[at] = {
        ...older,
        valid_times,
        points: same.points + one.points,
        ...(step_h > 0 && { step_h }),
      };
    }
  }
  return joined;
}

/** How many outputs of a variable lack a field at a point. */
function missingOutputs(name: VariableName, columns: Columns, index: number): number {
  const { outputs } = variable(name);
  return outputs.filter(({ of }: Output) =>
    of.some((field) => Number.isNaN(columns.get(field)?.[index] ?? Number.NaN)),
  ).length;
}

/** Sea water freezes below this, °C. */
const FREEZING_C = -1.7;

/**
 * Returns why a value of the sea is missing: land according to the bathymetry, ice if waves are missing on freezing
 * water.
 */
async function reasons(
  source: PointSource,
  manifest: Manifest,
  points: PointColumns,
  now: number,
  signal: AbortSignal,
): Promise<(name: VariableName, index: number) => NullReason> {
  const column = async (name: VariableName, field: FieldName) => {
    const isKnown = new Uint8Array(points.count);
    const values = new Float64Array(points.count).fill(Number.NaN);
    for (const { run, indices } of groupByRun(manifest, name, points, now).groups) {
      await source.valuesAt(run, field, points, indices, values, signal);
      for (const index of indices) isKnown[index] = 1;
    }
    return { isKnown, values };
  };
  const depth = await column("bathy", "sea_floor_depth_below_sea_surface");
  const warmth = await column("sst", "sea_surface_temperature");
  return (name, index) => {
    if (depth.isKnown[index] && Number.isNaN(depth.values[index])) return "land";
    const frozen = warmth.values[index]! <= FREEZING_C;
    return frozen && variable(name).absentWhere?.includes("ice") ? "ice" : "missing";
  };
}

function describeGroup(
  name: VariableName,
  group: Group,
  points: PointColumns,
  windHeight: number,
  now: number,
): PointMeta["provenance"][number] {
  return describeRun(name, group.run, timesOf(group, points), group.indices.length, windHeight, now);
}

/** The requested times of the points that a run answers. */
const timesOf = ({ indices }: Group, { time }: PointColumns) =>
  Float64Array.from(indices, (index) => time[index]!);

/** Returns the ages of the forecasts that answer some points. */
export function agesOf(groupings: PointsRead["groupings"], { time }: PointColumns, now: number): Aged[] {
  return [...groupings.values()].flatMap(({ groups }) =>
    groups.map(({ run, indices }) =>
      ageIn(
        run,
        Float64Array.from(indices, (index) => time[index]!),
        now,
      ),
    ),
  );
}

/** Height of the 2D endpoint's wind, metres. */
const WIND_HEIGHT = 10;

/** The plan of an answer; `outputs` are those of the answer, in its order. */
interface ProvenancePlan {
  variable: VariableName;
  outputs: readonly Pick<Output, "is">[];
  /** Weather clock, Unix seconds. */
  now: number;
  /** Metres. */
  windHeight?: number;
  /** Model of the request that answers; undefined if it names none. */
  answer?: string | undefined;
}

/** Counts which run answered how much of a 2D answer. */
export class MapProvenance {
  readonly #plan: ProvenancePlan;
  readonly #runs = new Map<Run, { times: Set<number>; nodes: number }>();
  readonly #unanswered = new Map<NoRun, number>();

  constructor(plan: ProvenancePlan) {
    this.#plan = plan;
  }

  /** @param time Unix seconds. @param nodes How many nodes the run answered for at that time. */
  add(run: Run, time: number, nodes: number): void {
    const known = this.#runs.get(run);
    if (!known) this.#runs.set(run, { times: new Set([time]), nodes });
    else {
      known.times.add(time);
      known.nodes += nodes;
    }
  }

  addUnanswered(reason: NoRun, nodes: number): void {
    this.#unanswered.set(reason, (this.#unanswered.get(reason) ?? 0) + nodes);
  }

  /** @param field The field of the answer, with the outputs of the plan. */
  meta(field: Pick<MapField, "outputs">): MapMeta {
    const { outputs } = this.#plan;
    const { answer } = this.#plan;
    const named = answer !== undefined && { answer };
    const nulls: MapMeta["nulls"] = [...this.#unanswered].map(([reason, points]) => ({
      ...named,
      reason,
      points,
    }));
    // A direction is also null in a calm: the other numbers tell whether there is data.
    const measured = field.outputs.filter((_, i) => outputs[i]!.is === "value" || outputs[i]!.is === "speed");
    const nodes = measured[0]?.entries.length ?? 0;
    let missing = 0;
    for (let i = 0; i < nodes; i++) if (measured.some(({ entries }) => entries[i] === NULL_ENTRY)) missing++;
    for (const { points } of nulls) missing -= points;
    if (missing > 0) nulls.push({ ...named, reason: "missing", points: missing });
    return { provenance: this.runs(), nulls };
  }

  runs(): MapMeta["provenance"] {
    const { variable, windHeight = WIND_HEIGHT, answer, now } = this.#plan;
    return [...this.#runs].map(([run, { times, nodes }]) => ({
      ...describeRun(variable, run, times, nodes, windHeight, now),
      ...(answer !== undefined && besideOthers(answer, variable, run, times)),
    }));
  }
}

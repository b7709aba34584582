import type { Box } from "@open-metocean/geo/box";
import { corridorAround } from "@open-metocean/geo/rhumb";
import { MILE_KM, type Place } from "@open-metocean/geo/sphere";
import { knownDangerArea } from "@open-metocean/storms/danger";
import type { StormProvider } from "@open-metocean/storms/providers";
import type { StormEntry } from "@open-metocean/storms/schema";
import { type FileRequest, fileFormats, fileRequest } from "#lib/contract/files.ts";
import { type MapMeta, type MapRequest, mapLimits, mapRequest } from "#lib/contract/map2d.ts";
import {
  type OptimiseRequest,
  optimiseRequest,
  type PassageRequest,
  passageRequest,
} from "#lib/contract/passage.ts";
import type { PassageMeta } from "#lib/contract/passage-reply.ts";
import { type PointMeta, type PointRequest, resultCount } from "#lib/contract/point.ts";
import type { TaskKind } from "#lib/contract/task.ts";
import { requests } from "#lib/contract/wire-schemas.ts";
import { type WorkabilityRequest, workabilityRequest } from "#lib/contract/workability.ts";
import { gridPieces, mapOutline } from "#lib/field/serialise.ts";
import { type PassageQuestion, planCount, questionOf } from "#lib/passage/question.ts";
import { estimatedOctets } from "#lib/table/field-messages.ts";
import { formatInstant, parseInstant } from "#lib/time.ts";
import { isSynthetic, type Manifest } from "#server/archive/run.ts";
import { parseJsonBody } from "#server/http/validation.ts";
import { betterPlans } from "#server/metocean/better-routes.ts";
import { type MaskOf, nodesWhere } from "#server/metocean/box.ts";
import {
  type BoxPlan,
  type BoxQuestion,
  boxOutputs,
  componentOutputs,
  mapQuestion,
  planBox,
} from "#server/metocean/box-plan.ts";
import { type MapSource, type NodeMask, readAnswer } from "#server/metocean/box-read.ts";
import { joinMapMeta, joinMeta } from "#server/metocean/meta.ts";
import {
  joinPassageMeta,
  type KnownStorms,
  plansOf,
  questionOfMembers,
  SIDE_BY_SIDE,
} from "#server/metocean/passages.ts";
import { CompactPoints, fullPace, pointSlices } from "#server/metocean/point-slices.ts";
import { workabilityOf } from "#server/metocean/workability.ts";
import { ProcessingError } from "#server/platform/errors.ts";
import type { DeflatedPart } from "#server/platform/gzip-parts.ts";
import { DeflatedColumn } from "#server/platform/gzip-parts.ts";
import { nextTurn } from "#server/platform/next-turn.ts";
import type { Tides } from "#server/tides/tides.ts";
import { predictGates } from "./gates.ts";

const CLOSE = Buffer.from("]");

/** Handles point requests; a position is that of a point. */
const points: TaskHandler<Omit<PointRequest, "points"> & { points: CompactPoints }> = {
  async read(bytes) {
    const body = requests.ManyPointsRequest.parse(parseJsonBody(bytes));
    return { ...body, points: new CompactPoints(body.points) };
  },
  taskIdAsList: true,
  open(request, { archive, manifest, now }) {
    const end = resultCount(request);
    const pace = fullPace();
    return {
      end,
      synthetic: isSynthetic(manifest),
      async compute(from, { signal, isEnough, progress }) {
        const column = new DeflatedColumn();
        let meta: PointMeta | undefined;
        let to = from;
        for await (const slice of pointSlices(archive, manifest, request, from, now, signal, pace)) {
          column.add(Buffer.from(`${to === 0 ? "[" : ","}${JSON.stringify(slice.results).slice(1, -1)}`));
          meta = meta && slice.meta ? joinMeta(meta, slice.meta, to - from) : slice.meta;
          to = slice.to;
          progress(to / end);
          // The pause lets the thread receive messages, such as the one that stops a task, and lets other tasks run.
          await nextTurn();
          if (isEnough()) break;
        }
        return { to, columns: [await column.end()], meta };
      },
      async *results(column) {
        yield* column(0);
        yield CLOSE;
      },
      joinMeta: (meta, more, from) => joinMeta(meta as PointMeta, more as PointMeta, from),
    };
  },
};

/** Published storms by provider; a provider whose storms were never received is absent. */
export type TaskStorms = Partial<Record<StormProvider, readonly StormEntry[]>>;

/** Dependencies of a task handler. */
interface TaskContext {
  archive: MapSource;
  /** Predictions for passages with gates. */
  tides?: Pick<Tides, "station" | "nearest"> | undefined;
  /** The manifest from which the whole task is answered. */
  manifest: Manifest;
  /** Weather clock when the task was accepted, Unix seconds. */
  now: number;
  /** Storms with which the whole task is answered. */
  storms?: TaskStorms;
}

/** Controls the computation of one piece of a task. */
interface PieceContext {
  signal: AbortSignal;
  /** Returns whether the piece should end; the handler asks between two parts of the work. */
  isEnough(): boolean;
  /** @param share Share of the task that is done, 0 to 1. */
  progress(share: number): void;
}

/** Consecutive work of a task. */
export interface ComputedPiece {
  /** Where the next piece begins. */
  to: number;
  columns: DeflatedPart[];
  meta?: unknown;
}

/** A request that is answered piece by piece. */
export interface OpenTask {
  /** Where the last piece ends. The first one begins at 0. */
  end: number;
  synthetic: boolean;
  storms?: TaskStorms | undefined;
  /** Computes from a position on, at least one part of the work. */
  compute(from: number, piece: PieceContext): Promise<ComputedPiece>;
  /**
   * The JSON of the results.
   *
   * @param column The texts of all pieces in order.
   */
  results(
    column: (index: number) => AsyncIterable<DeflatedPart>,
  ): AsyncGenerator<Uint8Array | DeflatedPart, void, undefined>;
  /**
   * Joins the meta of the first pieces with that of the next piece.
   *
   * @param from Position at which the next piece begins.
   */
  joinMeta(meta: unknown, more: unknown, from: number): unknown;
}

/** Reads and answers one kind of request. */
export interface TaskHandler<Body = unknown> {
  /** Reads a request that was accepted. */
  read(bytes: Uint8Array): Promise<Body>;
  taskIdAsList: boolean;
  open(body: Body, context: TaskContext): OpenTask;
}

const COMMA = Buffer.from(",");

/** The largest box that a task makes. */
export const taskSizeLimit = { max: mapLimits.async, instead: "one task after another" };

/** POST /2DMetOcean as a task. */
const mapHandler: TaskHandler<MapRequest> = {
  read: async (bytes) => mapRequest.parse(parseJsonBody(bytes)),
  taskIdAsList: false,
  open: (body, context) => openBox(mapQuestion(body), context, body.include_meta),
};

/** POST /files as a task: its result is stored as JSON, from which files are made. */
const filesHandler: TaskHandler<FileRequest> = {
  read: async (bytes) => fileRequest.parse(parseJsonBody(bytes)),
  taskIdAsList: false,
  open(body, context) {
    const { area } = body;
    if (area.type !== "storm") return openFile();
    const storm = context.storms?.[area.provider]?.find(({ id }) => id === area.id);
    if (!storm) throw new ProcessingError(`The storm ${area.id} of ${area.provider} is no longer known.`);
    return { ...openFile(storm), storms: { [area.provider]: [storm] } };

    function openFile(storm?: Parameters<typeof fileQuestion>[1]): OpenTask {
      const { question, maskOf } = fileQuestion(body, storm);
      return openBox(question, context, true, maskOf);
    }
  },
};

/** Opens a box as a task; a position is that of a time step, of several models one after another. */
function openBox(
  question: BoxQuestion,
  { archive, manifest, now }: TaskContext,
  include_meta: boolean,
  maskOf?: MaskOf,
): OpenTask {
  const plan = planBox(manifest, question, now, taskSizeLimit);
  const { latitude, longitude, outputs, isRange, answers } = plan;
  const steps = plan.times.length;
  const end = answers.length * steps;
  const models = question.models && answers.flatMap(({ model }) => model ?? []);
  let mask: NodeMask | undefined;
  return {
    end,
    synthetic: isSynthetic(manifest),
    async compute(from, { signal, isEnough, progress }) {
      const columns = answers.flatMap(() => outputs.map(() => new DeflatedColumn()));
      let meta: MapMeta | undefined;
      mask ??= await maskOf?.(plan, signal);
      let to = from;
      do {
        const [model, at] = [Math.floor(to / steps), to % steps];
        const answer = answers[model]!;
        const step = await readAnswer({ source: archive, plan, answer, now, signal, mask }, at, at + 1);
        for (const [index, { entries, decimals }] of step.field.outputs.entries()) {
          const column = columns[model * outputs.length + index]!;
          if (at > 0) column.add(COMMA);
          for (const piece of gridPieces(entries, longitude.length, decimals)) {
            column.add(piece);
            await nextTurn();
            signal.throwIfAborted();
          }
        }
        if (include_meta) meta = meta ? joinMapMeta(meta, step.meta()) : step.meta();
        to++;
        progress(to / end);
      } while (to < end && !isEnough());
      return { to, columns: await Promise.all(columns.map((column) => column.end())), meta };
    },
    async *results(column) {
      const times = plan.times.map(formatInstant);
      for (const part of mapOutline({ latitude, longitude, times, isRange, models, outputs }))
        if (part instanceof Uint8Array) yield part;
        else yield* column(part.model * outputs.length + part.gridsOf);
    },
    joinMeta: (meta, more) => joinMapMeta(meta as MapMeta, more as MapMeta),
  };
}

/** Content of a file: a box, and which places in it. */
interface FileQuestion {
  question: BoxQuestion;
  maskOf?: MaskOf | undefined;
}

/** @param storm The storm that the area surrounds; undefined for another kind of area. */
export function fileQuestion(request: FileRequest, storm: StormEntry | undefined): FileQuestion {
  const { variables, from, to, step_hours, stride, wind_height, models, format } = request;
  const { box, contains } = areaOf(request.area, storm);
  const names = [...new Set(variables)];
  return {
    question: {
      box,
      variables: names,
      from: parseInstant(from),
      to: parseInstant(to),
      stepHours: step_hours,
      stride,
      windHeight: wind_height,
      models,
      outputs: format === "grib2" ? componentOutputs(names, wind_height) : boxOutputs(names),
    },
    maskOf: contains && nodesWhere(contains),
  };
}

function areaOf(
  area: FileRequest["area"],
  storm: StormEntry | undefined,
): { box: Box; contains?: (place: Place) => boolean } {
  if (area.type === "box") {
    const [south = -90, north = 90] = area.latitude;
    const [west = -180, east = 180] = area.longitude;
    return { box: { south, north, west, east } };
  }
  if (area.type === "route") return corridorAround(area.waypoints, area.half_width_nm * MILE_KM);
  if (area.type === "points") throw new ProcessingError("A file at points is not a box");
  const track = storm ? trackOf(storm) : [];
  if (track.length === 0) throw new ProcessingError(`The position of the storm ${area.id} is not known`);
  return corridorAround(track, area.radius_nm * MILE_KM);
}

/** Returns the last position of a storm and the positions of its forecast. */
function trackOf({ tracks }: StormEntry): Place[] {
  const marks = [...tracks.observed.slice(-1), ...(tracks.forecast?.points ?? [])];
  return marks.map(({ lat, lon }) => ({ latitude: lat, longitude: lon }));
}

/** Approximate octets of a number and of a place in lines of text. */
const CSV = { number: 6, place: 38 };
const NETCDF = { number: 8, head: 3000 };

/** Estimates the size of a file, octets. */
export function estimatedBytes({ format, packing }: FileRequest, plan: BoxPlan): number {
  const { times, latitude, longitude, variables, answers, values } = plan;
  const nodes = latitude.length * longitude.length;
  if (format === "grib2") return times.length * estimatedOctets(variables, nodes, packing);
  if (format === "netcdf") return NETCDF.head + values * NETCDF.number;
  return answers.length * times.length * nodes * CSV.place + values * CSV.number;
}

/** Media type of the file that was asked for. */
export function fileType({ format, packing }: Pick<FileRequest, "format" | "packing">) {
  return fileFormats[format][packing];
}

/** Number of places evaluated between two readings of the clock: a few tenths of a second. */
const PLACES_A_PART = 2_000;
interface PassageTask {
  question: PassageQuestion;
  request: PassageRequest;
}

/** POST /passages/evaluate as a task. A position is that of a plan. */
export const passagesHandler: TaskHandler<PassageTask> = {
  async read(bytes) {
    const request = passageRequest.parse(parseJsonBody(bytes));
    return { question: questionOf(request), request };
  },
  taskIdAsList: false,
  open({ question: asked, request }, { archive, tides, manifest, now, storms: published }) {
    const question = questionOfMembers(asked, manifest);
    const gates = gatesOfTask(tides, question);
    const { known: storms, noted } = taskStorms(request, published);
    const end = planCount(question);
    const part = Math.max(1, Math.min(SIDE_BY_SIDE, Math.floor((PLACES_A_PART * end) / question.places)));
    return {
      end,
      synthetic: isSynthetic(manifest),
      storms: noted,
      async compute(from, { signal, isEnough, progress }) {
        const column = new DeflatedColumn();
        let meta: PassageMeta | undefined;
        let to = from;
        do {
          const begun = to;
          const { length } = question.departures;
          // The plans of a part are of one model or member.
          to = Math.min(begun + part, begun - (begun % length) + length);
          const some = await plansOf(archive, manifest, question, [begun, to], now, signal, {
            storms,
            gates: await gates(),
            progress: (share) => progress((begun + share * (to - begun)) / end),
          });
          for (const [index, plan] of some.plans.entries())
            column.add(Buffer.from(`${begun + index === 0 ? "[" : ","}${JSON.stringify(plan)}`));
          meta = meta ? joinPassageMeta(meta, some.meta) : some.meta;
          progress(to / end);
          // The pause lets the thread receive messages, such as the one that stops a task, and lets other tasks run.
          await nextTurn();
        } while (to < end && !isEnough());
        return { to, columns: [await column.end()], meta };
      },
      async *results(column) {
        yield* column(0);
        yield CLOSE;
      },
      joinMeta: (meta, more) => joinPassageMeta(meta as PassageMeta, more as PassageMeta),
    };
  },
};

/** A task of one piece, however large: what was computed before a process ended is computed again. */
function onePiece(
  synthetic: boolean,
  compute: (piece: PieceContext) => Promise<{ results: readonly unknown[]; meta: unknown }>,
): OpenTask {
  return {
    end: 1,
    synthetic,
    async compute(_from, piece) {
      const { results, meta } = await compute(piece);
      const column = new DeflatedColumn();
      column.add(Buffer.from(JSON.stringify(results)));
      return { to: 1, columns: [await column.end()], meta };
    },
    async *results(column) {
      yield* column(0);
    },
    joinMeta: (meta) => meta,
  };
}

/** POST /passages/optimise as a task. */
export const optimiseHandler: TaskHandler<OptimiseRequest> = {
  read: async (bytes) => optimiseRequest.parse(parseJsonBody(bytes)),
  taskIdAsList: false,
  open(request, { archive, tides, manifest, now, storms: published }) {
    const gates = gatesOfTask(tides, questionOf(request));
    const { known: storms, noted } = taskStorms(request, published);
    const task = onePiece(isSynthetic(manifest), async ({ signal, progress }) => {
      const around = { storms, gates: await gates(), progress };
      const { plans, meta } = await betterPlans(archive, manifest, request, now, signal, around);
      return { results: plans, meta };
    });
    return { ...task, storms: noted };
  },
};

/** POST /workability as a task. */
const workabilityHandler: TaskHandler<WorkabilityRequest> = {
  read: async (bytes) => workabilityRequest.parse(parseJsonBody(bytes)),
  taskIdAsList: false,
  open: (request, { archive, manifest, now }) =>
    onePiece(isSynthetic(manifest), async ({ signal, progress }) => {
      const { rows, meta } = await workabilityOf(archive, manifest, request, now, signal, progress);
      return { results: rows, meta };
    }),
};

/**
 * Returns the gates of a task, which are predicted when its first piece needs them; every prediction has the same
 * numbers.
 */
function gatesOfTask(tides: TaskContext["tides"], question: PassageQuestion) {
  let gates: ReturnType<typeof predictGates> | undefined;
  return () => {
    gates ??= predictGates(tides!, question);
    return gates;
  };
}

/**
 * Returns the storms of a task of passages, and those of them that its next pieces need.
 *
 * @throws ProcessingError if they are not known.
 */
function taskStorms(
  { storms: provider, storm_method: method }: Pick<PassageRequest, "storms" | "storm_method">,
  published: TaskStorms | undefined,
): { known?: KnownStorms; noted?: TaskStorms } {
  if (!provider) return {};
  const entries = published?.[provider];
  if (!entries)
    throw new ProcessingError(
      `The storms of ${provider} are not known at the moment, so that the passage cannot be held against them. Please try again later.`,
    );
  return {
    known: { entries, areaOf: (entry) => knownDangerArea(entry, method) },
    noted: { [provider]: entries },
  };
}

export const taskHandlers = {
  MetOcean: points,
  "2DMetOcean": mapHandler,
  files: filesHandler,
  "passages/evaluate": passagesHandler,
  "passages/optimise": optimiseHandler,
  workability: workabilityHandler,
} as const satisfies Record<TaskKind, unknown>;

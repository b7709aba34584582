import { createHash } from "node:crypto";
import type { Box } from "@open-metocean/geo/box";
import type { VariableName } from "#lib/catalog/variables.ts";
import {
  cycleBefore,
  type FileContents,
  type OpengribsModel,
  type OpengribsPart,
  type OpengribsRequest,
} from "#lib/opengribs/request.ts";
import { thinned } from "#lib/opengribs/thinned.ts";
import { estimatedOctets } from "#lib/table/field-messages.ts";
import { mapGrib2 } from "#lib/table/grib2.ts";
import { DAY_S, formatInstant, HOUR_S } from "#lib/time.ts";
import { withManifest } from "#server/archive/catalog.ts";
import { isSynthetic, type Manifest, type Run } from "#server/archive/run.ts";
import { type BoxPlan, componentOutputs, nativeSteps, planBox } from "#server/metocean/box-plan.ts";
import { type MapSource, readAnswer } from "#server/metocean/box-read.ts";
import type { BlobStore } from "#server/platform/blob-store.ts";
import { ProcessingError } from "#server/platform/errors.ts";
import { nextTurn } from "#server/platform/next-turn.ts";
import { originOf } from "./answer-formats.ts";

/** Navigation programs read complex packing; it takes about half of the bytes of simple packing. */
const PACKING = "complex";

/** Nodes that are read together: small boxes are read several steps at a time. */
const NODES_AT_ONCE = 64 * 1024;

/** A run that is older than this is no longer what a file begins with: it begins at the present instead. */
const OLDEST_START_S = DAY_S;

const unlimited = { max: Number.POSITIVE_INFINITY, instead: "" };

/** A file to be made. */
export interface OpengribsFile {
  request: OpengribsRequest;
  /** Key of the blob. */
  key: string;
  /** Weather clock, Unix seconds. */
  now: number;
  maxBytes: number;
  /** Whether a file that would be too large has a coarser grid and fewer times instead. */
  isThinned?: boolean;
}

export interface MadeFile {
  bytes: number;
  /** SHA-1 of the file, hexadecimal. */
  sha1: string;
  /** Letters of the parameters that are not in it, because the service or the runs of the model have no such field. */
  missing: readonly string[];
  contents: readonly FileContents[];
  /** Whether it has a coarser grid or fewer times than the request, because the whole file would be too large. */
  isThinned: boolean;
}

/** Forecast runs of a model that are in the archive, newest first. Invented runs answer for every model. */
export function runsOfModel({ runs, earlier = [] }: Manifest, { sources }: OpengribsModel): Run[] {
  return [...runs, ...earlier]
    .filter(({ dataset }) => dataset === "Forecast")
    .filter((run) => sources.includes(run.source) || run.provenance === "synthetic")
    .sort((a, b) => b.referenceTime - a.referenceTime);
}

/**
 * Writes one GRIB2 file with the fields of all models of a request into the blob store: a few steps at a time, so that
 * its memory does not depend on its length.
 *
 * @throws ProcessingError that says, for the person who asked, why there is no such file.
 */
export function makeOpengribsFile(
  { archive, blobs }: { archive: MapSource; blobs: Pick<BlobStore, "put"> },
  { request, key, now, maxBytes, isThinned = false }: OpengribsFile,
  signal: AbortSignal,
): Promise<MadeFile> {
  const write = async (manifest: Manifest, tried: OpengribsRequest): Promise<MadeFile> => {
    const plans = tried.parts
      .filter(({ parameters }) => parameters.length > 0)
      .flatMap((part) => planOf(part, tried, manifest, now));
    const missing = tried.parts.flatMap(({ parameters, unknown }) => [
      ...unknown,
      ...parameters
        .filter(({ variable }) => !plans.some(({ plan }) => plan.variables.includes(variable)))
        .map(({ letter }) => letter),
    ]);
    if (plans.length === 0)
      throw new ProcessingError("The archive has none of these parameters at the moment.");
    const expected = plans.reduce((sum, { plan }) => sum + octetsOf(plan), 0);
    if (expected > maxBytes) throw new FileTooLargeError(expected, maxBytes);
    const hash = createHash("sha1");
    let bytes = 0;
    const messages = async function* () {
      for (const planned of plans)
        for await (const message of messagesOf(planned, { source: archive, now, signal })) {
          bytes += message.length;
          if (bytes > maxBytes) throw new FileTooLargeError(bytes, maxBytes);
          hash.update(message);
          yield message;
        }
    };
    await blobs.put(key, messages(), signal);
    return {
      bytes,
      sha1: hash.digest("hex"),
      missing,
      contents: plans.map(contentsOf),
      isThinned: tried !== request,
    };
  };
  return withManifest(archive, async (manifest) => {
    let smaller = request;
    for (;;) {
      try {
        return await write(manifest, smaller);
      } catch (error) {
        if (!(isThinned && error instanceof FileTooLargeError)) throw error;
        const next = thinned(request, smaller, error.bytes / maxBytes);
        if (!next)
          throw new ProcessingError(
            `Even one time on a coarse grid has about ${sizeText(error.bytes)}, and ${sizeText(maxBytes)} are left for it. ` +
              "Choose a smaller area or fewer parameters.",
          );
        smaller = next;
      }
    }
  });
}

/** The part of a file that one model fills. */
interface Planned {
  title: string;
  plan: BoxPlan;
  /** It has the runs of the model only. */
  manifest: Manifest;
  /** Steps of the rain from a day before the first instant, Unix seconds, ascending. */
  rainSteps: readonly number[];
}

/** The plan of one model; none where it has none of the variables. */
function planOf(
  { model, step, parameters }: OpengribsPart,
  { box, hours, offsets, seconds, cycle }: OpengribsRequest,
  manifest: Manifest,
  now: number,
): Planned[] {
  const all = runsOfModel(manifest, model);
  if (all.length === 0) throw new ProcessingError(absence(model, manifest));
  const newest = all[0]!.referenceTime;
  const base = cycle === undefined ? newest : cycleBefore(newest, cycle);
  const runs = cycle === undefined ? all : all.filter(({ referenceTime }) => referenceTime === base);
  if (runs.length === 0)
    throw new ProcessingError(
      `The run of ${model.title} of ${formatInstant(base)} is not in the archive. The newest is that of ${formatInstant(newest)}.`,
    );
  const { earlier: _earlier, ...rest } = manifest;
  const own: Manifest = { ...rest, runs };
  const step_s = hours * HOUR_S;
  const from = now - base > OLDEST_START_S && cycle === undefined ? Math.floor(now / step_s) * step_s : base;
  const variables = [...new Set(parameters.map(({ variable }) => variable))];
  const lasts = variables.map((name) => lastOf({ manifest: own, name, now }, box, from, from + seconds));
  const there = variables.filter((_, at) => lasts[at] !== undefined);
  if (there.length === 0) return [];
  const to = Math.max(...lasts.filter((last) => last !== undefined));
  const question = {
    box,
    variables: there,
    outputs: componentOutputs(there, 10),
    from,
    to,
    stepHours: hours,
  };
  const { grid } = planBox(own, question, now, unlimited);
  const stride = Math.max(1, Math.round(step / grid.longitude.step));
  const whole = planBox(own, { ...question, stride }, now, unlimited);
  const plan = offsets ? { ...whole, times: timesAt(offsets, from, whole.times) } : whole;
  if (plan.times.length === 0)
    throw new ProcessingError(
      `${model.title} has none of these times. Its last one is ${formatInstant(to)}.`,
    );
  const rainSteps = nativeSteps({ manifest: own, name: "rain", now }, box, from - DAY_S, to);
  return [{ title: model.title, plan, manifest: own, rainSteps }];
}

/** @param offsets Hours after the first instant of the forecast. @param from That instant, Unix seconds, as are `times`. */
function timesAt(offsets: readonly number[], from: number, times: readonly number[]): number[] {
  const wanted = new Set(offsets.map((hours) => from + hours * HOUR_S));
  return times.filter((time) => wanted.has(time));
}

function contentsOf({ title, plan, manifest }: Planned): FileContents {
  const { variables, grid, stride, times } = plan;
  return {
    title,
    base: manifest.runs[0]!.referenceTime,
    variables,
    step: stride * grid.longitude.step,
    times: times.length,
    last: times.at(-1)!,
    isSynthetic: isSynthetic(manifest),
  };
}

/** The last step of a variable in a range of time; undefined where there is none. Unix seconds. */
function lastOf(
  archive: { manifest: Manifest; name: VariableName; now: number },
  box: Box,
  from: number,
  to: number,
): number | undefined {
  return nativeSteps(archive, box, from, to).at(-1);
}

async function* messagesOf(
  { plan, manifest, rainSteps }: Planned,
  read: { source: MapSource; now: number; signal: AbortSignal },
): AsyncGenerator<Uint8Array, void, undefined> {
  const nodes = plan.latitude.length * plan.longitude.length;
  // XyGrib ignores rain at an instant (template 4.0). The rate of a step stands for the time since the step before it.
  const rainSince = (time: number) => rainSteps.findLast((step) => step < time);
  const together = Math.max(1, Math.floor(NODES_AT_ONCE / nodes));
  for (let from = 0; from < plan.times.length; from += together) {
    const to = Math.min(from + together, plan.times.length);
    const { field, meta } = await readAnswer({ ...read, plan, answer: plan.answers[0] }, from, to);
    const origin = originOf({ meta: meta(), synthetic: isSynthetic(manifest) });
    yield* mapGrib2(field, origin, PACKING, rainSince);
    await nextTurn();
    read.signal.throwIfAborted();
  }
}

function octetsOf({ times, variables, latitude, longitude }: BoxPlan): number {
  return times.length * estimatedOctets(variables, latitude.length * longitude.length, PACKING);
}

const MIB = 2 ** 20;

/** The file would be larger than it may be. */
class FileTooLargeError extends ProcessingError {
  override readonly name = "FileTooLargeError";
  /** Size of the file, or of the part of it that was written. */
  readonly bytes: number;
  constructor(bytes: number, maxBytes: number) {
    super(
      `The file would have about ${sizeText(bytes)}, and this server sends at most ${sizeText(maxBytes)}. ` +
        "Choose a smaller area, fewer days, a longer interval or a coarser grid.",
    );
    this.bytes = bytes;
  }
}

function sizeText(bytes: number): string {
  return bytes < MIB ? `${Math.ceil(bytes / 1000)} kB` : `${Math.ceil(bytes / MIB)} MB`;
}

/** Says that a model is missing, and which models the server has. */
function absence({ title }: OpengribsModel, { runs }: Manifest): string {
  const there = [...new Set(runs.filter(({ dataset }) => dataset === "Forecast").map(({ model }) => model))];
  return there.length === 0
    ? "This server has no forecast at the moment."
    : `This server does not have ${title}. It has ${there.join(", ")}.`;
}

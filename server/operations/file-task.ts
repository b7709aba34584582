import { type FileRequest, fileRequest } from "#lib/contract/files.ts";
import { type MapMeta, type MapRequest, mapLimits, mapRequest } from "#lib/contract/map2d.ts";
import { gridPieces, mapOutline } from "#lib/field/serialise.ts";
import { formatInstant } from "#lib/time.ts";
import { isSynthetic } from "#server/archive/run.ts";
import { parseJsonBody } from "#server/http/validation.ts";
import type { MaskOf } from "#server/metocean/box.ts";
import { type BoxQuestion, mapQuestion, planBox } from "#server/metocean/box-plan.ts";
import { type NodeMask, readBox } from "#server/metocean/box-read.ts";
import { joinMapMeta } from "#server/metocean/meta.ts";
import { ProcessingError } from "#server/platform/errors.ts";
import { nextTurn } from "#server/platform/next-turn.ts";
import { DeflatedColumn } from "./deflated-column.ts";
import { fileQuestion } from "./file-question.ts";
import type { OpenTask, TaskContext, TaskHandler } from "./task-handler.ts";

const COMMA = Buffer.from(",");

/** The largest box that a task makes. */
export const taskSizeLimit = { max: mapLimits.async, instead: "one task after another" };

/** POST /2DMetOcean as a task. */
export const mapHandler: TaskHandler<MapRequest> = {
  read: async (bytes) => mapRequest.parse(parseJsonBody(bytes)),
  taskIdAsList: false,
  open: (body, context) => openBox(mapQuestion(body), context, body.include_meta),
};

/** POST /files as a task: its result is stored as JSON, of which files are made. */
export const filesHandler: TaskHandler<FileRequest> = {
  read: async (bytes) => fileRequest.parse(parseJsonBody(bytes)),
  taskIdAsList: false,
  open(body, context) {
    const { area } = body;
    if (area.type !== "storm") return openFile();
    const storm = context.storms?.[area.provider]?.find(({ id }) => id === area.id);
    if (!storm) throw new ProcessingError(`The storm ${area.id} of ${area.provider} is not known any more.`);
    return { ...openFile(storm), storms: { [area.provider]: [storm] } };

    function openFile(storm?: Parameters<typeof fileQuestion>[1]): OpenTask {
      const { question, maskOf } = fileQuestion(body, storm);
      return openBox(question, context, true, maskOf);
    }
  },
};

/** A position is that of a time step. */
function openBox(
  question: BoxQuestion,
  { archive, manifest, now }: TaskContext,
  include_meta: boolean,
  maskOf?: MaskOf,
): OpenTask {
  const plan = planBox(manifest, question, now, taskSizeLimit);
  const { latitude, longitude, outputs, isRange } = plan;
  const end = plan.times.length;
  let mask: NodeMask | undefined;
  return {
    end,
    synthetic: isSynthetic(manifest),
    async compute(from, { signal, isEnough, progress }) {
      const columns = outputs.map(() => new DeflatedColumn());
      let meta: MapMeta | undefined;
      mask ??= await maskOf?.(plan, signal);
      let to = from;
      do {
        const step = await readBox({ source: archive, manifest, plan, now, signal, mask }, to, to + 1);
        for (const [index, { entries, decimals }] of step.field.outputs.entries()) {
          if (to > 0) columns[index]!.add(COMMA);
          for (const piece of gridPieces(entries, longitude.length, decimals)) {
            columns[index]!.add(piece);
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
      for (const part of mapOutline({ latitude, longitude, times, isRange, outputs }))
        if (part instanceof Uint8Array) yield part;
        else yield* column(part.gridsOf);
    },
    joinMeta: (meta, more) => joinMapMeta(meta as MapMeta, more as MapMeta),
  };
}

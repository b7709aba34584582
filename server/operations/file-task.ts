import { type FileRequest, fileRequest } from "#lib/contract/files.ts";
import { type MapMeta, mapLimits } from "#lib/contract/map2d.ts";
import { gridPieces, mapOutline } from "#lib/field/serialise.ts";
import { formatInstant } from "#lib/time.ts";
import { isSynthetic } from "#server/archive/run.ts";
import { parseJsonBody } from "#server/http/validation.ts";
import { planBoxWithin } from "#server/metocean/box.ts";
import { maskOf, type NodeMask, readFileSteps } from "#server/metocean/file-field.ts";
import { joinMapMeta } from "#server/metocean/meta.ts";
import { ProcessingError } from "#server/platform/errors.ts";
import { nextTurn } from "#server/platform/next-turn.ts";
import { DeflatedColumn } from "./deflated-column.ts";
import { fileQuestion } from "./file-question.ts";
import type { TaskHandler } from "./task-handler.ts";

const COMMA = Buffer.from(",");

/** POST /files as a task: its result is stored as JSON, of which files are made. A position is that of a time step. */
export const filesHandler: TaskHandler<FileRequest> = {
  read: async (bytes) => fileRequest.parse(parseJsonBody(bytes)),
  taskIdAsList: false,
  open(body, { archive, manifest, now, storms }) {
    const { area } = body;
    const entries = area.type === "storm" ? storms?.[area.provider] : undefined;
    const storm = area.type === "storm" ? entries?.find(({ id }) => id === area.id) : undefined;
    if (area.type === "storm" && !storm)
      throw new ProcessingError(`The storm ${area.id} of ${area.provider} is not known any more.`);
    const { question, contains, outputs } = fileQuestion(body, storm);
    const plan = planBoxWithin(manifest, question, now, {
      max: mapLimits.async,
      instead: "one task after another",
    });
    const end = plan.times.length;
    let mask: NodeMask | undefined;
    return {
      end,
      synthetic: isSynthetic(manifest),
      ...(area.type === "storm" && storm && { storms: { [area.provider]: [storm] } }),
      async compute(from, { signal, isEnough, progress }) {
        const columns = outputs.map(() => new DeflatedColumn());
        let meta: MapMeta | undefined;
        if (contains) mask ??= await maskOf(plan, contains, signal);
        let to = from;
        do {
          const read = { source: archive, manifest, plan, now, signal };
          const step = await readFileSteps(read, outputs, mask, to, to + 1);
          for (const [index, { entries, decimals }] of step.field.outputs.entries()) {
            if (to > 0) columns[index]!.add(COMMA);
            for (const piece of gridPieces(entries, plan.longitude.length, decimals)) {
              columns[index]!.add(piece);
              await nextTurn();
              signal.throwIfAborted();
            }
          }
          meta = meta ? joinMapMeta(meta, step.meta) : step.meta;
          to++;
          progress(to / end);
        } while (to < end && !isEnough());
        return { to, columns: await Promise.all(columns.map((column) => column.end())), meta };
      },
      async *results(column) {
        const { latitude, longitude } = plan;
        const times = plan.times.map(formatInstant);
        for (const part of mapOutline({ latitude, longitude, times, isRange: true, outputs }))
          if (part instanceof Uint8Array) yield part;
          else yield* column(part.gridsOf);
      },
      joinMeta: (meta, more) => joinMapMeta(meta as MapMeta, more as MapMeta),
    };
  },
};

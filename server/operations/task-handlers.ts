import { type MapMeta, type MapRequest, mapLimits, mapRequest } from "#lib/contract/map2d.ts";
import type { PointMeta, PointRequest } from "#lib/contract/point.ts";
import type { TaskKind } from "#lib/contract/task.ts";
import { gridPieces, mapOutline } from "#lib/field/serialise.ts";
import { isSynthetic } from "#server/archive/run.ts";
import { parseJsonBody } from "#server/http/validation.ts";
import { CompactPoints } from "#server/metocean/compact-points.ts";
import { planMapWithin, readSteps } from "#server/metocean/map2d.ts";
import { joinMapMeta, joinMeta } from "#server/metocean/meta.ts";
import { fullPace, pointSlices } from "#server/metocean/points.ts";
import { nextTurn } from "#server/platform/next-turn.ts";
import { DeflatedColumn } from "./deflated-column.ts";
import { filesHandler } from "./file-task.ts";
import { optimiseHandler } from "./passage-optimise-task.ts";
import { passagesHandler } from "./passage-task.ts";
import { manyPoints, readPointsInParts } from "./point-bodies.ts";
import type { TaskHandler } from "./task-handler.ts";

const [COMMA, CLOSE] = [Buffer.from(","), Buffer.from("]")];

/** A position is that of a point. */
const points: TaskHandler<Omit<PointRequest, "points"> & { points: CompactPoints }> = {
  async read(bytes) {
    const points = new CompactPoints();
    const request = await readPointsInParts(bytes, (part) => {
      points.add(part);
      return true;
    });
    if (request) return { ...request, points };
    const body = manyPoints.parse(parseJsonBody(bytes));
    return { ...body, points: new CompactPoints(body.points) };
  },
  taskIdAsList: true,
  open(request, { archive, manifest, now }) {
    const end = request.points.length;
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
          // The thread receives messages, such as the one that stops a task, and other tasks run.
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

/** The largest map that a task makes. */
export const taskSizeLimit = { max: mapLimits.async, instead: "one task after another" };

/** A position is that of a time step. */
const map: TaskHandler<MapRequest> = {
  read: async (bytes) => mapRequest.parse(parseJsonBody(bytes)),
  taskIdAsList: false,
  open(body, { archive, manifest, now }) {
    const plan = planMapWithin(manifest, body, now, taskSizeLimit);
    const { steps, window, outputs, isRange } = plan;
    const end = steps.length;
    return {
      end,
      synthetic: isSynthetic(manifest),
      async compute(from, { signal, isEnough, progress }) {
        const columns = outputs.map(() => new DeflatedColumn());
        let meta: MapMeta | undefined;
        let to = from;
        do {
          const step = await readSteps(archive, manifest, plan, to, to + 1, now, signal);
          for (const [index, { entries, decimals }] of step.field.outputs.entries()) {
            if (to > 0) columns[index]!.add(COMMA);
            for (const piece of gridPieces(entries, window.columns.length, decimals)) {
              columns[index]!.add(piece);
              await nextTurn();
              signal.throwIfAborted();
            }
          }
          if (body.include_meta) meta = meta ? joinMapMeta(meta, step.meta()) : step.meta();
          to++;
          progress(to / end);
        } while (to < end && !isEnough());
        return { to, columns: await Promise.all(columns.map((column) => column.end())), meta };
      },
      async *results(column) {
        const { latitude, longitude } = window;
        const times = steps.map(({ timestamp }) => timestamp);
        const names = outputs.map(({ map2d }) => ({ name: map2d }));
        for (const part of mapOutline({ latitude, longitude, times, isRange, outputs: names }))
          if (part instanceof Uint8Array) yield part;
          else yield* column(part.gridsOf);
      },
      joinMeta: (meta, more) => joinMapMeta(meta as MapMeta, more as MapMeta),
    };
  },
};

/** The handler of each kind of task. */
export const taskHandlers = {
  MetOcean: points,
  "2DMetOcean": map,
  files: filesHandler,
  "passages/evaluate": passagesHandler,
  "passages/optimise": optimiseHandler,
} as const satisfies Record<TaskKind, unknown>;

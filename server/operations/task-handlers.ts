import type { PointMeta, PointRequest } from "#lib/contract/point.ts";
import type { TaskKind } from "#lib/contract/task.ts";
import { requests } from "#lib/contract/wire-schemas.ts";
import { isSynthetic } from "#server/archive/run.ts";
import { parseJsonBody } from "#server/http/validation.ts";
import { joinMeta } from "#server/metocean/meta.ts";
import { CompactPoints, fullPace, pointSlices } from "#server/metocean/points.ts";
import { nextTurn } from "#server/platform/next-turn.ts";
import { DeflatedColumn } from "./deflated-column.ts";
import { filesHandler, mapHandler } from "./file-task.ts";
import { optimiseHandler } from "./passage-optimise-task.ts";
import { passagesHandler } from "./passage-task.ts";
import type { TaskHandler } from "./task-handler.ts";

const CLOSE = Buffer.from("]");

/** A position is that of a point. */
const points: TaskHandler<Omit<PointRequest, "points"> & { points: CompactPoints }> = {
  async read(bytes) {
    const body = requests.ManyPointsRequest.parse(parseJsonBody(bytes));
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

/** The handler of each kind of task. */
export const taskHandlers = {
  MetOcean: points,
  "2DMetOcean": mapHandler,
  files: filesHandler,
  "passages/evaluate": passagesHandler,
  "passages/optimise": optimiseHandler,
} as const satisfies Record<TaskKind, unknown>;

import { type OptimiseRequest, optimiseRequest } from "#lib/contract/passage-optimise.ts";
import { isSynthetic } from "#server/archive/run.ts";
import { parseJsonBody } from "#server/http/validation.ts";
import { betterPlans } from "#server/metocean/better-routes.ts";
import { DeflatedColumn } from "./deflated-column.ts";
import { taskStorms } from "./passage-task-storms.ts";
import type { TaskHandler } from "./task-handler.ts";

/** POST /passages/optimise as a task. It is one piece: what was searched before a process ended is searched again. */
export const optimiseHandler: TaskHandler<OptimiseRequest> = {
  read: async (bytes) => optimiseRequest.parse(parseJsonBody(bytes)),
  taskIdAsList: false,
  open(request, { archive, manifest, now, storms: published }) {
    const { known: storms, noted } = taskStorms(request, published);
    return {
      end: 1,
      synthetic: isSynthetic(manifest),
      storms: noted,
      async compute(_from, { signal, progress }) {
        const { plans, meta } = await betterPlans(archive, manifest, request, now, signal, {
          storms,
          progress,
        });
        const column = new DeflatedColumn();
        column.add(Buffer.from(JSON.stringify(plans)));
        return { to: 1, columns: [await column.end()], meta };
      },
      results: (column) => column(0) as ReturnType<ReturnType<typeof optimiseHandler.open>["results"]>,
      joinMeta: (meta) => meta,
    };
  },
};

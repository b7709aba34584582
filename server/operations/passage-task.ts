import { type PassageRequest, passageRequest } from "#lib/contract/passage.ts";
import type { PassageMeta } from "#lib/contract/passage-reply.ts";
import { type PassageQuestion, questionOf } from "#lib/passage/question.ts";
import { isSynthetic } from "#server/archive/run.ts";
import { parseJsonBody } from "#server/http/validation.ts";
import { joinPassageMeta, plansOf, SIDE_BY_SIDE } from "#server/metocean/passages.ts";
import { nextTurn } from "#server/platform/next-turn.ts";
import { DeflatedColumn } from "./deflated-column.ts";
import { taskStorms } from "./passage-task-storms.ts";
import type { TaskHandler } from "./task-handler.ts";

/** Places that are evaluated between two looks at the clock: some tenths of a second. */
const PLACES_A_PART = 2_000;

const CLOSE = Buffer.from("]");

interface PassageTask {
  question: PassageQuestion;
  request: PassageRequest;
}

/** POST /passages/evaluate as a task. A position is that of a departure. */
export const passagesHandler: TaskHandler<PassageTask> = {
  async read(bytes) {
    const request = passageRequest.parse(parseJsonBody(bytes));
    return { question: questionOf(request), request };
  },
  taskIdAsList: false,
  open({ question, request }, { archive, manifest, now, storms: published }) {
    const { known: storms, noted } = taskStorms(request, published);
    const end = question.departures.length;
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
          to = Math.min(end, begun + part);
          const some = await plansOf(archive, manifest, question, [begun, to], now, signal, {
            storms,
            progress: (share) => progress((begun + share * (to - begun)) / end),
          });
          for (const [index, plan] of some.plans.entries())
            column.add(Buffer.from(`${begun + index === 0 ? "[" : ","}${JSON.stringify(plan)}`));
          meta = meta ? joinPassageMeta(meta, some.meta) : some.meta;
          progress(to / end);
          // The thread receives messages, such as the one that stops a task, and other tasks run.
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

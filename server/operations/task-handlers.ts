import type { z } from "zod";
import { mapLimits, mapRequest } from "#lib/contract/map2d.ts";
import { pointLimits, pointRequest } from "#lib/contract/point.ts";
import type { TaskKind } from "#lib/contract/task.ts";
import type { WrittenResults } from "#server/http/envelope.ts";
import type { MapSource } from "#server/metocean/map-read.ts";
import { answerMap } from "#server/metocean/map2d.ts";
import { streamPoints } from "#server/metocean/points.ts";

/** An answer that is written while it is computed. */
export interface TaskAnswer {
  results: WrittenResults;
  /** Called when the results have been written. */
  meta?(): unknown;
  synthetic?: boolean;
}

/** What a task handler may use. */
export interface TaskContext {
  archive: MapSource;
  /** Weather clock when the task was accepted, Unix seconds. */
  now: number;
  signal: AbortSignal;
  /** @param share How much is done, 0 to 1. */
  progress(share: number): void;
}

/** The form of one kind of request, and how it is answered. */
export interface TaskHandler<Schema extends z.ZodType = z.ZodType> {
  schema: Schema;
  taskIdAsList: boolean;
  answer(body: z.output<Schema>, context: TaskContext): Promise<TaskAnswer>;
}

const points: TaskHandler<ReturnType<typeof pointRequest>> = {
  schema: pointRequest(pointLimits.async),
  taskIdAsList: true,
  async answer(body, { archive, now, signal, progress }) {
    const { slices, meta, synthetic } = await streamPoints(archive, body, now, signal);
    const pieces = async function* () {
      let done = 0;
      for await (const slice of slices()) {
        const text = JSON.stringify(slice).slice(1, -1);
        yield Buffer.from(done === 0 ? `[${text}` : `,${text}`);
        done += slice.length;
        progress(done / body.points.length);
      }
      yield Buffer.from("]");
    };
    return { results: { pieces }, meta, synthetic };
  },
};

/** The largest map that a task makes. */
export const taskSizeLimit = { max: mapLimits.async, instead: "one task after another" };

const map: TaskHandler<typeof mapRequest> = {
  schema: mapRequest,
  taskIdAsList: false,
  async answer(body, { archive, now, signal, progress }) {
    // Reading a field takes about as long as writing and compressing it.
    const read = (share: number) => progress(share / 2);
    const written = (share: number) => progress((1 + share) / 2);
    const { results, meta, synthetic } = await answerMap(archive, body, now, taskSizeLimit, signal, read);
    return { results: { pieces: () => results.pieces(written) }, meta: () => meta, synthetic };
  },
};

/** The handler of each kind of task. */
export const taskHandlers = { MetOcean: points, "2DMetOcean": map } as const satisfies Record<
  TaskKind,
  unknown
>;

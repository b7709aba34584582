import { buffer } from "node:stream/consumers";
import { LRUCache } from "lru-cache";
import { withManifest } from "#server/archive/catalog.ts";
import type { Manifest } from "#server/archive/run.ts";
import { ObjectMissingError } from "#server/archive/store.ts";
import { around } from "#server/http/envelope.ts";
import { freeBytes } from "#server/http/request-body.ts";
import type { MapSource } from "#server/metocean/box-read.ts";
import type { BlobStore } from "#server/platform/blob-store.ts";
import { monotonicMs } from "#server/platform/clock.ts";
import { gzipOf } from "#server/platform/gzip-parts.ts";
import type { CallContext } from "#server/platform/worker-pool.ts";
import { BlobDamagedError, gunzipped, putHashed } from "#server/tasks/gzip-blobs.ts";
import { openPiece, pieceName, putPiece, type StoredPiece } from "#server/tasks/pieces.ts";
import type { ClaimedTask } from "#server/tasks/queue.ts";
import { finishedForm, type Task } from "#server/tasks/task.ts";
import { type PieceResult, PiecesLostError, type TaskResult } from "#server/tasks/worker.ts";
import type { Tides } from "#server/tides/tides.ts";
import {
  type ComputedPiece,
  type OpenTask,
  type TaskHandler,
  type TaskStorms,
  taskHandlers,
} from "./task-handlers.ts";

export interface PieceInput {
  task: Pick<
    ClaimedTask,
    | "id"
    | "token"
    | "kind"
    | "size"
    | "name"
    | "weatherNow"
    | "requestFile"
    | "createdAt"
    | "pieces"
    | "computedMs"
    | "claimedAt"
  >;
  /** Key of the result. */
  file: string;
  /** Published storms, for the first piece of a task that may need them. */
  storms?: TaskStorms;
}

export interface PieceDeps {
  archive: MapSource;
  /** Predictions for passages with gates. */
  tides?: Pick<Tides, "station" | "nearest">;
  blobs: BlobStore;
  /** How long a result is stored, seconds. */
  resultSeconds: number;
  /** A piece ends at the first opportunity after this time; a short task has one piece. Milliseconds. */
  pieceMs?: number;
}

const PIECE_MS = 600;

/** When many tasks take turns, a piece lasts this many times as long as reading its request took. */
const OPENING_RATIO = 2;

/** Maximum total number of points in requests that are retained between their pieces; 24 bytes each. */
const MAX_RETAINED_POINTS = 600_000;

/** Record that a piece leaves for later pieces. */
interface Note {
  to: number;
  meta?: unknown;
  /** Present in the first piece: the manifest that answers the whole task. */
  manifest?: Manifest;
  /** Present in the first piece: the storms that the whole task uses. */
  storms?: TaskStorms;
}

interface Opened {
  request: OpenTask;
  /** Token of the last piece; undefined before the first. */
  after: number | undefined;
  from: number;
}

/**
 * Computes tasks piece by piece, into the blob store.
 *
 * The returned function computes the next piece of a task; the last one also assembles the result of all of them. A
 * piece that is stored is never computed again.
 *
 * @throws PiecesLostError if the task has to begin again: a run that answered the first pieces was replaced and is gone,
 *   or a piece is damaged.
 */
export function pieceComputer({ archive, tides, blobs, resultSeconds, pieceMs = PIECE_MS }: PieceDeps) {
  const opened = new LRUCache<string, Opened>({ maxSize: MAX_RETAINED_POINTS });

  async function nextPiece(
    { task, file, storms: published }: PieceInput,
    { signal, progress }: CallContext,
  ): Promise<TaskResult | PieceResult> {
    const startedAt = monotonicMs();
    const known = opened.get(task.id);
    opened.delete(task.id);
    const last = task.pieces.at(-1);
    if (known && known.after === last) return compute(known.request, known.from);
    const handler = handlerOf(task);
    // The body was counted when it was accepted, so its parsed size is bounded.
    const bytes = await buffer(gunzipped(blobs.read(task.requestFile!)));
    const body = await handler.read(bytes);
    freeBytes(bytes);
    const now = task.weatherNow.getTime() / 1000;
    if (last === undefined)
      return withManifest(archive, (manifest) =>
        compute(handler.open(body, { archive, tides, manifest, now, storms: published }), 0, manifest),
      );
    const { manifest, storms } = (await pieceOf(task.pieces[0]!)).note;
    const { to } = (await pieceOf(last)).note;
    return compute(handler.open(body, { archive, tides, manifest: manifest!, now, storms }), to);

    function pieceOf(token: number): Promise<StoredPiece<Note>> {
      return openPiece<Note>(blobs, pieceName({ id: task.id, token }));
    }

    async function compute(request: OpenTask, from: number, manifest?: Manifest) {
      const since = monotonicMs();
      const until = since + (pieceMs === 0 ? 0 : Math.max(pieceMs, OPENING_RATIO * (since - startedAt)));
      const isEnough = () => monotonicMs() >= until;
      const piece = await request.compute(from, { signal, isEnough, progress });
      signal.throwIfAborted();
      if (piece.to === request.end) return finish(request, piece);
      const first = manifest && { manifest, storms: request.storms };
      const note: Note = { to: piece.to, meta: piece.meta, ...first };
      const bytes = await putPiece(blobs, pieceName(task), { columns: piece.columns, note }, signal);
      opened.set(
        task.id,
        { request, after: task.token, from: piece.to },
        { size: task.kind === "MetOcean" ? task.size : 1 },
      );
      return { share: piece.to / request.end, bytes };
    }

    async function finish(request: OpenTask, last: ComputedPiece): Promise<TaskResult> {
      const stored: StoredPiece<Note>[] = [];
      for (const token of task.pieces) stored.push(await pieceOf(token));
      const column = async function* (index: number) {
        for (const piece of stored) yield await piece.column(index);
        yield last.columns[index]!;
      };
      let meta: unknown;
      let from = 0;
      for (const note of [...stored.map(({ note }) => note), last]) {
        meta = meta === undefined ? note.meta : request.joinMeta(meta, note.meta, from);
        from = note.to;
      }
      const times = { finishedAt: 0, expiresAt: 0 };
      const text = around(
        {
          taskId: task.id,
          taskIdAsList: handlerOf(task).taskIdAsList,
          meta,
          seconds: () => (task.computedMs + monotonicMs() - startedAt) / 1000,
          more: () => {
            times.finishedAt = Math.round(task.claimedAt + monotonicMs() - startedAt);
            times.expiresAt = times.finishedAt + resultSeconds * 1000;
            return finishedForm({
              ...task,
              finishedAt: new Date(times.finishedAt),
              expiresAt: new Date(times.expiresAt),
            });
          },
        },
        request.results(column),
      );
      return {
        stored: await putHashed(blobs, file, gzipOf(text), signal),
        synthetic: request.synthetic,
        ...times,
      };
    }
  }

  return async (input: PieceInput, context: CallContext): Promise<TaskResult | PieceResult> => {
    try {
      return await nextPiece(input, context);
    } catch (error) {
      const isLost = error instanceof ObjectMissingError || error instanceof BlobDamagedError;
      if (!isLost || input.task.pieces.length === 0) throw error;
      throw new PiecesLostError(error.message, { cause: error });
    }
  };
}

function handlerOf({ kind }: Pick<Task, "kind">): TaskHandler {
  return taskHandlers[kind] as TaskHandler;
}

import { buffer } from "node:stream/consumers";
import { constants, gunzipSync } from "node:zlib";
import type { Idempotency, TaskKind } from "#lib/contract/task.ts";
import type { Origin } from "#lib/table/table.ts";
import type { BlobStore } from "#server/platform/blob-store.ts";
import { secondsFromNow } from "#server/platform/claimed-rows.ts";
import { UnavailableError } from "#server/platform/errors.ts";
import { preferredType } from "#server/platform/negotiation.ts";
import type { ConversionRequest, Conversions } from "./conversions.ts";
import { typesOfResult } from "./converted-files.ts";
import { gunzipped, putGzip } from "./gzip-blobs.ts";
import { ANSWER, type Storage } from "./storage.ts";
import { KEY_SECONDS } from "./store.ts";
import type { TaskTables } from "./task.ts";

/** An answer in the form in which it is sent. */
interface Answer {
  headers: Record<string, string>;
  body: string | Uint8Array | AsyncIterable<Uint8Array> | null;
  /** Provenance of the answer, which its other formats state even if the envelope has no meta. */
  provenance?: Origin["provenance"];
  /** Whether it is repeated as it was sent, in whatever format a later request accepts. */
  asSent?: true;
}

interface KeyRow {
  hash: string;
  taskId: string;
  answerFile: string | null;
  /** Seconds since the key was first used. */
  storedFor: number;
}

export interface AnswersDeps {
  tables: Pick<TaskTables, "idempotencyKey" | "$queryRaw" | "$executeRaw">;
  blobs: BlobStore;
  conversions: Conversions;
  /** Limits of storage; without it answers are stored without a limit. */
  storage?: Pick<Storage, "ensureSpace" | "ensureAnswerSpace">;
}

/**
 * An answer of at most this compressed size, bytes, is read at once. The first bytes of a larger one contain its
 * headers.
 */
const SMALL_BYTES = 8 * 1024;

/**
 * Stores the targets of the owners' Idempotency-Keys: tasks, whose keys `TaskStore.submit` adds, and answers that were
 * sent at once. The blob of an answer has a line of headers, then the body and, after an envelope, a line of
 * provenance.
 */
export class IdempotentAnswers {
  readonly #deps: AnswersDeps;

  constructor(deps: AnswersDeps) {
    this.#deps = deps;
  }

  async find(owner: string, key: string) {
    const rows = await this.#deps.tables.$queryRaw<KeyRow[]>`
      SELECT hash, task_id::text AS "taskId", answer_file AS "answerFile",
        extract(epoch FROM now() - created_at)::float8 AS "storedFor" FROM idempotency_key
      WHERE owner = ${owner} AND key = ${key} AND created_at > ${secondsFromNow(-KEY_SECONDS)}`;
    if (!rows[0]) return undefined;
    const { hash, taskId, answerFile, storedFor } = rows[0];
    if (answerFile === null) return { hash, taskId };
    const answerTo = async (request: ConversionRequest) => {
      const answer = await this.#read(owner, answerFile, request);
      // The blob of the answer is gone, so the request is answered again.
      if (!answer) await this.#deps.tables.idempotencyKey.deleteMany({ where: { owner, key, answerFile } });
      return answer && aged(answer, storedFor);
    };
    return { hash, taskId, answerTo };
  }

  /** @throws QuotaError */
  async ensureQuota(owner: string): Promise<void> {
    await this.#deps.storage?.ensureSpace(owner).catch((error: unknown) => {
      // A full disk or an unavailable store is not the caller's fault, so the answer is still sent.
      if (!(error instanceof UnavailableError)) throw error;
    });
  }

  /**
   * @returns Whether it is stored; false where a concurrent request was first.
   * @throws QuotaError, NoSpaceError where there is no space for answers of this owner.
   */
  async keep(owner: string, idempotency: Idempotency, taskId: string, answer: Answer): Promise<boolean> {
    await this.#deps.storage?.ensureAnswerSpace(owner);
    const file = `${taskId}${ANSWER}`;
    const { bytes } = await putGzip(this.#deps.blobs, file, serialised(answer));
    const added = await this.#add(owner, idempotency, taskId, { file, bytes });
    if (!added) await this.#deps.blobs.delete(file);
    return added;
  }

  /** @returns false where a concurrent request was first. */
  async #add(
    owner: string,
    { key, hash }: Idempotency,
    taskId: string,
    { file, bytes }: { file: string; bytes: number },
  ): Promise<boolean> {
    const added = await this.#deps.tables.$executeRaw`
      INSERT INTO idempotency_key (owner, key, hash, task_id, answer_file, answer_bytes, created_at)
      VALUES (${owner}, ${key}, ${hash}, ${taskId}::uuid, ${file}, ${bytes}::bigint, now())
      ON CONFLICT (owner, key) DO UPDATE SET hash = excluded.hash, task_id = excluded.task_id,
        answer_file = excluded.answer_file, answer_bytes = excluded.answer_bytes, converted = '{}', converted_bytes = 0,
        created_at = excluded.created_at
        WHERE idempotency_key.created_at <= ${secondsFromNow(-KEY_SECONDS)}`;
    return added === 1;
  }

  /**
   * Reads an answer in the format that a request accepts. The blob of a large one is opened when its body is read; a
   * small one is in memory.
   */
  async #read(owner: string, file: string, request: ConversionRequest): Promise<Answer | undefined> {
    const packed = await this.#deps.blobs.getRange(file, 0, SMALL_BYTES);
    if (!packed) return undefined;
    const isWhole = packed.length < SMALL_BYTES;
    const start = gunzipSync(packed, isWhole ? {} : { finishFlush: constants.Z_SYNC_FLUSH });
    const end = start.indexOf(NEW_LINE);
    if (end < 0) throw new Error(`${file} has no headers`);
    const { [AS_SENT]: asSent, ...headers } = JSON.parse(start.toString("utf8", 0, end)) as Record<
      string,
      string
    >;
    const isJson = headers["content-type"] === JSON_TYPE;
    const success =
      isJson &&
      asSent === undefined &&
      SUCCESS.exec(start.toString("latin1", end + 1, end + 1 + SUCCESS_BYTES));
    const kind = success && kindOf(success);
    if (kind) {
      const type = preferredType(request.header("accept"), typesOfResult(kind));
      if (type !== JSON_TYPE) {
        const source = { file, kind, synthetic: headers["x-data-provenance"] === "synthetic" } as const;
        const plain = isWhole ? start : undefined;
        const converted = await this.#deps.conversions.reply(owner, source, type, request, plain);
        const { vary } = converted.headers;
        return {
          // Answers are not cached, so Vary need not name the key.
          headers: { ...headers, ...converted.headers, ...(vary && { vary: "Accept, Accept-Encoding" }) },
          body: converted.body,
        };
      }
    }
    const body = bodyOf(isWhole ? [start] : gunzipped(this.#deps.blobs.read(file)), isJson);
    return { headers, body: isWhole ? await buffer(body) : body };
  }
}

/** Adds to the age of the forecast the time for which the answer was stored. */
function aged(answer: Answer, seconds: number): Answer {
  const age = answer.headers["x-data-age"];
  if (age === undefined) return answer;
  const now = Number(age) + Math.floor(Math.max(0, seconds));
  return { ...answer, headers: { ...answer.headers, "x-data-age": String(now) } };
}

const JSON_TYPE = "application/json";
/** Stands among the stored headers of an answer that has no other formats. */
const AS_SENT = "as-sent";
const NEW_LINE = 10;

/**
 * Matches the beginning of a SUCCESS envelope. Points have a list of one id, plans of passages begin with their
 * departure, rows of workability with their month, and the last runs of points with their base time or with an empty
 * list.
 */
const SUCCESS =
  /^\{"task_id":(\[?)"[\w-]+"\]?,"status":"SUCCESS"(?:,"result":\{"results":\[(\{"departure"|\{"month"|\{"reference_time"|\]))?/;
const SUCCESS_BYTES = 160;

/** Kind of the task to which an envelope belongs; undefined where it has no other formats. */
function kindOf([, list, first]: RegExpExecArray): TaskKind | undefined {
  if (list === "[") return "MetOcean";
  if (first === '{"departure"') return "passages/evaluate";
  if (first === '{"month"') return "workability";
  return first === undefined ? "2DMetOcean" : undefined;
}

/**
 * Yields the body of a stored answer. JSON is one line. In other formats, which version 0.1.0 stored, the body is
 * everything after the headers.
 */
async function* bodyOf(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  isJson: boolean,
): AsyncGenerator<Uint8Array, void, undefined> {
  let state: "before" | "within" | "after" = "before";
  for await (const piece of pieces) {
    const begin = state === "before" ? piece.indexOf(NEW_LINE) : -1;
    if (begin >= 0) state = "within";
    // The bytes after the body are read too, because the checksum is at the end.
    if (state !== "within") continue;
    const end = isJson ? piece.indexOf(NEW_LINE, begin + 1) : -1;
    if (end >= 0) state = "after";
    yield piece.subarray(begin + 1, end < 0 ? undefined : end);
  }
}

async function* serialised({ headers, body, provenance, asSent }: Answer): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`${JSON.stringify({ ...headers, ...(asSent && { [AS_SENT]: "1" }) })}\n`);
  if (typeof body === "string") yield Buffer.from(body);
  else if (body instanceof Uint8Array) yield body;
  else if (body !== null) yield* body;
  if (provenance) yield Buffer.from(`\n${JSON.stringify(provenance.map(stated))}`);
}

/** Properties of a source that files state. */
function stated(entry: NonNullable<Origin["provenance"]>[number]): object {
  const {
    valid_times: times = [],
    variable,
    dataset,
    model,
    run,
    reference_time,
    age_s,
    notice,
    wind_height,
    points,
    answer,
  } = entry;
  const valid_times = [...new Set([...times.slice(0, 1), ...times.slice(-1)])];
  const aged = { reference_time, age_s, notice };
  return { variable, dataset, model, run, ...aged, valid_times, wind_height, points, answer };
}

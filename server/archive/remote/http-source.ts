import { StoreUnavailableError } from "#server/platform/errors.ts";
import { HostFailedError } from "#server/platform/fetching/errors.ts";
import { type Answer, Connections, exchange, type TimeLimits } from "#server/platform/fetching/exchange.ts";
import { realSleep, type Sleep } from "#server/platform/fetching/sleep.ts";
import type { ObjectSource } from "./object-source.ts";

const ATTEMPTS = 4;
const FIRST_PAUSE_S = 0.1;
/** What a host asks for beyond this is not waited for: the caller is told to retry. */
const LONGEST_PAUSE_S = 2;
const LIMITS: TimeLimits = { connectMs: 3000, idleMs: 10_000, wholeMs: 60_000 };
/** A host that answers with the whole object instead of a range is put up with to this length, bytes. */
const WHOLE_BYTES = 16 * 2 ** 20;
/** What is asked for as a whole, lists of runs and metadata, is far shorter, bytes. */
const LONGEST_BYTES = 256 * 2 ** 20;

/** What `body` says of a failure after which the same request may succeed. */
class PassingFailure extends Error {
  readonly pauseS: number;
  constructor(message: string, pauseS = 0, options?: ErrorOptions) {
    super(message, options);
    this.pauseS = pauseS;
  }
}

export interface HttpSourceOptions {
  limits?: TimeLimits;
  sleep?: Sleep;
  /** In [0, 1). */
  random?: () => number;
}

/**
 * Objects below an address, as any web server offers files, or a public bucket.
 *
 * @param base `https://host/path`, without a slash at its end.
 */
export function httpSource(
  base: string,
  { limits = LIMITS, sleep = realSleep, random = Math.random }: HttpSourceOptions = {},
): ObjectSource {
  const connections = new Connections();
  const { host } = new URL(base);

  async function asked<T>(
    key: string,
    headers: Record<string, string>,
    signal: AbortSignal,
    take: (answer: Answer) => Promise<T>,
  ): Promise<T> {
    const address = new URL(`${base}/${key}`);
    for (let attempt = 1; ; attempt++) {
      try {
        const wanted = { "accept-encoding": "identity", ...headers };
        const answer = await exchange(connections, host, address, { headers: wanted, limits, signal });
        return await take(answer);
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof StoreUnavailableError) throw error;
        if (!(error instanceof PassingFailure || error instanceof HostFailedError)) throw error;
        const asksFor = error instanceof PassingFailure ? error.pauseS : 0;
        if (attempt === ATTEMPTS || asksFor > LONGEST_PAUSE_S)
          throw new StoreUnavailableError(undefined, { cause: error });
        const pause = FIRST_PAUSE_S * 2 ** (attempt - 1) * (0.5 + random());
        await sleep(Math.max(asksFor, pause), signal);
      }
    }
  }

  return {
    get: (key, signal) => asked(key, {}, signal, (answer) => wholeOf(answer, host, LONGEST_BYTES)),

    getRange(key, offset, length, signal) {
      const range = offset < 0 ? `bytes=${offset}` : `bytes=${offset}-${offset + length - 1}`;
      return asked(key, { range }, signal, async (answer) => {
        if (answer.status === 416) {
          answer.discard();
          return new Uint8Array();
        }
        if (answer.status !== 206) {
          const whole = await wholeOf(answer, host, WHOLE_BYTES);
          const from = offset < 0 ? Math.max(0, (whole?.length ?? 0) + offset) : offset;
          return whole?.subarray(from, from + length);
        }
        const expected = bytesOfRange(answer.headers["content-range"], offset, length);
        if (expected === undefined) {
          answer.discard();
          throw new PassingFailure(`${host} sent another range than was asked for`);
        }
        const bytes = await bytesOf(answer, host, length);
        if (bytes.length === expected) return bytes;
        throw new PassingFailure(`${bytes.length} of ${expected} bytes came from ${host}`);
      });
    },

    getChanged: (key, version, signal) =>
      asked(key, version === undefined ? {} : { "if-none-match": version }, signal, async (answer) => {
        if (answer.status === 304 && version !== undefined) {
          answer.discard();
          return "unchanged";
        }
        const bytes = await wholeOf(answer, host, LONGEST_BYTES);
        return bytes && { bytes, version: answer.headers.etag };
      }),

    close: () => connections.close(),
  };
}

/** How many bytes a `Content-Range` announces; undefined unless it is the range that was asked for, to the object's end. */
function bytesOfRange(header = "", offset: number, length: number): number | undefined {
  const [, first, last, whole] = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(header) ?? [];
  if (first === undefined) return undefined;
  const [from, to] = [Number(first), Number(last) + 1];
  const end = whole === "*" ? undefined : Number(whole);
  if (offset < 0)
    return from === Math.max(0, to + offset) && (end ?? to) === to && to > from ? to - from : undefined;
  // Of an object whose length is not told, less may come because it ends.
  const isAll = to - from === length || end === undefined || end === to;
  return from === offset && to > from && to - from <= length && isAll ? to - from : undefined;
}

/** @returns undefined where there is no such object. */
async function wholeOf(answer: Answer, host: string, maxBytes: number): Promise<Uint8Array | undefined> {
  const { status, headers } = answer;
  if (status === 200) return bytesOf(answer, host, maxBytes);
  answer.discard();
  if (status === 404 || status === 410) return undefined;
  const what = `${host} answered ${status}`;
  if (status < 500 && status !== 408 && status !== 429)
    throw new StoreUnavailableError("The archive's store refuses this service", { cause: new Error(what) });
  const pause = Number(headers["retry-after"] ?? 0);
  throw new PassingFailure(what, Number.isFinite(pause) ? pause : 0);
}

async function bytesOf(answer: Answer, host: string, maxBytes: number): Promise<Uint8Array> {
  const { headers } = answer;
  const length = headers["content-length"] === undefined ? undefined : Number(headers["content-length"]);
  const encoding = headers["content-encoding"] ?? "identity";
  const unreadable = (words: string) =>
    new StoreUnavailableError("The archive's store cannot be read", { cause: new Error(`${host} ${words}`) });
  const tooLong = `sends more than ${maxBytes} bytes, or answers no ranges`;
  if (encoding !== "identity" || (length ?? 0) > maxBytes) {
    answer.discard();
    throw unreadable(encoding === "identity" ? tooLong : `compresses objects (${encoding})`);
  }
  const pieces: Uint8Array[] = [];
  let arrived = 0;
  for await (const piece of answer.body()) {
    arrived += piece.length;
    // Not every host tells the length before.
    if (arrived > maxBytes) throw unreadable(tooLong);
    pieces.push(piece);
  }
  const bytes = Buffer.concat(pieces);
  if (length !== undefined && bytes.length !== length)
    throw new PassingFailure(`${bytes.length} of ${length} bytes came from ${host}`);
  return bytes;
}

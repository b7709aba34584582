import { realClock, realSleep, type Sleep } from "#server/platform/clock.ts";
import { StoreUnavailableError } from "#server/platform/errors.ts";
import {
  BrokenError,
  CutError,
  FetchError,
  HostFailedError,
  RedirectedError,
  RefusedError,
} from "#server/platform/fetching/errors.ts";
import { Backoff, type Pace } from "#server/platform/fetching/fetcher.ts";
import {
  type Answer,
  Connections,
  encodingOf,
  exchange,
  outcomeOf,
  type TimeLimits,
} from "#server/platform/fetching/request.ts";
import type { ObjectSource } from "./remote-store.ts";

const ATTEMPTS = 4;
/** A longer wait that a host asks for is passed on: the caller is told to retry. */
const PACE: Pace = { firstS: 0.1, maxRetryAfterS: 2 };
const LIMITS: TimeLimits = { connectMs: 3000, idleMs: 10_000, wholeMs: 60_000 };
/** Maximum length of an object that a host may send whole instead of a range, bytes. */
const MAX_INSTEAD_OF_RANGE = 16 * 2 ** 20;
/** Objects that are read whole, the list of runs and metadata, are far shorter, bytes. */
const MAX_WHOLE = 256 * 2 ** 20;

export interface HttpSourceOptions {
  limits?: TimeLimits;
  sleep?: Sleep;
  /** Returns numbers in [0, 1). */
  random?: () => number;
}

/** A response with its origin, which messages name. */
interface Reply {
  answer: Answer;
  host: string;
  path: string;
}

/**
 * Reads objects below a URL: files of any web server, or a bucket that everyone may read.
 *
 * @param base `https://host/path`, without a slash at its end.
 */
export function httpSource(
  base: string,
  { limits = LIMITS, sleep = realSleep, random = Math.random }: HttpSourceOptions = {},
): ObjectSource {
  const connections = new Connections();
  const { host } = new URL(base);

  async function request<T>(
    key: string,
    headers: Record<string, string>,
    signal: AbortSignal,
    read: (reply: Reply) => Promise<T>,
  ): Promise<T> {
    const address = new URL(`${base}/${key}`);
    const options = { headers: { "accept-encoding": "identity", ...headers }, limits, signal };
    const backoff = new Backoff({ clock: realClock, sleep, random }, ATTEMPTS, PACE);
    for (;;) {
      try {
        const answer = await exchange(connections, host, address, options);
        return await read({ answer, host, path: address.pathname });
      } catch (failure) {
        await backoff.after(failure, signal).catch((error) => {
          throw error instanceof FetchError ? unavailable(error) : error;
        });
      }
    }
  }

  return {
    get: (key, signal) => request(key, {}, signal, (reply) => wholeOf(reply, MAX_WHOLE)),

    getRange(key, offset, length, signal) {
      const range = offset < 0 ? `bytes=${offset}` : `bytes=${offset}-${offset + length - 1}`;
      return request(key, { range }, signal, async (reply) => {
        const { answer, path } = reply;
        if (answer.status === 416) {
          answer.discard();
          return new Uint8Array();
        }
        if (answer.status !== 206) {
          const whole = await wholeOf(reply, MAX_INSTEAD_OF_RANGE);
          const from = offset < 0 ? Math.max(0, (whole?.length ?? 0) + offset) : offset;
          return whole?.subarray(from, from + length);
        }
        const expected = bytesOfRange(answer.headers["content-range"], offset, length);
        if (expected === undefined) {
          answer.discard();
          throw new HostFailedError(host, `sent another range of ${path} than was requested`);
        }
        const bytes = await bytesOf(reply, length);
        if (bytes.length === expected) return bytes;
        throw new CutError(host, path, `${bytes.length} of ${expected} bytes came`);
      });
    },

    getChanged: (key, version, signal) =>
      request(key, version === undefined ? {} : { "if-none-match": version }, signal, async (reply) => {
        const { answer } = reply;
        if (answer.status === 304 && version !== undefined) {
          answer.discard();
          return "unchanged";
        }
        const bytes = await wholeOf(reply, MAX_WHOLE);
        return bytes && { bytes, version: answer.headers.etag };
      }),

    close: () => connections.close(),
  };
}

/**
 * Returns the number of bytes that a `Content-Range` announces; undefined unless it is the requested range, up to the
 * object's end.
 */
function bytesOfRange(header = "", offset: number, length: number): number | undefined {
  const [, first, last, whole] = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(header) ?? [];
  if (first === undefined) return undefined;
  const [from, to] = [Number(first), Number(last) + 1];
  const end = whole === "*" ? undefined : Number(whole);
  if (offset < 0)
    return from === Math.max(0, to + offset) && (end ?? to) === to && to > from ? to - from : undefined;
  // If the length of the object is unknown, a shorter part may be its end.
  const isAll = to - from === length || end === undefined || end === to;
  return from === offset && to > from && to - from <= length && isAll ? to - from : undefined;
}

/** @returns undefined where there is no such object. */
async function wholeOf(reply: Reply, maxBytes: number): Promise<Uint8Array | undefined> {
  const { answer, host, path } = reply;
  const { status, headers } = answer;
  if (status === 200) return bytesOf(reply, maxBytes);
  answer.discard();
  const asked = { host, path, throttledBy: [], now: realClock.now() };
  if (outcomeOf(asked, status, headers) === "absent") return undefined;
  throw new BrokenError(host, path, `the status of the whole object is ${status}`);
}

async function bytesOf({ answer, host, path }: Reply, maxBytes: number): Promise<Uint8Array> {
  const { headers } = answer;
  const length = headers["content-length"] === undefined ? undefined : Number(headers["content-length"]);
  const encoding = encodingOf(headers);
  const tooLong = new BrokenError(host, path, `more than ${maxBytes} bytes; does the host answer ranges?`);
  if (encoding !== "identity" || (length ?? 0) > maxBytes) {
    answer.discard();
    throw encoding === "identity" ? tooLong : new BrokenError(host, path, `its encoding is ${encoding}`);
  }
  const pieces: Uint8Array[] = [];
  let arrived = 0;
  for await (const piece of answer.body()) {
    arrived += piece.length;
    // Not every host declares the length.
    if (arrived > maxBytes) throw tooLong;
    pieces.push(piece);
  }
  if (length !== undefined && arrived !== length)
    throw new CutError(host, path, `${arrived} of ${length} bytes came`);
  return Buffer.concat(pieces);
}

/** The message is for callers; the cause is for the log. */
function unavailable(error: FetchError): StoreUnavailableError {
  const isRefused = error instanceof RefusedError || error instanceof RedirectedError;
  const words = isRefused ? "refuses this service" : `cannot be ${error.retry ? "reached" : "read"}`;
  return new StoreUnavailableError(`The archive's store ${words}`, { cause: error });
}

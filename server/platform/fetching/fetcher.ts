import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { Clock, Sleep } from "#server/platform/clock.ts";
import type { Logger } from "#server/platform/log.ts";
import type { ClockError } from "./clock-error.ts";
import { BrokenError, CutError, FetchError, ThrottledError } from "./errors.ts";
import { byteBudget, type HostRules, type Spend } from "./host-limits.ts";
import {
  Connections,
  type GetOptions,
  isBound,
  type ObjectVersion,
  type Opened,
  objectOpener,
  type TimeLimits,
  timeLimits,
} from "./request.ts";

export interface FetcherOptions {
  /** Rules by host name. No other host is contacted. */
  hosts: Readonly<Record<string, HostRules>>;
  /** FEED_MIRROR: `https://<host>/<path>` is requested as `<mirror>/<host>/<path>`. */
  mirror?: string;
  /** Names project, version and a contact. */
  userAgent: string;
  clock: Clock;
  sleep: Sleep;
  /** Random number in [0, 1). */
  random: () => number;
  /** Infinity for no limit. */
  bytesADay: number;
  spend: Spend;
  /** Attempts without progress before an object fails. */
  attempts?: number;
  limits?: Partial<TimeLimits>;
  /** Observes the `Date` headers of answers. */
  clockError?: ClockError | undefined;
  log?: Pick<Logger, "debug"> | undefined;
}

type Fetched =
  | ({
      kind: "ok";
      /** The bytes of the object; undefined when `into` received them. */
      bytes?: Uint8Array;
      /** Number of bytes that arrived. */
      length: number;
    } & ObjectVersion)
  | { kind: "unchanged" }
  | { kind: "absent" };

export interface Fetcher {
  /**
   * Fetches an object or a part of it. Failures of a host are retried after a pause. After a cut only the rest is
   * fetched, provided that the host says which version it sends.
   *
   * @returns `absent` for 404 and 410: the caller knows when to look again.
   * @throws FetchError with a message for the operator; the signal's reason.
   */
  get(url: string, options: GetOptions): Promise<Fetched>;
  /** Closes idle connections. */
  close(): void;
}

const ATTEMPTS = 5;

/**
 * A client for the hosts of feeds. It contacts only known hosts, with few requests, fetches each byte once, and checks
 * every length.
 */
export function createFetcher(options: FetcherOptions): Fetcher {
  const connections = new Connections();
  const open = objectOpener({
    ...options,
    connections,
    limits: { ...timeLimits, ...options.limits },
    budget: byteBudget(options.bytesADay, options.clock, options.spend),
  });
  const attempt = async (url: string, asked: GetOptions, backoff: Backoff): Promise<Fetched> => {
    const opened = await open(url, asked);
    if (typeof opened === "string") return { kind: opened };
    const { etag, lastModified, total } = opened.announced;
    let length = 0;
    const counted = async function* () {
      for await (const bytes of objectBytes(open, url, asked, opened, backoff)) {
        length += bytes.length;
        yield bytes;
      }
    };
    try {
      const bytes = await deliver(counted(), opened, asked);
      return { kind: "ok", etag, lastModified, total, bytes, length };
    } catch (error) {
      // A function that already received the first bytes cannot receive them again.
      throw asked.into && length > 0 ? new NotRepeatableError(error) : error;
    } finally {
      await opened.close();
    }
  };
  return {
    async get(url, asked) {
      const backoff = new Backoff(options, options.attempts ?? ATTEMPTS);
      for (;;) {
        try {
          return await attempt(url, asked, backoff);
        } catch (error) {
          if (error instanceof NotRepeatableError) throw error.cause;
          options.log?.debug({ url, error: (error as Error).message }, "not fetched");
          await backoff.after(error, asked.signal);
        }
      }
    },
    close: () => connections.close(),
  };
}

/** Carries the cause of a failure past the retries, which would begin at the first byte. */
class NotRepeatableError extends Error {
  constructor(cause: unknown) {
    super("", { cause });
  }
}

async function deliver(
  chunks: AsyncIterable<Uint8Array>,
  opened: Opened,
  { into, maxBytes }: GetOptions,
): Promise<Uint8Array | undefined> {
  if (into) {
    for await (const chunk of chunks) await into(chunk, opened.announced);
    return undefined;
  }
  const bytes = Buffer.concat(await Array.fromAsync(chunks));
  return opened.announced.gzip ? unzip(opened, bytes, maxBytes) : bytes;
}

const gunzipped = promisify(gunzip);

async function unzip(
  { host, path }: { host: string; path: string },
  bytes: Uint8Array,
  maxBytes: number,
): Promise<Uint8Array> {
  try {
    return await gunzipped(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    throw new BrokenError(host, path, "it cannot be decompressed", { cause: error });
  }
}

type Open = ReturnType<typeof objectOpener>;

/** An attempt that brings fewer bytes counts as no progress. */
const WORTH_COUNTING = 64 * 1024;

/**
 * Yields the bytes of an object or range. After a cut the rest of the same version is requested.
 *
 * @param first The first answer.
 * @throws CutError where the rest cannot be requested: nothing names the version, or the body was compressed on the
 *   way.
 */
async function* objectBytes(
  open: Open,
  url: string,
  options: GetOptions,
  first: Opened,
  backoff: Backoff,
): AsyncGenerator<Uint8Array> {
  const { announced } = first;
  const from = options.range?.from ?? 0;
  let arrived = 0;
  let opened = first;
  for (;;) {
    const before = arrived;
    try {
      for await (const bytes of opened.bytes()) {
        arrived += bytes.length;
        yield bytes;
      }
      return;
    } catch (error) {
      const { length, gzip } = announced;
      if (!(error instanceof CutError) || length === undefined || gzip || !isBound(announced)) throw error;
      if (arrived - before >= WORTH_COUNTING) backoff.progress();
      opened = await openRest(
        open,
        url,
        options,
        { from: from + arrived, to: from + length },
        first,
        backoff,
        error,
      );
    }
  }
}

async function openRest(
  open: Open,
  url: string,
  options: GetOptions,
  range: { from: number; to: number },
  { announced, host, path }: Opened,
  backoff: Backoff,
  failure: unknown,
): Promise<Opened> {
  for (let reason = failure; ; ) {
    await backoff.after(reason, options.signal);
    try {
      // The rest is requested with the same options, but only of the same version and without the condition of the
      // first request.
      const rest = { ...options, range, ifMatch: announced, etag: undefined, modifiedSince: undefined };
      const opened = await open(url, rest);
      if (typeof opened !== "string") return opened;
      throw new CutError(host, path, "it disappeared while it was being fetched");
    } catch (error) {
      reason = error;
    }
  }
}

const FIRST_S = 1;
const LONGEST_S = 30;
const JITTER = 0.25;

/**
 * Longest Retry-After that is waited for here, seconds. After a longer one the caller decides, who may have another
 * mirror.
 */
const MAX_RETRY_AFTER_S = 60;

/** Longest time for one object, seconds, however much of it arrives between failures. */
const GIVE_UP_S = 3600;

interface BackoffDeps {
  clock: Clock;
  sleep: Sleep;
  /** Random number in [0, 1). */
  random: () => number;
}

export interface Pace {
  /** First wait, seconds. Default: 1. */
  firstS?: number;
  /** Longest Retry-After that is waited for, seconds. Default: 60. */
  maxRetryAfterS?: number;
}

/**
 * Waits between the attempts at one object: 1 s, doubled up to 30 s, ±25 %, but at least as long as the host asks for.
 */
export class Backoff {
  readonly #deps: BackoffDeps;
  readonly #attempts: number;
  readonly #firstS: number;
  readonly #maxRetryAfterS: number;
  readonly #began: number;
  #failures = 0;

  constructor(
    deps: BackoffDeps,
    attempts: number,
    { firstS = FIRST_S, maxRetryAfterS = MAX_RETRY_AFTER_S }: Pace = {},
  ) {
    this.#deps = deps;
    this.#attempts = attempts;
    this.#firstS = firstS;
    this.#maxRetryAfterS = maxRetryAfterS;
    this.#began = deps.clock.now();
  }

  /** Resets the count of failures after bytes have arrived. */
  progress(): void {
    this.#failures = 0;
  }

  /**
   * Waits before the next attempt.
   *
   * @throws The failure, where another attempt is useless or there were enough.
   */
  async after(failure: unknown, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { clock, sleep, random } = this.#deps;
    if (!(failure instanceof FetchError && failure.retry)) throw failure;
    const asked = failure instanceof ThrottledError ? (failure.retryAt ?? 0) - clock.now() : 0;
    this.#failures++;
    const spent = this.#failures >= this.#attempts || clock.now() - this.#began > GIVE_UP_S;
    if (spent || asked > this.#maxRetryAfterS) throw failure;
    const wait = Math.min(this.#firstS * 2 ** (this.#failures - 1), LONGEST_S);
    // The bytes before a cut are kept, so the first attempt at the rest needs no long wait.
    const pause = failure instanceof CutError && this.#failures === 1 ? wait / 4 : wait;
    await sleep(Math.max(pause * (1 + JITTER * (2 * random() - 1)), asked), signal);
  }
}

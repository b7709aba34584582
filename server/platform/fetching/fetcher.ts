import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { Clock } from "#server/platform/clock.ts";
import { replaceFile } from "#server/platform/files.ts";
import type { Logger } from "#server/platform/log.ts";
import type { ObjectVersion } from "./answer.ts";
import { Backoff } from "./backoff.ts";
import { ByteBudget, type Spend } from "./byte-budget.ts";
import type { ClockError } from "./clock-error.ts";
import { BrokenError } from "./errors.ts";
import { Connections, type TimeLimits, timeLimits } from "./exchange.ts";
import type { GetOptions } from "./get-options.ts";
import type { HostRules } from "./host-gate.ts";
import { objectBytes } from "./object-bytes.ts";
import { type Opened, Opener } from "./opener.ts";
import type { Sleep } from "./sleep.ts";

export interface FetcherOptions {
  /** The only hosts that are asked, by name, and how each wants to be asked. */
  hosts: Readonly<Record<string, HostRules>>;
  /** FEED_MIRROR: `https://<host>/<path>` is asked for at `<mirror>/<host>/<path>`. */
  mirror?: string;
  /** Names project, version and a contact. */
  userAgent: string;
  clock: Clock;
  sleep: Sleep;
  /** In [0, 1). */
  random: () => number;
  /** Infinity for no limit. */
  bytesADay: number;
  spend: Spend;
  /** Attempts at one object that bring nothing. */
  attempts?: number;
  limits?: Partial<TimeLimits>;
  /** Is told of the `Date` headers of answers. */
  clockError?: ClockError | undefined;
  log?: Pick<Logger, "debug"> | undefined;
}

export type Fetched =
  | ({
      kind: "ok";
      /** Without `into`. */
      bytes?: Uint8Array;
      /** Bytes that arrived. */
      length: number;
    } & ObjectVersion)
  | { kind: "unchanged" }
  | { kind: "absent" };

export interface Fetcher {
  /**
   * Fetches an object, or a part of it. What the host fails at is tried again after a while; after a cut only the rest is
   * fetched, where the host says which version it sends.
   *
   * @returns `absent` for 404 and 410: when to look again is for the caller to know.
   * @throws FetchError with words for the operator; the signal's reason.
   */
  get(url: string, options: GetOptions): Promise<Fetched>;
  /** Closes idle connections. */
  close(): void;
}

const ATTEMPTS = 5;

/** A client for the hosts of feeds: few requests, only to known hosts, each byte fetched once, every length checked. */
export function createFetcher(options: FetcherOptions): Fetcher {
  const connections = new Connections();
  const opener = new Opener({
    ...options,
    connections,
    limits: { ...timeLimits, ...options.limits },
    budget: new ByteBudget(options.bytesADay, options.clock, options.spend),
  });
  const attempt = async (url: string, asked: GetOptions, backoff: Backoff): Promise<Fetched> => {
    const opened = await opener.open(url, asked);
    if (typeof opened === "string") return { kind: opened };
    const { etag, lastModified, total } = opened.announced;
    let length = 0;
    const counted = async function* () {
      for await (const bytes of objectBytes(opener, url, asked, opened, backoff)) {
        length += bytes.length;
        yield bytes;
      }
    };
    try {
      const bytes = await deliver(counted(), opened, asked);
      return { kind: "ok", etag, lastModified, total, bytes, length };
    } catch (error) {
      // What a function was given cannot be taken back.
      throw typeof asked.into === "function" && length > 0 ? new UndoableError(error) : error;
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
          if (error instanceof UndoableError) throw error.cause;
          options.log?.debug({ url, error: (error as Error).message }, "not fetched");
          await backoff.after(error, asked.signal);
        }
      }
    },
    close: () => connections.close(),
  };
}

/** Carries a failure past the attempts that would begin anew. */
class UndoableError extends Error {
  constructor(cause: unknown) {
    super("", { cause });
  }
}

async function deliver(
  chunks: AsyncIterable<Uint8Array>,
  opened: Opened,
  { into, maxBytes }: GetOptions,
): Promise<Uint8Array | undefined> {
  if (typeof into === "string") await replaceFile(into, chunks);
  else if (into) for await (const chunk of chunks) await into(chunk, opened.announced);
  else {
    const bytes = await collect(chunks);
    return opened.announced.gzip ? unzip(opened, bytes, maxBytes) : bytes;
  }
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const collected: Uint8Array[] = [];
  for await (const chunk of chunks) collected.push(chunk);
  return Buffer.concat(collected);
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

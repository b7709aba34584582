import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import http from "node:http";
import https from "node:https";
import type { Socket } from "node:net";
import { answerOf } from "#server/platform/answer-of.ts";
import type { Clock, Sleep } from "#server/platform/clock.ts";
import { deadline, LateError, within } from "#server/platform/deadline.ts";
import type { ClockError } from "./clock-error.ts";
import {
  BrokenError,
  CutError,
  FetchError,
  HostFailedError,
  RedirectedError,
  RefusedError,
  ReplacedError,
  ThrottledError,
} from "./errors.ts";
import {
  type ByteBudget,
  type HostGate,
  type HostRules,
  hostGate,
  LONGEST_CLOSURE_S,
} from "./host-limits.ts";

/** Version and part of an object that a request asks for, and its limits. */
export interface GetOptions {
  /**
   * The answer is "unchanged" where the object still has this ETag, or is not younger than `modifiedSince` (Unix
   * seconds).
   */
  etag?: string;
  modifiedSince?: number;
  /** Accepts only this version of the object; another one throws ReplacedError. */
  ifMatch?: ObjectVersion;
  /** Bytes from `from` up to but excluding `to`; to the end of the object without `to`. */
  range?: { from: number; to?: number };
  /** Receives the bytes in order, with their version. Without it the bytes are returned. */
  into?: (bytes: Uint8Array, version: ObjectVersion) => void | Promise<void>;
  /** Size limit of the body, both as sent and decompressed. */
  maxBytes: number;
  /** Additional headers, such as an authorization. They are not sent to FEED_MIRROR, which is another host. */
  headers?: Readonly<Record<string, string>>;
  signal: AbortSignal;
}

interface OpenerDeps {
  hosts: Readonly<Record<string, HostRules>>;
  mirror?: string;
  userAgent: string;
  clock: Clock;
  sleep: Sleep;
  connections: Connections;
  limits: TimeLimits;
  budget: ByteBudget;
  clockError?: ClockError | undefined;
}

/** An answer that carries the requested bytes. It must be closed. */
export interface Opened {
  host: string;
  path: string;
  announced: Announced;
  /** Yields the body; may be called once. @throws CutError; BrokenError; the signal's reason. */
  bytes(): AsyncGenerator<Uint8Array>;
  close(): Promise<void>;
}

interface Target {
  host: string;
  path: string;
  /** Address that is requested, which may be that of a mirror. */
  address: URL;
  gate: HostGate;
  throttledBy: readonly number[];
}

/** Pause for all requests to a host that asks for fewer but does not say for how long, seconds. */
const PAUSE_S = 5;

/** Sends requests to hosts within their rules and the byte budget, and checks what the answers announce. */
export function objectOpener({
  hosts,
  mirror,
  userAgent,
  clock,
  sleep,
  connections,
  limits,
  budget,
  clockError,
}: OpenerDeps) {
  const gates = new Map<string, HostGate>();

  /**
   * Sends one request.
   *
   * @throws FetchError; the signal's reason.
   */
  return async (url: string, options: GetOptions): Promise<Opened | "unchanged" | "absent"> => {
    const target = targetOf(url);
    const { host, path } = target;
    const { range, signal } = options;
    const reserved = budget.reservation();
    const leave = await target.gate.enter(signal);
    let ended = false;
    const end = async (arrived: number) => {
      if (ended) return;
      ended = true;
      leave();
      await reserved.settle(arrived);
    };
    let answer: Answer | undefined;
    try {
      await reserved.raise(host, range?.to === undefined ? 0 : range.to - range.from);
      const headers = headersOf(options);
      answer = await exchange(connections, host, target.address, { headers, limits, signal });
      // FEED_MIRROR is observed as one host, whichever host's objects it serves.
      clockError?.observe(target.address.host, answer.headers.date, clock.now());
      const asked: Asked = { host, path, range, throttledBy: target.throttledBy, now: clock.now() };
      const outcome = outcomeOf(asked, answer.status, answer.headers);
      if (outcome === "unchanged" && options.etag === undefined && options.modifiedSince === undefined)
        throw new BrokenError(host, path, "it is said to be unchanged, though nothing was compared");
      if (outcome !== undefined) {
        answer.discard();
        await end(0);
        return outcome;
      }
      const announced = announcedBy(asked, answer.status, answer.headers);
      if (options.ifMatch && !sameVersion(options.ifMatch, announced)) throw new ReplacedError(host, path);
      if ((announced.length ?? 0) > options.maxBytes) throw tooLong(target, options.maxBytes);
      await reserved.raise(host, announced.length ?? 0);
      const opened = answer;
      return {
        host,
        path,
        announced,
        bytes: () => checked(target, opened, announced, options, reserved.raise, end),
        async close() {
          if (!ended) opened.discard();
          await end(0);
        },
      };
    } catch (error) {
      answer?.discard();
      if (error instanceof ThrottledError && answer)
        target.gate.closeUntil(error.retryAt ?? clock.now() + PAUSE_S, answer.status);
      await end(0);
      throw error;
    }
  };

  function headersOf({
    etag,
    modifiedSince,
    ifMatch,
    range,
    into,
    headers,
  }: GetOptions): OutgoingHttpHeaders {
    return {
      "user-agent": userAgent,
      accept: "*/*",
      // Bytes that go to a file are requested uncompressed, because a compressed body has no ranges.
      "accept-encoding": range === undefined && into === undefined ? "gzip" : "identity",
      ...(etag !== undefined && { "if-none-match": etag }),
      ...(modifiedSince !== undefined && {
        "if-modified-since": new Date(modifiedSince * 1000).toUTCString(),
      }),
      ...ifMatchHeader(ifMatch),
      // A request has one range, because S3 answers several with the whole object.
      ...(range && { range: `bytes=${range.from}-${range.to === undefined ? "" : range.to - 1}` }),
      ...(mirror === undefined && headers),
    };
  }

  function targetOf(url: string): Target {
    const parsed = URL.parse(url);
    const host = parsed?.host ?? "";
    const rules = Object.hasOwn(hosts, host) ? hosts[host] : undefined;
    if (!parsed || !rules || parsed.protocol !== "https:" || parsed.username !== "" || parsed.password !== "")
      throw new FetchError(
        host,
        `${url.slice(0, 200)} is not fetched: ${host || "its host"} is not a host of a feed`,
      );
    const path = parsed.pathname + parsed.search;
    const gate = gates.get(host) ?? hostGate(host, rules, clock, sleep);
    gates.set(host, gate);
    const address = mirror === undefined ? parsed : new URL(`${mirror.replace(/\/+$/, "")}/${host}${path}`);
    return { host, path, address, gate, throttledBy: rules.throttledBy ?? [] };
  }
}

/**
 * Yields the bytes of an answer and frees its place at the end. Throws where there are fewer or more than announced.
 */
async function* checked(
  { host, path }: Target,
  answer: Answer,
  { length }: Announced,
  { maxBytes, signal }: GetOptions,
  raise: (host: string, bytes: number) => Promise<void>,
  end: (arrived: number) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  let arrived = 0;
  try {
    for await (const bytes of answer.body()) {
      arrived += bytes.length;
      if (arrived > Math.min(length ?? Number.POSITIVE_INFINITY, maxBytes))
        throw tooLong({ host, path }, maxBytes);
      if (length === undefined) await raise(host, arrived);
      yield bytes;
    }
    if (length !== undefined && arrived < length) throw new Error(`${arrived} of ${length} bytes`);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof FetchError && !error.retry) throw error;
    const what = `it ended after ${arrived} of ${length ?? "unknown"} bytes; ${(error as Error).message}`;
    throw new CutError(host, path, what, { cause: error });
  } finally {
    await end(arrived);
  }
}

function tooLong({ host, path }: { host: string; path: string }, maxBytes: number): BrokenError {
  return new BrokenError(host, path, `it is longer than announced, or than ${maxBytes} bytes`);
}

/** Identifies one version of the object at an address. */
export interface ObjectVersion {
  /** ETag as the host wrote it, with quotes. */
  etag?: string;
  /** Time of the last change, Unix seconds. */
  lastModified?: number;
  /** Size of the whole object, bytes. */
  total?: number;
}

/** Whether two answers certainly belong to the same version. Without an ETag, time and length decide. */
function sameVersion(one: ObjectVersion, other: ObjectVersion): boolean {
  if (one.total !== undefined && other.total !== undefined && one.total !== other.total) return false;
  if (one.etag !== undefined && other.etag !== undefined) return one.etag === other.etag;
  return (
    one.lastModified !== undefined && one.lastModified === other.lastModified && one.total === other.total
  );
}

/** Whether the version is precise enough to compare later answers with it. */
export function isBound({ etag, lastModified, total }: ObjectVersion): boolean {
  return etag !== undefined || (lastModified !== undefined && total !== undefined);
}

/** The If-Match header for a version; empty for a weak ETag, which never matches. */
function ifMatchHeader(version: ObjectVersion | undefined): { "if-match"?: string } {
  const etag = version?.etag;
  return etag === undefined || etag.startsWith("W/") ? {} : { "if-match": etag };
}

/** Facts that the headers of an answer with a body state. */
interface Announced extends ObjectVersion {
  /** Length of the body, bytes; undefined with chunked encoding, whose last chunk marks the end. */
  length: number | undefined;
  /** The body is compressed on the way. */
  gzip: boolean;
}

interface Asked {
  host: string;
  path: string;
  /** `to` is excluded; the range is open without it. */
  range?: { from: number; to?: number };
  throttledBy: readonly number[];
  /** Unix seconds. */
  now: number;
}

/**
 * Interprets the status of an answer.
 *
 * @returns undefined for an answer that carries the object's bytes.
 * @throws FetchError
 */
export function outcomeOf(
  asked: Asked,
  status: number,
  headers: IncomingHttpHeaders,
): "unchanged" | "absent" | undefined {
  if (status === 304) return "unchanged";
  if (asked.throttledBy.includes(status) || status === 429 || status === 503)
    throw new ThrottledError(asked.host, status, retryTime(headers["retry-after"], asked.now));
  if (status === 404 || status === 410) return "absent";
  if (status === 200 || status === 206) return undefined;
  throw errorOf(asked, status, headers);
}

function errorOf({ host, path }: Asked, status: number, headers: IncomingHttpHeaders): FetchError {
  if (status >= 300 && status < 400) return new RedirectedError(host, path, headers.location);
  if (status === 412) return new ReplacedError(host, path);
  if (status === 416) return new BrokenError(host, path, "it is shorter than expected (status 416)");
  if (status === 408 || status >= 500) return new HostFailedError(host, `fails with status ${status}`);
  return new RefusedError(host, status, path);
}

/**
 * Reads what a 200 or 206 announces and compares it with the request.
 *
 * @throws BrokenError
 */
function announcedBy(asked: Asked, status: number, headers: IncomingHttpHeaders): Announced {
  const broken = (what: string) => new BrokenError(asked.host, asked.path, what);
  const length = headers["content-length"] === undefined ? undefined : Number(headers["content-length"]);
  if (length === undefined && headers["transfer-encoding"] !== "chunked")
    throw broken("it does not say how long it is");
  const encoding = encodingOf(headers);
  const gzip = encoding === "gzip" || encoding === "x-gzip";
  if (!gzip && encoding !== "identity") throw broken(`its encoding is ${encoding.slice(0, 40)}`);
  const modified = Date.parse(headers["last-modified"] ?? "");
  const version: ObjectVersion = {
    etag: headers.etag,
    lastModified: Number.isNaN(modified) ? undefined : modified / 1000,
  };
  if (asked.range === undefined) {
    if (status !== 200) throw broken("only a part of it was sent");
    return { ...version, total: gzip ? undefined : length, length, gzip };
  }
  if (status !== 206) throw broken("it was sent whole, although a part was requested");
  if (gzip) throw broken("a part of it was sent compressed");
  const { from, to } = asked.range;
  const [first, last, total] = readContentRange(headers["content-range"]);
  if (first === undefined || last === undefined || total === undefined || last >= total)
    throw broken("the part that was sent is not named");
  if (to !== undefined && to > total) throw broken(`it has only ${total} bytes`);
  if (first !== from || last !== (to ?? total) - 1)
    throw broken(`bytes ${first} to ${last} were sent, not ${from} to ${(to ?? total) - 1}`);
  if (length !== undefined && length !== last - first + 1)
    throw broken(`${length} bytes were announced for a part of ${last - first + 1}`);
  return { ...version, total, length: last - first + 1, gzip: false };
}

/** The content encoding of a body; `identity` where it is not compressed. */
export function encodingOf(headers: IncomingHttpHeaders): string {
  // Some S3 stores repeat the encoding of the upload although the bytes are plain.
  return (headers["content-encoding"] ?? "identity").replace("aws-chunked", "identity");
}

function readContentRange(header: string | undefined): number[] {
  return (/^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(header ?? "") ?? []).slice(1).map(Number);
}

/** Time limits in real milliseconds even where other waits are simulated, because sockets use real time. */
export interface TimeLimits {
  /** Until the connection is open, including TLS. */
  connectMs: number;
  /** Longest silence within an answer. */
  idleMs: number;
  /** For one request with its body. */
  wholeMs: number;
}

export const timeLimits: TimeLimits = { connectMs: 15_000, idleMs: 30_000, wholeMs: 15 * 60_000 };

/** Connections that stay open between requests. */
export class Connections {
  readonly http = new http.Agent({ keepAlive: true, maxFreeSockets: 8 });
  readonly https = new https.Agent({ keepAlive: true, maxFreeSockets: 8 });

  close(): void {
    this.http.destroy();
    this.https.destroy();
  }
}

/** An answer whose body has not been read. */
export interface Answer {
  status: number;
  headers: http.IncomingHttpHeaders;
  /** Yields the body. @throws The reason why it ended early: the signal's, or an error whose message describes it. */
  body(): AsyncIterable<Uint8Array>;
  /** Ends the answer without reading its body. */
  discard(): void;
}

/** Bodies up to this length are read to the end, so that the connection can be reused. */
const WORTH_READING = 64 * 1024;

/**
 * Sends one GET request. A redirect is returned like any other answer.
 *
 * @param host Host of the original address, for messages.
 * @throws HostFailedError without an answer; the signal's reason.
 */
export async function exchange(
  connections: Connections,
  host: string,
  address: URL,
  { headers, limits, signal }: { headers: http.OutgoingHttpHeaders; limits: TimeLimits; signal: AbortSignal },
): Promise<Answer> {
  signal.throwIfAborted();
  const secure = address.protocol === "https:";
  const request = (secure ? https : http).request(address, {
    headers,
    agent: secure ? connections.https : connections.http,
  });
  let ended: string | undefined;
  const end = (why: string) => {
    ended ??= why;
    request.destroy();
  };
  const whole = deadline(limits.wholeMs, signal);
  whole.signal.addEventListener("abort", () => request.destroy(), { once: true });
  request.setTimeout(limits.idleMs, () => end(`sent nothing for ${limits.idleMs / 1000} s`));
  request.once("socket", (socket) => limitConnecting(socket, secure, limits.connectMs, end));
  const failure = (error: unknown, during: string) => {
    signal.throwIfAborted();
    const late = error instanceof LateError ? error.message : undefined;
    return new HostFailedError(host, ended ?? late ?? `${during} (${wordsOf(error)})`, { cause: error });
  };
  const stop = () => {
    whole.clear();
    request.destroy();
  };
  // Interim (1xx) answers break the silence but are not the answer, so the answer has a limit of its own.
  const answerMs = limits.connectMs + limits.idleMs;
  const response = await within(answerMs, whole.signal, () => answerOf(request)).catch((error) => {
    stop();
    // A host may close an idle connection just as it is reused; this is not a failure of the host.
    if (request.reusedSocket && ended === undefined && error.code === "ECONNRESET") return undefined;
    throw failure(error, "cannot be reached");
  });
  if (!response) return exchange(connections, host, address, { headers, limits, signal });
  return {
    status: response.statusCode!,
    headers: response.headers,
    async *body() {
      const pieces = (response as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
      try {
        for (;;) {
          const piece = await whole.race(pieces.next());
          if (piece.done) return;
          yield piece.value;
        }
      } catch (error) {
        throw failure(error, "ended the connection");
      } finally {
        whole.clear();
        if (!response.complete) request.destroy();
      }
    },
    discard() {
      response.on("error", () => {});
      const length = Number(response.headers["content-length"] ?? Number.NaN);
      if (length > WORTH_READING || Number.isNaN(length)) return stop();
      response.once("close", whole.clear);
      response.resume();
    },
  };
}

function limitConnecting(socket: Socket, secure: boolean, limitMs: number, end: (why: string) => void): void {
  // A reused socket is connected already.
  if (!socket.connecting) return;
  const timer = setTimeout(() => end(`took more than ${limitMs / 1000} s to connect`), limitMs);
  const clear = () => clearTimeout(timer);
  socket.once(secure ? "secureConnect" : "connect", clear);
  socket.once("close", clear);
}

function wordsOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
}

/**
 * Reads a Retry-After header, which is a number of seconds or a date.
 *
 * @returns Unix seconds, at most an hour from now; undefined where it is absent or unreadable.
 */
function retryTime(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const time = /^\s*\d+\s*$/.test(header) ? now + Number(header) : Date.parse(header) / 1000;
  return Number.isNaN(time) ? undefined : Math.min(Math.max(now, time), now + LONGEST_CLOSURE_S);
}

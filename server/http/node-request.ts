import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isIP } from "node:net";
import { monotonicMs } from "#server/platform/clock.ts";
import { UnavailableError } from "#server/platform/errors.ts";
import { nextTurn } from "#server/platform/next-turn.ts";
import type { RequestTarget } from "#server/platform/request-target.ts";
import { Ticker } from "#server/platform/ticker.ts";
import { addressGroup } from "./address-group.ts";
import { type ApiRequest, NO_ROUTE } from "./api-request.ts";
import { BodyChunks, type BodyMemory, freeBytes } from "./body-memory.ts";
import { bodyTooLarge, detailReply, HttpError } from "./reply.ts";

/** An ApiRequest over Node's own objects; what few operations need is created on first use. */
export class NodeRequest implements ApiRequest {
  readonly method: string;
  readonly path: string;
  route = NO_ROUTE;
  params: Readonly<Record<string, string>> = {};
  readonly id: string;
  readonly address: string;
  arrived = monotonicMs();
  readonly #target: RequestTarget;
  readonly #incoming: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #bodies: BodyMemory;
  #query: URLSearchParams | undefined;
  #aborter: AbortController | undefined;

  constructor(
    incoming: IncomingMessage,
    response: ServerResponse,
    target: RequestTarget,
    trustedProxies: number,
    bodies: BodyMemory,
  ) {
    this.method = incoming.method ?? "GET";
    this.path = target.path;
    this.#target = target;
    this.#incoming = incoming;
    this.#response = response;
    this.#bodies = bodies;
    this.id = requestIdOf(incoming.headers["x-request-id"]);
    this.address = clientAddress(incoming, trustedProxies);
  }

  get query(): URLSearchParams {
    this.#query ??= new URLSearchParams(this.#target.query);
    return this.#query;
  }

  header(name: string): string | undefined {
    return headerOf(this.#incoming, name);
  }

  get isLocal(): boolean {
    const { socket, headers } = this.#incoming;
    const isForwarded = forwardingHeaders.some((name) => headers[name] !== undefined);
    return !isForwarded && /^(?:::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? "");
  }

  get signal(): AbortSignal {
    if (!this.#aborter) {
      const aborter = new AbortController();
      const response = this.#response;
      const abort = () => {
        if (!response.writableFinished) aborter.abort();
      };
      if (response.closed || response.destroyed) abort();
      else response.once("close", abort);
      this.#aborter = aborter;
    }
    return this.#aborter.signal;
  }

  body(limit: number): Promise<Uint8Array> {
    return readBody(this.#incoming, this.#response, limit, this, this.#bodies);
  }
}

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}

/** The headers of a request for a page, as an ApiRequest gives them. */
export function headersOf(incoming: IncomingMessage): Pick<ApiRequest, "header"> {
  return { header: (name) => headerOf(incoming, name) };
}

/** Time for a body to arrive, extended by this rate for what has arrived: a trickling body is cut off. */
const BODY_MS = 30_000;
const MIN_BYTES_PER_SECOND = 64 * 1024;

const MIN_LARGE_BYTES = 256 * 1024;

/** Takes about a millisecond to copy, with the faults of fresh memory. */
const JOINED_BYTES = 2 * 1024 * 1024;

/** Bodies up to this size are counted only while they arrive: one that is sent at once is never refused for want of memory. */
const MAX_SMALL = 64 * 1024;

function tooManyBodies(): UnavailableError {
  return new UnavailableError(
    "Too many large or slow requests are being received. Please try again later.",
    5,
  );
}

interface ArrivingBody {
  /** Time until it is too slow. @param now Monotonic clock, milliseconds. */
  leftMs(now: number): number;
  cut(): void;
  giveWay(): void;
}

const arrivingBodies = new Set<ArrivingBody>();

const PACE_MS = 1_000;

const pace = new Ticker(() => {
  const now = monotonicMs();
  for (const body of arrivingBodies) if (body.leftMs(now) <= 0) body.cut();
  return arrivingBodies.size > 0;
}, PACE_MS);

/** Whole body of a request. A declared length beyond the limit is rejected before a byte is read. */
function readBody(
  incoming: IncomingMessage,
  response: ServerResponse,
  limit: number,
  request: Pick<NodeRequest, "address" | "arrived">,
  bodies: BodyMemory,
): Promise<Uint8Array> {
  const { address } = request;
  return new Promise((resolve, reject) => {
    if (Number(incoming.headers["content-length"] ?? 0) > limit) return reject(bodyTooLarge(limit));
    if (incoming.destroyed && !incoming.complete) return reject(bodyInterrupted());
    // Sent only now, so that a client with a rejected key does not upload its body.
    if (expectsContinue(incoming)) response.writeContinue();
    const chunks = new BodyChunks();
    let reserved = 0;
    const started = monotonicMs();
    const arriving: ArrivingBody = {
      leftMs: (now) => started + BODY_MS + (1000 * chunks.length) / MIN_BYTES_PER_SECOND - now,
      cut: () => settle(() => reject(bodyTooSlow())),
      giveWay: () => settle(() => reject(tooManyBodies())),
    };
    arrivingBodies.add(arriving);
    pace.start();
    const settle = (finish: () => void) => {
      arrivingBodies.delete(arriving);
      bodies.removeSmall(arriving);
      incoming.off("data", onData).off("end", onEnd).off("error", onClose).off("close", onClose);
      finish();
    };
    const onData = (chunk: Buffer) => {
      const { length } = chunk;
      // Nobody else uses it. Left to V8, such chunks add up to 64 MiB before it collects them, in one long pause.
      if (chunks.push(chunk)) freeBytes(chunk);
      if (chunks.length > limit) settle(() => reject(bodyTooLarge(limit)));
      else if (chunks.length <= MAX_SMALL) bodies.addSmall(arriving, length);
      else {
        bodies.removeSmall(arriving);
        if (!reserve()) settle(() => reject(tooManyBodies()));
      }
    };
    /** Until the reply has ended: the body is read or stored meanwhile. */
    const reserve = () => {
      // A client that has left is noticed by its own event.
      if (response.closed) return true;
      const group = addressGroup(address);
      const more = chunks.length - reserved;
      if (!bodies.take(group, more)) return false;
      if (reserved === 0) response.once("close", () => bodies.release(group, reserved));
      reserved += more;
      return true;
    };
    const onEnd = () => {
      request.arrived = monotonicMs();
      settle(() => resolve(joined(chunks.take(), chunks.length)));
    };
    const onClose = () => settle(() => reject(bodyInterrupted()));
    incoming.on("data", onData).on("end", onEnd).on("error", onClose).on("close", onClose);
  });
}

/** Joins a body in one piece of memory. */
function joined(chunks: Buffer[], length: number): Uint8Array | Promise<Uint8Array> {
  if (chunks.length === 1) return chunks[0]!;
  return length < MIN_LARGE_BYTES ? Buffer.concat(chunks, length) : joinedInTurns(chunks, length);
}

/** Other events of this thread come between the parts. */
async function joinedInTurns(chunks: Buffer[], length: number): Promise<Uint8Array> {
  // Other bodies may have ended in this round of the event loop.
  await nextTurn();
  const bytes = Buffer.allocUnsafeSlow(length);
  let at = 0;
  let pauseAt = JOINED_BYTES;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
    freeBytes(chunk);
    if (at < pauseAt) continue;
    pauseAt = at + JOINED_BYTES;
    await nextTurn();
  }
  return bytes;
}

function bodyInterrupted(): HttpError {
  return new HttpError(detailReply(400, "The request body ended too early"));
}

function bodyTooSlow(): HttpError {
  return new HttpError(detailReply(408, "The request body took too long to arrive", { connection: "close" }));
}

export function expectsContinue(incoming: IncomingMessage): boolean {
  return incoming.headers.expect?.toLowerCase() === "100-continue";
}

/** The caller's own id where it is safe to log, else a new one. */
export function requestIdOf(given: string | string[] | undefined): string {
  return typeof given === "string" && /^[\w.-]{8,64}$/.test(given) ? given : randomUUID();
}

/** Any of these says that the request came by a proxy. */
const forwardingHeaders = [
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
  "forwarded",
  "via",
];

/**
 * Address of the client.
 *
 * @param trustedProxies Number of our proxies in front: the entry written by the outermost of them counts. Entries left
 *   of it in X-Forwarded-For come from the client and cannot be trusted. An entry that is no address counts as the peer's.
 */
export function clientAddress(incoming: IncomingMessage, trustedProxies: number): string {
  const direct = incoming.socket.remoteAddress ?? "unknown";
  if (trustedProxies === 0) return direct;
  const forwarded = incoming.headers["x-forwarded-for"];
  const entries = (Array.isArray(forwarded) ? forwarded.join(",") : (forwarded ?? "")).split(",");
  return addressIn(entries.at(-trustedProxies) ?? "") ?? direct;
}

/** The address of an entry: some proxies write its port too, `9.9.9.9:2001`, or quotes, `"[2001:db8::1]:2001"`. */
function addressIn(entry: string): string | undefined {
  const [, bracketed, plain] = /^\s*"?(?:\[(.+)\](?::\d+)?|([^:]+):\d+)"?\s*$/.exec(entry) ?? [];
  const address = bracketed ?? plain ?? entry.trim().replace(/^"(.*)"$/, "$1");
  return isIP(address) ? address : undefined;
}

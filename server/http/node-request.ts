import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { monotonicMs } from "#server/platform/clock.ts";
import { UnavailableError } from "#server/platform/errors.ts";
import type { RequestTarget } from "#server/platform/request-target.ts";
import { type ApiRequest, NO_ROUTE } from "./api-request.ts";
import { BodyBuffer, type BodyMemory } from "./body-memory.ts";
import { addressGroup, clientAddress, isLocal } from "./client-address.ts";
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
    return isLocal(this.#incoming);
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

const BODIES_RETRY_S = 5;

/** Whole body of a request. A declared length beyond the limit is rejected before a byte is read. */
function readBody(
  incoming: IncomingMessage,
  response: ServerResponse,
  limit: number,
  request: Pick<NodeRequest, "address" | "arrived">,
  bodies: BodyMemory,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const declared = Number(incoming.headers["content-length"] ?? 0);
    if (declared > limit) return reject(bodyTooLarge(limit));
    if (incoming.destroyed && !incoming.readableEnded) return reject(bodyInterrupted());
    // Sent only now, so that a client with a rejected key does not upload its body.
    if (expectsContinue(incoming)) response.writeContinue();
    const body = new BodyBuffer(declared);
    const memory = bodies.open(addressGroup(request.address));
    // The body is read or stored until the reply has ended.
    response.once("close", memory.release);
    const started = monotonicMs();
    let timer: NodeJS.Timeout | undefined;
    const watch = () => {
      const leftMs = started + BODY_MS + (1000 * body.length) / MIN_BYTES_PER_SECOND - monotonicMs();
      if (leftMs <= 0) settle(() => reject(bodyTooSlow()));
      else timer = setTimeout(watch, leftMs);
    };
    const settle = (finish: () => void) => {
      clearTimeout(timer);
      incoming.off("data", onData).off("end", onEnd).off("error", onClose).off("close", onClose);
      finish();
    };
    const onData = (chunk: Buffer) => {
      body.push(chunk);
      if (body.length > limit) settle(() => reject(bodyTooLarge(limit)));
      // A client that has left is noticed by its own event.
      else if (!response.closed && !memory.grow(body.length)) settle(() => reject(tooManyBodies()));
    };
    const onEnd = () => {
      request.arrived = monotonicMs();
      settle(() => resolve(body.bytes()));
    };
    const onClose = () => settle(() => reject(bodyInterrupted()));
    incoming.on("data", onData).on("end", onEnd).on("error", onClose).on("close", onClose);
    // Most bodies have arrived with their headers.
    if (!incoming.complete) watch();
  });
}

function tooManyBodies(): UnavailableError {
  return new UnavailableError(
    "Too many large or slow requests are being received. Please try again later.",
    BODIES_RETRY_S,
  );
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

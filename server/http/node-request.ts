import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { monotonicMs } from "#server/platform/clock.ts";
import { BodyInterruptedError, BodyTooLargeError, BodyTooSlowError } from "./errors.ts";
import type { ApiRequest } from "./exchange.ts";
import type { Target } from "./target.ts";

/** An ApiRequest over node's own objects; what few operations ask for is made when it is asked for. */
export class NodeRequest implements ApiRequest {
  readonly method: string;
  readonly path: string;
  params: Readonly<Record<string, string>> = {};
  readonly id: string;
  readonly address: string;
  readonly #target: Target;
  readonly #incoming: IncomingMessage;
  readonly #response: ServerResponse;
  #query: URLSearchParams | undefined;
  #aborter: AbortController | undefined;

  constructor(incoming: IncomingMessage, response: ServerResponse, target: Target, trustedProxies: number) {
    this.method = incoming.method ?? "GET";
    this.path = target.path;
    this.#target = target;
    this.#incoming = incoming;
    this.#response = response;
    this.id = requestIdOf(incoming.headers["x-request-id"]);
    this.address = clientAddress(incoming, trustedProxies);
  }

  get query(): URLSearchParams {
    this.#query ??= new URLSearchParams(this.#target.query);
    return this.#query;
  }

  header(name: string): string | undefined {
    const value = this.#incoming.headers[name];
    return Array.isArray(value) ? value.join(", ") : value;
  }

  get signal(): AbortSignal {
    if (!this.#aborter) {
      const aborter = new AbortController();
      const response = this.#response;
      const gone = () => {
        if (!response.writableFinished) aborter.abort();
      };
      if (response.closed || response.destroyed) gone();
      else response.once("close", gone);
      this.#aborter = aborter;
    }
    return this.#aborter.signal;
  }

  body(limit: number): Promise<Uint8Array> {
    return readBody(this.#incoming, this.#response, limit);
  }
}

/** How long a body may take to arrive, and how fast it has to be beyond that: a trickle holds nothing for long. */
const BODY_MS = 30_000;
const SLOWEST_BYTES_A_SECOND = 64 * 1024;

/** Whole body of a request. A length that is declared too large is refused before a byte is read. */
function readBody(incoming: IncomingMessage, response: ServerResponse, limit: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    if (Number(incoming.headers["content-length"] ?? 0) > limit) return reject(new BodyTooLargeError(limit));
    if (incoming.destroyed && !incoming.complete)
      return reject(new BodyInterruptedError("The client went away"));
    // Only now is the client told to send what it announced: a refused key never costs it the upload.
    if (expectsContinue(incoming)) response.writeContinue();
    const chunks: Buffer[] = [];
    let length = 0;
    const begun = monotonicMs();
    const look = () => {
      const left = begun + BODY_MS + (1000 * length) / SLOWEST_BYTES_A_SECOND - monotonicMs();
      if (left > 0) slow = setTimeout(look, left);
      else settle(() => reject(new BodyTooSlowError("The request body trickles")));
    };
    let slow = setTimeout(look, BODY_MS);
    const settle = (end: () => void) => {
      clearTimeout(slow);
      incoming.off("data", onData).off("end", onEnd).off("error", onGone).off("close", onGone);
      end();
    };
    const onData = (chunk: Buffer) => {
      length += chunk.length;
      if (length <= limit) chunks.push(chunk);
      else settle(() => reject(new BodyTooLargeError(limit)));
    };
    const onEnd = () =>
      settle(() => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length)));
    const onGone = () => settle(() => reject(new BodyInterruptedError("The client went away")));
    incoming.on("data", onData).on("end", onEnd).on("error", onGone).on("close", onGone);
  });
}

export function expectsContinue(incoming: IncomingMessage): boolean {
  return incoming.headers.expect?.toLowerCase() === "100-continue";
}

/** The caller's own id where it is harmless in a log, else a new one. */
function requestIdOf(given: string | string[] | undefined): string {
  return typeof given === "string" && /^[\w.-]{8,64}$/.test(given) ? given : randomUUID();
}

/**
 * Address of the client.
 *
 * @param trustedProxies How many proxies of ours stand in front: the entry that the outermost of them wrote counts. What
 *   stands left of it in X-Forwarded-For was written by the client, and may be anything.
 */
function clientAddress(incoming: IncomingMessage, trustedProxies: number): string {
  const direct = incoming.socket.remoteAddress ?? "unknown";
  if (trustedProxies === 0) return direct;
  const forwarded = incoming.headers["x-forwarded-for"];
  const entries = (Array.isArray(forwarded) ? forwarded.join(",") : (forwarded ?? ""))
    .split(",")
    .map((text) => text.trim());
  return entries.at(-trustedProxies) || direct;
}

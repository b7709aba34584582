import type { IncomingMessage, ServerResponse } from "node:http";
import { monotonicMs } from "#server/platform/clock.ts";
import { UnavailableError } from "#server/platform/errors.ts";
import { addressGroup } from "./client-address.ts";
import { bodyTooLarge, detailReply, HttpError } from "./reply.ts";

/** Time for a body to arrive, extended by this rate for what has arrived: a trickling body is cut off. */
const BODY_MS = 30_000;
const MIN_BYTES_PER_SECOND = 64 * 1024;

const BODIES_RETRY_S = 5;

/**
 * Reads the whole body of a request within `limit`, in time, and only if there is memory for it. A declared length
 * beyond the limit is rejected before a byte is read.
 *
 * @param request Has the address of the client; its time of arrival is set when the whole request has arrived.
 */
export function readBody(
  incoming: IncomingMessage,
  response: ServerResponse,
  limit: number,
  request: { readonly address: string; arrived: number },
  bodies: BodyMemory,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const declared = Number(incoming.headers["content-length"] ?? 0);
    if (declared > limit) return reject(bodyTooLarge(limit));
    if (incoming.destroyed && !incoming.readableEnded) return reject(bodyInterrupted());
    // The reply 100 is sent only now, so that a client with a rejected key does not upload its body.
    if (expectsContinue(incoming)) response.writeContinue();
    // Most bodies have arrived with their headers.
    if (declared > 0 && declared <= MIN_COUNTED_BYTES && incoming.readableLength === declared) {
      request.arrived = monotonicMs();
      resolve(incoming.read());
      incoming.resume();
      return;
    }
    const body = new BodyBuffer(declared);
    const started = monotonicMs();
    let timer: NodeJS.Timeout | undefined;
    const watch = () => {
      const leftMs = started + BODY_MS + (1000 * body.length) / MIN_BYTES_PER_SECOND - monotonicMs();
      if (leftMs <= 0) fail(bodyTooSlow());
      else timer = setTimeout(watch, leftMs);
    };
    let memory: ReturnType<BodyMemory["open"]> | undefined;
    const hasMemory = () => {
      // The close event reports a client that has left.
      if (body.length <= MIN_COUNTED_BYTES || response.closed) return true;
      if (!memory) {
        memory = bodies.open(addressGroup(request.address));
        // The body is read or stored until the reply has ended.
        response.once("close", memory.release);
      }
      return memory.grow(body.length);
    };
    const onData = (chunk: Buffer) => {
      body.push(chunk);
      if (body.length > limit) fail(bodyTooLarge(limit));
      else if (!hasMemory()) fail(tooManyBodies());
    };
    const fail = (error: Error) => {
      clearTimeout(timer);
      incoming.off("data", onData);
      reject(error);
    };
    incoming
      .on("data", onData)
      .once("end", () => {
        clearTimeout(timer);
        request.arrived = monotonicMs();
        resolve(body.bytes());
      })
      .once("close", () => {
        if (!incoming.readableEnded) fail(bodyInterrupted());
      });
    if (!incoming.complete) watch();
  });
}

export function expectsContinue(incoming: IncomingMessage): boolean {
  return incoming.headers.expect?.toLowerCase() === "100-continue";
}

/** Shorter bodies are not counted: the number of connections bounds them. */
const MIN_COUNTED_BYTES = 64 * 1024;

/** The garbage collector frees the memory of shorter bodies, which may be shared with others. */
const MIN_FREED_BYTES = 32 * 1024;

/**
 * Collects the bytes of a body in one piece of memory, so that a client that sends single bytes does not cause an
 * object for each.
 */
export class BodyBuffer {
  length = 0;
  readonly #declared: number;
  #bytes: Uint8Array = new Uint8Array();

  /** @param declared Content-Length; 0 if there is none. */
  constructor(declared: number) {
    this.#declared = declared;
  }

  push(chunk: Uint8Array): void {
    const end = this.length + chunk.length;
    // Most bodies come in one piece, which is not copied.
    if (end === this.#declared && this.length === 0) {
      this.#bytes = chunk;
      this.length = end;
      return;
    }
    if (end > this.#bytes.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(end, Math.min(2 * end, this.#declared || 2 * end)));
      grown.set(this.#bytes.subarray(0, this.length));
      freeBytes(this.#bytes);
      this.#bytes = grown;
    }
    this.#bytes.set(chunk, this.length);
    this.length = end;
    // The chunk is freed here because V8 would let such chunks add up to 64 MiB and then collect them in one long
    // pause.
    freeBytes(chunk);
  }

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }
}

/**
 * Returns the memory of a large body at once. V8 collects unused memory only now and then, by which time several bodies
 * of 32 MiB have arrived. Nobody may read the bytes afterwards, libuv's threads included.
 */
export function freeBytes({ buffer, byteLength }: Uint8Array): void {
  const ownsMemory = buffer instanceof ArrayBuffer && byteLength === buffer.byteLength;
  if (ownsMemory && byteLength >= MIN_FREED_BYTES) buffer.transfer(0);
}

/**
 * Limits the memory of large bodies from their arrival until they are answered, bytes: in all, and from one address.
 * Small bodies are never refused.
 */
export class BodyMemory {
  used = 0;
  readonly #total: number;
  readonly #ofAddress: number;
  readonly #byAddress = new Map<string, number>();

  constructor(total = 64 * 2 ** 20, ofAddress = 48 * 2 ** 20) {
    this.#total = total;
    this.#ofAddress = ofAddress;
  }

  /** One body. @returns Called with the bytes that it has so far: false where there is not as much left; and releases all. */
  open(address: string): { grow(bytes: number): boolean; release(): void } {
    let taken = 0;
    const take = (bytes: number) => {
      taken += bytes;
      this.used += bytes;
      const own = (this.#byAddress.get(address) ?? 0) + bytes;
      if (own > 0) this.#byAddress.set(address, own);
      else this.#byAddress.delete(address);
    };
    return {
      grow: (bytes) => {
        const more = bytes - taken;
        const own = (this.#byAddress.get(address) ?? 0) + more;
        if (own > this.#ofAddress || this.used + more > this.#total) return false;
        if (more > 0) take(more);
        return true;
      },
      release: () => take(-taken),
    };
  }
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

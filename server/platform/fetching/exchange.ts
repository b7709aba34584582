import http from "node:http";
import https from "node:https";
import type { Socket } from "node:net";
import { HostFailedError } from "./errors.ts";

/** Real milliseconds, also where other waits are simulated: sockets know no other time. */
export interface TimeLimits {
  /** Until the connection stands, TLS included. */
  connectMs: number;
  /** Without a byte. */
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
  /** Its body. @throws What ended it early: the signal's reason, or an error whose message says what happened. */
  body(): AsyncIterable<Uint8Array>;
  /** Ends it without its body. */
  discard(): void;
}

/** Bodies up to this length are read to their end, so that the connection can be used again. */
const WORTH_READING = 64 * 1024;

/**
 * One GET request. Redirects are answers like others.
 *
 * @param host For messages: that of the original address.
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
  const abort = () => end("was cancelled");
  signal.addEventListener("abort", abort, { once: true });
  const whole = setTimeout(() => end(`took more than ${limits.wholeMs / 1000} s`), limits.wholeMs);
  request.setTimeout(limits.idleMs, () => end(`sent nothing for ${limits.idleMs / 1000} s`));
  request.once("socket", (socket) => limitConnecting(socket, secure, limits.connectMs, end));
  request.once("close", () => {
    clearTimeout(whole);
    signal.removeEventListener("abort", abort);
  });
  const failure = (error: unknown, during: string) => {
    signal.throwIfAborted();
    return new HostFailedError(host, ended ?? `${during} (${wordsOf(error)})`, { cause: error });
  };
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    request.once("response", resolve);
    // Stays: a connection may fail again after its answer, which its body reports.
    request.on("error", reject);
    request.end();
  }).catch((error) => {
    // A host may close an idle connection at the moment in which it is used again: that says nothing about the host.
    if (request.reusedSocket && ended === undefined && error.code === "ECONNRESET") return undefined;
    throw failure(error, "cannot be reached");
  });
  if (!response) return exchange(connections, host, address, { headers, limits, signal });
  return {
    status: response.statusCode!,
    headers: response.headers,
    async *body() {
      try {
        yield* response as AsyncIterable<Uint8Array>;
      } catch (error) {
        throw failure(error, "ended the connection");
      } finally {
        if (!response.complete) request.destroy();
      }
    },
    discard() {
      response.on("error", () => {});
      const length = Number(response.headers["content-length"] ?? Number.NaN);
      if (length <= WORTH_READING) response.resume();
      else request.destroy();
    },
  };
}

function limitConnecting(socket: Socket, secure: boolean, limitMs: number, end: (why: string) => void): void {
  // One that was used before stands already.
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

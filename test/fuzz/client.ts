import { Agent, type IncomingHttpHeaders, request } from "node:http";
import { connect } from "node:net";
import type { FuzzRequest } from "./requests.ts";

/** A reply, or the reason why there is none. */
export interface FuzzReply {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  milliseconds: number;
}

const HANG_MS = 30_000;

/** Silence after which the server is assumed to wait for the rest of a request, milliseconds. */
const QUIET_MS = 3_000;

/** Sends requests over persistent connections. */
export class FuzzClient {
  readonly #url: URL;
  readonly #agent: Agent;
  readonly #hangMs: number;

  /** @param hangMs Time after which a missing answer counts as a hang, milliseconds. */
  constructor(url: string, sockets: number, hangMs = HANG_MS) {
    this.#url = new URL(url);
    this.#hangMs = hangMs;
    this.#agent = new Agent({ keepAlive: true, maxSockets: sockets });
  }

  /**
   * Sends a request. An event stream is left at once.
   *
   * @param signal Abandons the request.
   * @throws Error where the connection ends without a reply, or no reply comes in time; the signal's reason.
   */
  send({ method, target, headers: given, body }: FuzzRequest, signal?: AbortSignal): Promise<FuzzReply> {
    const began = performance.now();
    // Node itself sends no length with the body of a DELETE.
    const headers = body ? { ...given, "content-length": body.length } : given;
    return new Promise((resolve, reject) => {
      const { hostname, port } = this.#url;
      const sent = request(
        {
          hostname,
          port,
          agent: this.#agent,
          method,
          path: target,
          headers,
          setHost: true,
          timeout: this.#hangMs,
          signal,
        },
        (reply) => {
          const chunks: Buffer[] = [];
          const finish = () =>
            resolve({
              status: reply.statusCode!,
              headers: reply.headers,
              body: Buffer.concat(chunks),
              milliseconds: performance.now() - began,
            });
          reply.on("data", (chunk: Buffer) => chunks.push(chunk));
          reply.on("end", finish);
          reply.on("error", reject);
          if (reply.headers["content-type"]?.startsWith("text/event-stream")) {
            reply.removeAllListeners("error").on("error", () => undefined);
            sent.removeAllListeners("error").on("error", () => undefined);
            finish();
            sent.destroy();
          }
        },
      );
      sent.on("timeout", () => sent.destroy(new Error(`no reply within ${this.#hangMs} ms`)));
      sent.on("error", reject);
      sent.end(body);
    });
  }

  /**
   * Sends bytes and reads the beginning of the reply. Closes its own side after the first bytes, or where none arrive.
   *
   * @throws Error if the server does not close then.
   */
  raw(bytes: Buffer): Promise<{ text: string; milliseconds: number }> {
    const began = performance.now();
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      const socket = connect(Number(this.#url.port), this.#url.hostname, () => socket.write(bytes));
      const quiet = setTimeout(() => socket.end(), QUIET_MS);
      socket.setTimeout(HANG_MS, () => socket.destroy(new Error(`not closed within ${HANG_MS} ms`)));
      socket.on("data", (chunk) => {
        chunks.push(chunk);
        socket.end();
      });
      socket.on("error", (error: NodeJS.ErrnoException) => {
        if (error.code !== "ECONNRESET" && error.code !== "EPIPE") reject(error);
      });
      socket.on("close", () => {
        clearTimeout(quiet);
        resolve({ text: Buffer.concat(chunks).toString("latin1"), milliseconds: performance.now() - began });
      });
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

import { randomUUID } from "node:crypto";
import { type Server, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { addressGroup } from "./client-address.ts";
import { noStore } from "./reply.ts";
import { commonHeaders } from "./router.ts";

export interface ConnectionLimits {
  /** Open connections in all. */
  all: number;
  /** Open connections of one address; an IPv6 address counts by its /64. */
  ofAddress: number;
  /** Number of refused connections that get a reply at the same time, 64 by default; others are closed without one. */
  refusedAtOnce?: number;
}

/** The part of a socket that this module uses. */
export type OpenSocket = Pick<
  Socket,
  "remoteAddress" | "writableLength" | "bytesWritten" | "once" | "destroy"
>;

interface OpenConnection {
  socket: OpenSocket;
  /** How long the connection has had bytes that its client did not take, milliseconds. */
  waitedMs: number;
  /** Bytes that the socket had been given when the connection began to wait. */
  bytesBefore: number;
  /** Whether more than `MUCH_BYTES` has waited since then. */
  holdsMuch: boolean;
}

const REFUSED_AT_ONCE = 64;

const TICK_MS = 1_000;

/** Time for a client to take what it is sent, extended by this rate: a client that does not read is cut. */
const READ_MS = 60_000;
const MIN_READ_BYTES_PER_SECOND = 1024;

/** If more than this waits in our memory for a client, it has to read the bytes beyond it faster. */
const MUCH_BYTES = 2 ** 20;
const MIN_READ_BYTES_PER_SECOND_OF_MUCH = 16 * 1024;

/** Bounds the open connections of a process, in all and for an address, and closes those whose clients do not read. */
export class Connections {
  /** Connections beyond the limits since the start. */
  refused = 0;
  /** Connections that were cut because their clients did not read. */
  cut = 0;
  readonly #limits: ConnectionLimits;
  readonly #open = new Set<OpenConnection>();
  readonly #byAddress = new Map<string, number>();
  /** Timer that runs while there are connections. */
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
  }

  get refusedAtOnce(): number {
    return this.#limits.refusedAtOnce ?? REFUSED_AT_ONCE;
  }

  get open(): number {
    return this.#open.size;
  }

  /**
   * @returns The reason of a refusal, for the client; undefined if the connection is accepted and counted until its
   *   socket closes.
   */
  refusal(socket: OpenSocket): string | undefined {
    const group = addressGroup(socket.remoteAddress ?? "unknown");
    const own = this.#byAddress.get(group) ?? 0;
    const { all, ofAddress } = this.#limits;
    if (this.#open.size >= all || own >= ofAddress) {
      this.refused++;
      const whose = own >= ofAddress ? "from your address" : "to the service";
      return `Too many connections ${whose} are open. Please try again later.`;
    }
    const connection = { socket, waitedMs: 0, bytesBefore: 0, holdsMuch: false };
    this.#open.add(connection);
    this.#byAddress.set(group, own + 1);
    this.#timer ??= setInterval(() => this.#check(), TICK_MS).unref();
    socket.once("close", () => {
      this.#open.delete(connection);
      const left = (this.#byAddress.get(group) ?? 0) - 1;
      if (left > 0) this.#byAddress.set(group, left);
      else this.#byAddress.delete(group);
    });
    return undefined;
  }

  #check(): void {
    for (const connection of this.#open) {
      const { socket } = connection;
      if (socket.writableLength === 0) {
        // The time is not reset at once, because a client that takes a little now and then is still slow.
        if (connection.waitedMs > 0) connection.waitedMs -= TICK_MS;
        continue;
      }
      if (connection.waitedMs === 0) {
        connection.bytesBefore = socket.bytesWritten - socket.writableLength;
        connection.holdsMuch = false;
      }
      if (socket.writableLength > MUCH_BYTES) connection.holdsMuch = true;
      connection.waitedMs += TICK_MS;
      // The count includes all bytes handed over since then, because Node does not tell how much of a large buffer the
      // client has taken.
      const bytes = socket.bytesWritten - connection.bytesBefore;
      if (connection.waitedMs <= timeToRead(bytes, connection.holdsMuch)) continue;
      this.cut++;
      socket.destroy();
    }
    if (this.#open.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/**
 * Returns milliseconds. A stream is handed over as it is read and holds little memory; an answer that was written as a
 * whole holds all of it.
 */
function timeToRead(bytes: number, holdsMuch: boolean): number {
  const much = holdsMuch ? Math.max(0, bytes - MUCH_BYTES) : 0;
  const seconds = (bytes - much) / MIN_READ_BYTES_PER_SECOND + much / MIN_READ_BYTES_PER_SECOND_OF_MUCH;
  return READ_MS + 1000 * seconds;
}

/** Retry-After of a refused connection, seconds. */
const REFUSED_RETRY_S = "5";

/** A connection beyond the limits is answered before its request is read, so that it costs next to nothing. */
export function boundConnections(server: Server, connections: Connections): void {
  const [accept] = server.listeners("connection");
  let answered = 0;
  server.removeAllListeners("connection").on("connection", (socket: Socket) => {
    const detail = connections.refusal(socket);
    if (detail === undefined) accept?.call(server, socket);
    else if (answered >= connections.refusedAtOnce) socket.destroy();
    else {
      answered++;
      socket.on("error", () => socket.destroy()).once("close", () => answered--);
      closeWithError(socket, { status: 503, detail }, { "Retry-After": REFUSED_RETRY_S });
    }
  });
}

/** Reply to a malformed request, which no operation sees. */
export interface Fault {
  status: number;
  detail: string;
}

/** Answers without a response object, by writing the bytes straight to the socket. */
export function closeWithError(
  socket: Duplex,
  { status, detail }: Fault,
  more: Record<string, string> = {},
): void {
  const body = JSON.stringify({ detail });
  const headers = {
    Connection: "close",
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(body),
    "X-Request-Id": randomUUID(),
    ...noStore,
    ...commonHeaders,
    ...more,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`);
  // Unread data would reset the connection before the client has read the reply.
  socket.resume();
  setTimeout(() => socket.destroy(), 1_000).unref();
}

/**
 * Stops accepting, lets requests in flight finish, and cuts those that remain.
 *
 * @param graceMs How long remaining requests may take, milliseconds.
 * @returns Whether all of them finished.
 */
export async function closeGently(server: Server, graceMs: number): Promise<boolean> {
  let finished = true;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection that was busy is kept alive after its reply: now idle, it must be closed as well.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const timer = setTimeout(() => {
    finished = false;
    server.closeAllConnections();
  }, graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(timer);
  return finished;
}

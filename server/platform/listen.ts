import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

export class CannotListenError extends Error {
  override readonly name = "CannotListenError";
  constructor(port: number, host: string, reason: string, options?: ErrorOptions) {
    super(`Cannot listen on ${host}:${port}: ${reason}`, options);
  }
}

const reasons: Record<string, string> = {
  EADDRINUSE: "another program is using this port; choose one with PORT=",
  EACCES: "this port needs more rights; choose one above 1023 with PORT=",
  EADDRNOTAVAIL: "this machine has no such address; choose one with HOST=",
  ENOTFOUND: "there is no host of this name; choose one with HOST=",
};

/**
 * Connections that may wait to be accepted. Node's default of 511 overflows when many arrive at once, and a client
 * whose connection is dropped retries only after seconds.
 */
const BACKLOG = 4096;

/**
 * Starts to accept connections.
 *
 * @param port 0 takes any free port.
 * @returns The port in use.
 * @throws CannotListenError that says what to do.
 */
export async function listen(server: Server, port: number, host: string): Promise<number> {
  server.listen({ port, host, backlog: BACKLOG });
  try {
    await once(server, "listening");
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    throw new CannotListenError(port, host, reasons[code ?? ""] ?? message, { cause });
  }
  return (server.address() as AddressInfo).port;
}

import { readFileSync } from "node:fs";
import type { Socket } from "node:net";

/**
 * Bytes that a program has given to a connection over IPv4 and that have not reached the other end: those that wait in the
 * process, and those that the kernel has not seen acknowledged. Linux only.
 */
export function unacknowledged(socket: Socket): number {
  const place = `:${hex(socket.localPort!)} `;
  for (const line of readFileSync("/proc/net/tcp", "utf8").split("\n")) {
    // sl local_address rem_address st tx_queue:rx_queue …
    const [, local, remote, , queues] = line.trim().split(/\s+/);
    if (!local || !`${local} `.endsWith(place) || !remote?.endsWith(`:${hex(socket.remotePort!)}`)) continue;
    return socket.writableLength + Number.parseInt(queues!.split(":")[0]!, 16);
  }
  return socket.writableLength;
}

const hex = (port: number) => port.toString(16).toUpperCase().padStart(4, "0");

import type { Server } from "node:http";
import { closeGently } from "#server/http/connections.ts";

/** Longest that requests in flight may take to finish, milliseconds. */
export const GRACE_MS = 20_000;

export interface Draining {
  /** Aborted at once: from then on `/readyz` is 503, and a reply ends its connection. */
  draining: AbortController;
  /** Ends when no new connections need to be accepted any more: until then a load balancer may send some. */
  unnoticed(): Promise<unknown>;
  servers: readonly Server[];
  /** Pieces that are being computed go back to the queue. */
  tasks: { close(): Promise<void> };
  /** Clients are told to come back. */
  streams: { drain(): void };
  graceMs?: number;
}

/**
 * Takes a process out of service without a failed request: what it says of itself and its tasks first, since other processes
 * go on with them; then its streams and connections.
 *
 * @returns Whether all requests in flight were answered.
 */
export async function drain(deps: Draining): Promise<boolean> {
  const { draining, unnoticed, servers, tasks, streams, graceMs = GRACE_MS } = deps;
  draining.abort();
  const handedBack = tasks.close();
  await unnoticed();
  // Not before: who comes back at once would be sent here again.
  streams.drain();
  const finished = await Promise.all(servers.map((server) => closeGently(server, graceMs)));
  await handedBack;
  return finished.every(Boolean);
}

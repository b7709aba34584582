import type { Server } from "node:http";
import { closeGently } from "#server/http/connections.ts";

/** Longest time for requests in progress to finish, milliseconds. */
export const GRACE_MS = 20_000;

export interface Draining {
  /** Aborted first. From then on `/readyz` answers 503, and every reply closes its connection. */
  draining: AbortController;
  /** Resolves when no more connections need to be accepted. Until then a load balancer may still send some. */
  unnoticed(): Promise<unknown>;
  servers: readonly Server[];
  /** Returns pieces that are being computed to the queue. */
  tasks: { close(): Promise<void> };
  /** Tells the clients of event streams to reconnect. */
  streams: { drain(): void };
  graceMs?: number;
}

/**
 * Takes a process out of service without a failed request. Its state and its tasks come first, since other processes
 * take over; then its streams and connections end.
 *
 * @returns Whether all requests in progress were answered.
 */
export async function drain(deps: Draining): Promise<boolean> {
  const { draining, unnoticed, servers, tasks, streams, graceMs = GRACE_MS } = deps;
  draining.abort();
  const handedBack = tasks.close();
  await unnoticed();
  // Streams end only now, because a client that reconnects earlier could be sent here again.
  streams.drain();
  const finished = await Promise.all(servers.map((server) => closeGently(server, graceMs)));
  await handedBack;
  return finished.every(Boolean);
}

import { steadyLoads, type Waits } from "./measured-load.ts";
import type { MeasuredServer } from "./measured-server.ts";
import { mainThreadTimes } from "./proc.ts";

/**
 * Waits of other callers: one point and /healthz of the server, and a bare node:http handler in a process of its own.
 */
export interface Others {
  point: Waits;
  health: Waits;
  /** Waits of requests that need no work, on the same machine at the same time. */
  bare: Waits;
  /** Share of the time in which the request thread could have run but had no processor. */
  waited: number;
  /** Processor time of the request thread, as a share of one processor. */
  used: number;
}

/**
 * Sends requests at an even rate, whatever else the server does.
 *
 * @param bare See `startBare`.
 * @param point Body of a request for one point.
 */
export async function askAsOthers(
  { url, child }: MeasuredServer,
  bare: MeasuredServer,
  { key, point, perSecond, seconds }: { key: string; point: string; perSecond: number; seconds: number },
): Promise<Others> {
  const headers = { "content-type": "application/json", "x-api-key": key };
  const bodies = [point];
  const before = mainThreadTimes(child.pid!);
  const since = performance.now();
  const waits = await steadyLoads(
    {
      point: { url: `${url}/MetOcean`, headers, bodies, perSecond },
      health: { url: `${url}/healthz`, perSecond },
      bare: { url: bare.url, headers, bodies, perSecond },
    },
    seconds,
  );
  const after = mainThreadTimes(child.pid!);
  const elapsed = performance.now() - since;
  return {
    ...waits,
    waited: (after.waited - before.waited) / elapsed,
    used: (after.cpu - before.cpu) / elapsed,
  };
}

/** Describes the waits in one line. @param limits Limits for the p99, milliseconds. */
export function describeOthers(
  { point, health, bare, waited, used }: Others,
  limits?: { point: number; health: number },
): string {
  const text = ({ p50, p99, refused }: Waits, limit?: number) =>
    `p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)} ms${limit === undefined ? "" : ` (limit ${limit})`}` +
    `${refused === 0 ? "" : `, ${refused} refused`}`;
  const percent = (share: number) => `${(100 * share).toFixed(0)} %`;
  return (
    `one point of another owner ${text(point, limits?.point)}; /healthz ${text(health, limits?.health)}; ` +
    `a bare handler ${text(bare)}, the client late by ${bare.late.toFixed(1)} ms (p99); ` +
    `the answering thread used ${percent(used)} of a processor and waited for one ${percent(waited)} of the time`
  );
}

import type { ChildProcess } from "node:child_process";
import path from "node:path";
import autocannon from "autocannon";
import { type ChildServer, runForJson, startChildServer } from "./child-process.ts";
import { cpuSecondsOfTree } from "./proc.ts";

/** Results of sixteen clients that sent requests for some seconds. */
export interface Measured {
  perSecond: number;
  /** Requests per second of the server's own processor time, which is the rate of a dedicated core. */
  perCoreSecond: number;
  p50: number;
  p99: number;
}

/** Requests that the clients send, one after the other. */
type Asked = autocannon.Request[];

/** @throws Error where a request fails. */
export async function load(
  url: string,
  requests: Asked,
  server: ChildProcess,
  seconds: number,
): Promise<Measured> {
  const before = await cpuSecondsOfTree(server);
  const result = await autocannon({ url, connections: 16, duration: seconds, requests, workers: 1 });
  const used = (await cpuSecondsOfTree(server)) - before;
  const failed = result.errors + result["4xx"] + result["5xx"];
  if (failed > 0) throw new Error(`${failed} requests to ${url} failed`);
  const { requests: served, latency } = result;
  return {
    perSecond: served.average,
    perCoreSecond: served.total / used,
    p50: latency.p50,
    p99: latency.p99,
  };
}

/** Waits of requests, milliseconds. */
export interface Waits {
  p50: number;
  p90: number;
  p99: number;
  p999: number;
  /**
   * Delay with which the client itself sent its requests, 99th percentile. A large value means that the machine was
   * busy.
   */
  late: number;
  /** Number of requests that were not answered 200. */
  refused: number;
}

/** Requests that are sent at an even rate. */
export interface Target {
  url: string;
  headers?: Record<string, string>;
  /** Bodies that are sent by POST in turn; without them requests are GET. */
  bodies?: readonly string[];
  /** Whether each request opens a connection of its own. */
  connects?: boolean;
  perSecond: number;
}

/**
 * Sends requests at even rates, whether or not answers arrive, from a process that does nothing else and has a higher
 * priority where the system allows it. A wait starts when the request is handed to the system. No request waits for an
 * earlier answer, so delays of the client itself do not count as waits for the server; they are reported as `late`.
 *
 * @throws Error where a request has no answer.
 */
export async function steadyLoads<Name extends string>(
  targets: Readonly<Record<Name, Target>>,
  seconds: number,
): Promise<Record<Name, Waits>> {
  const client = path.join(import.meta.dirname, "steady-client-process.ts");
  // NODE_OPTIONS is meant for the server, not for its clients.
  return runForJson([client, JSON.stringify({ targets, seconds })], { NODE_OPTIONS: "" });
}

/**
 * Does the same for one target. @param body Sent by POST; without one requests are GET. @throws Error where one is not
 * answered 200.
 */
export async function steadyLoad(
  url: string,
  headers: Record<string, string>,
  perSecond: number,
  seconds: number,
  body?: string,
): Promise<Waits> {
  const target = { url, headers, perSecond, bodies: body === undefined ? undefined : [body] };
  const waits = (await steadyLoads({ target }, seconds)).target;
  if (waits.refused > 0) throw new Error(`${waits.refused} requests to ${url} were refused`);
  return waits;
}

/**
 * Prints the round that was disturbed the least by what else the machine did.
 *
 * @returns Its requests per core second, and the wait that 99 of 100 of its requests had at most, milliseconds.
 */
export function report(name: string, rounds: Measured[]): { rate: number; p99: number } {
  const best = rounds.reduce((one, other) => (other.perSecond > one.perSecond ? other : one));
  const perCore = Math.max(...rounds.map(({ perCoreSecond }) => perCoreSecond));
  console.log(
    `${name}: ${Math.round(best.perSecond)} requests/s, ${Math.round(perCore)} a core second, ` +
      `p50 ${best.p50} ms, p99 ${best.p99} ms`,
  );
  return { rate: Math.max(...rounds.map(rateOf)), p99: best.p99 };
}

/** Requests per second of processor time, or of time where the system does not tell the former. */
export function rateOf({ perSecond, perCoreSecond }: Measured): number {
  return Number.isNaN(perCoreSecond) ? perSecond : perCoreSecond;
}

/**
 * Starts a bare handler in a process of its own, which reads the body and answers this many bytes, as the limit for
 * comparisons.
 */
export function startBare(size: number): Promise<ChildServer> {
  return startChildServer(["-e", bareServer, String(size)]);
}

const bareServer = `
  const body = Buffer.alloc(Number(process.argv[1]), "x");
  const headers = { "content-type": "application/json", "content-length": body.length };
  const server = require("node:http").createServer((incoming, response) => {
    incoming.on("data", () => {}).on("end", () => response.writeHead(200, headers).end(body));
  });
  server.listen(0, "127.0.0.1", () => console.log("http://127.0.0.1:" + server.address().port));
`;

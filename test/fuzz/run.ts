import { HttpError } from "#server/http/reply.ts";
import { parseJsonBody } from "#server/http/validation.ts";
import { standardOperations } from "#server/operations/operations.ts";
import { checkedReply } from "#test/check-reply.ts";
import { FuzzClient, type FuzzReply } from "./client.ts";
import { damage } from "./json.ts";
import { faultOf, rawFaultOf, SLOWEST_MS } from "./oracles.ts";
import { randomOf } from "./random.ts";
import { type FuzzRequest, fuzzRequest, type World } from "./requests.ts";

export interface FuzzRun {
  url: string;
  keys: readonly [string, string];
  /** Weather clock of the server, Unix seconds. */
  now: number;
  requests: number;
  seed: number;
  /** Number of requests at the same time. */
  parallel: number;
  /** Longest allowed time of a reply, milliseconds; larger where other programs use the processors too. */
  slowestMs?: number;
  /** Called after every thousand requests. */
  progress?(done: number): void;
}

export interface FuzzReport {
  /** Number of replies by status; "raw" for damaged HTTP. */
  counts: Map<string, number>;
  slowestMs: number;
  /** One line per fault, with the number of the request, which the same seed repeats. */
  faults: string[];
}

/** Number of faults at which the run stops, because they probably have one cause. */
const MAX_FAULTS = 20;

/** Sends random requests, and checks every reply. Request n of a seed is always the same, except for ids of tasks. */
export async function fuzz(run: FuzzRun): Promise<FuzzReport> {
  const report: FuzzReport = { counts: new Map(), slowestMs: 0, faults: [] };
  const client = new FuzzClient(run.url, run.parallel);
  const world: World = { keys: run.keys, now: run.now, tasks: [] };
  let next = 0;
  const work = async () => {
    while (next < run.requests && report.faults.length < MAX_FAULTS) {
      const index = next++;
      if (index % 1000 === 0) run.progress?.(index);
      const complain = (what: string, of: string) => report.faults.push(`request ${index}: ${what}; ${of}`);
      await one(run, index, client, world, report, complain);
    }
  };
  await Promise.all(Array.from({ length: run.parallel }, work));
  client.close();
  return report;
}

async function one(
  run: FuzzRun,
  index: number,
  client: FuzzClient,
  world: World,
  report: FuzzReport,
  complain: (what: string, of: string) => void,
): Promise<void> {
  const random = randomOf(run.seed + Math.imul(index, 2_654_435_761));
  const { counts } = report;
  const { slowestMs = SLOWEST_MS } = run;
  const count = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  const roll = random.below(100);
  const request = fuzzRequest(random, world);
  try {
    if (roll === 0) {
      const bytes = damage(httpOf(request).toString("latin1"), random);
      const { text, milliseconds } = await client.raw(bytes);
      count("raw");
      const fault = rawFaultOf(bytes, text, milliseconds, slowestMs);
      if (fault) complain(fault, JSON.stringify(bytes.toString("latin1").slice(0, 400)));
      return;
    }
    const reply = await client.send(request);
    count(String(reply.status));
    report.slowestMs = Math.max(report.slowestMs, reply.milliseconds);
    const fault = faultOf(request, reply, !isApi(request.target), slowestMs);
    if (fault) complain(fault, described(request));
    else checkDocumented(request, reply);
    if (reply.status === 202) remember(world, String(reply.headers.location));
  } catch (error) {
    complain(String(error), described(request));
  }
}

/**
 * Statuses of errors of HTTP itself, which are answered before the operation is known and not listed with each
 * operation.
 */
const OF_HTTP = new Set([400, 405, 408, 417, 431]);

/** @throws Error where /openapi.json does not describe the reply. */
function checkDocumented({ method, target, body: sent }: FuzzRequest, reply: FuzzReply): void {
  const { status, body } = reply;
  if (OF_HTTP.has(status)) return;
  const headers = Object.fromEntries(
    Object.entries(reply.headers).map(([name, value]) => [name, `${value}`]),
  );
  const value = status < 300 && sent ? jsonOf(sent) : undefined;
  checkedReply(method, target.split("?")[0]!, value, { status, headers, body: body.length ? body : null });
}

/** The JSON that was sent; undefined for other bodies and for operations without a body. */
function jsonOf(sent: Uint8Array): unknown {
  try {
    return parseJsonBody(sent);
  } catch (error) {
    if (error instanceof HttpError) return undefined;
    throw error;
  }
}

/** Remembers the newest tasks, so that later requests use them. */
function remember(world: World, location: string): void {
  world.tasks.push(location.slice("/task/".length));
  if (world.tasks.length > 50) world.tasks.shift();
}

const apiSegments = new Set(standardOperations.map(({ path }) => path.split("/")[1]!.toLowerCase()));

/** Whether a path belongs to the API, whose errors are JSON. */
function isApi(target: string): boolean {
  return apiSegments.has((target.split(/[/?]/)[1] ?? "").toLowerCase());
}

/** The bytes of a request, from which a damaged one is made. */
function httpOf({ method, target, headers, body }: FuzzRequest): Buffer {
  const lines = Object.entries({
    host: "localhost",
    ...headers,
    "content-length": String(body?.length ?? 0),
  });
  const head = `${method} ${target} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`;
  return Buffer.concat([Buffer.from(head, "latin1"), body ?? Buffer.alloc(0)]);
}

function described({ method, target, headers, body }: FuzzRequest): string {
  return `${method} ${target} ${JSON.stringify(headers)} ${body?.toString().slice(0, 600) ?? ""}`.slice(
    0,
    1200,
  );
}

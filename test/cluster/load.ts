import { setTimeout as delay } from "node:timers/promises";
import { Clients } from "#test/chaos/clients.ts";
import { mailComplaints, messageId } from "#test/chaos/mails.ts";
import { untilNone } from "#test/chaos/until-none.ts";
import { seeded } from "#test/seeded.ts";
import { type Cluster, SERVED_BY } from "./cluster.ts";

interface Request {
  method: "GET" | "POST";
  path: string;
  body?: string;
}

/** A request with a known answer. */
export interface KnownRequest extends Request {
  /** Part of its answer that must not differ. */
  expected: string;
}

const VARIABLES = ["wind", "gust", "temp", "rain", "cloud", "pressure"] as const;
const HOUR_MS = 3_600_000;
/** Longest lead of the cluster's forecast, hours. */
const LONGEST_H = 110;

/** Requests for points and boxes, with the answers of the single machine. @throws Error where it does not answer. */
export async function knownRequests(
  { singleUrl, loadKey, options: { now } }: Cluster,
  seed: number,
  count = 60,
): Promise<KnownRequest[]> {
  const random = seeded(seed);
  const known: KnownRequest[] = [];
  for (let index = 0; index < count; index++) {
    const request = randomRequest(random, now);
    const reply = await ask(singleUrl, loadKey, request);
    if (reply.status !== 200) throw new Error(`The single machine answers ${reply.status}: ${reply.text}`);
    known.push({ ...request, expected: constantPart(reply.text) });
  }
  return known;
}

function randomRequest(random: () => number, now: string): Request {
  const below = (limit: number) => Math.floor(limit * random());
  const timestamp = () =>
    new Date(Date.parse(now) + below(LONGEST_H) * HOUR_MS).toISOString().replace(".000", "");
  if (random() < 0.3) {
    const [south, west] = [-60 + below(100), -180 + below(330)];
    const box = {
      latitude: [south, south + 5 + below(20)],
      longitude: [west, west + 5 + below(25)],
      timestamp: timestamp(),
    };
    const body = JSON.stringify({ bounding_boxes: [box], variable: "wind" });
    return { method: "POST", path: "/2DMetOcean", body };
  }
  const points = Array.from({ length: 1 + below(random() < 0.2 ? 400 : 20) }, () => ({
    latitude: -70 + below(1400) / 10,
    longitude: -180 + below(3600) / 10,
    timestamp: timestamp(),
  }));
  const variables = [...new Set([VARIABLES[below(VARIABLES.length)]!, "wind"])];
  return { method: "POST", path: "/MetOcean", body: JSON.stringify({ points, variables }) };
}

export interface Answer {
  status: number;
  text: string;
  headers: Headers;
}

/** @throws Error where there is no complete answer. */
export async function ask(
  origin: string,
  key: string,
  { method, path, body }: Request,
  signal?: AbortSignal,
  onHead?: (headers: Headers) => void,
): Promise<Answer> {
  const headers = { "x-api-key": key, ...(body !== undefined && { "content-type": "application/json" }) };
  const reply = await fetch(origin + path, { method, headers, body, signal });
  onHead?.(reply.headers);
  return { status: reply.status, text: await reply.text(), headers: reply.headers };
}

/** An answer without the parts that always differ: ids and durations. */
function constantPart(text: string): string {
  return JSON.stringify(JSON.parse(text), (name, each) =>
    name === "task_id" || name === "execution_time" ? undefined : each,
  );
}

/** A request that was not answered with 200. Times are milliseconds of `performance.now()`. */
export interface Failure {
  from: number;
  to: number;
  /** Replica to which the proxy had sent it. */
  servedBy: string | undefined;
  what: string;
  /** Whether it was a 503 of the service itself with Retry-After, which reports an outage. */
  isClear: boolean;
}

/** Callers that send known requests one after another, and compare every answer. */
export class Callers {
  answered = 0;
  /** Milliseconds of each answer. */
  readonly took: number[] = [];
  readonly failures: Failure[] = [];
  /** Answers that differ from those of the single machine. */
  readonly wrong: string[] = [];
  readonly #url: string;
  readonly #key: string;
  readonly #known: readonly KnownRequest[];

  constructor(url: string, key: string, known: readonly KnownRequest[]) {
    this.#url = url;
    this.#key = key;
    this.#known = known;
  }

  /** Sends one request after another while `goesOn` is true. @param pauseMs Pause between two requests. */
  async askWhile(goesOn: () => boolean, seed: number, pauseMs: number, timeoutMs?: number): Promise<void> {
    const random = seeded(seed);
    while (goesOn()) {
      await this.ask(this.#known[Math.floor(random() * this.#known.length)]!, timeoutMs);
      await delay(pauseMs);
    }
  }

  /** Sends one request. @returns Whether the answer was 200. */
  async ask(request: KnownRequest, timeoutMs = 60_000): Promise<boolean> {
    const from = performance.now();
    let servedBy: string | undefined;
    const fail = (what: string, isClear = false) => {
      const asked = `${request.method} ${request.path}: ${what}`;
      this.failures.push({ from, to: performance.now(), servedBy, what: asked, isClear });
      return false;
    };
    let answer: Answer;
    try {
      answer = await ask(this.#url, this.#key, request, AbortSignal.timeout(timeoutMs), (headers) => {
        servedBy = headers.get(SERVED_BY) || undefined;
      });
    } catch (error) {
      const { message, cause } = error as Error & { cause?: Error };
      return fail(cause?.message ?? message);
    }
    const { status, text, headers } = answer;
    if (status !== 200) {
      const isOurs = /json/.test(headers.get("content-type") ?? "") && headers.has("retry-after");
      return fail(`${status} ${text.slice(0, 150).trim()}`, status === 503 && isOurs);
    }
    this.took.push(performance.now() - from);
    this.answered++;
    if (constantPart(text) !== request.expected)
      this.wrong.push(
        `${servedBy} answers ${request.path} otherwise than the single machine: ${request.body}`,
      );
    return true;
  }
}

/** Number of callers at the same time. */
const CALLERS = 4;
/** Longest wait for the last task after the last submission, seconds. */
const MAX_WAIT_S = 120;

/** Points, boxes and tasks with email through the reverse proxy, each answer compared. */
export class MixedLoad {
  readonly clients: Clients;
  readonly callers: Callers;
  /** Longest wait for the last task, seconds. */
  longestWaitS = 0;
  readonly #cluster: Cluster;
  readonly #calling: Promise<void>[];
  #isStopped = false;

  private constructor(cluster: Cluster, seed: number, known: readonly KnownRequest[]) {
    const { url, options, loadKey } = cluster;
    this.#cluster = cluster;
    this.clients = new Clients(url, options.now, "wind", seeded(seed));
    this.callers = new Callers(url, loadKey, known);
    this.#calling = Array.from({ length: CALLERS }, (_, caller) =>
      this.callers.askWhile(() => !this.#isStopped, 1000 * seed + caller, 20),
    );
    this.clients.start(cluster.keys);
  }

  /** Reads the answers of the single machine, and begins. */
  static async start(cluster: Cluster, seed: number): Promise<MixedLoad> {
    return new MixedLoad(cluster, seed, await knownRequests(cluster, seed));
  }

  /** Submits nothing new until every accepted task has ended, and checks the new ones. @returns Complaints. */
  async inspect(): Promise<string[]> {
    await this.clients.pause();
    await this.#untilAllEnded();
    const complaints = await this.clients.inspectNew();
    this.clients.resume();
    return complaints;
  }

  async #untilAllEnded(): Promise<void> {
    const waited = await untilNone(() => this.clients.pending(this.#cluster.keys), MAX_WAIT_S);
    this.longestWaitS = Math.max(this.longestWaitS, waited);
  }

  /**
   * Ends the load, checks every accepted task, and judges failures. @param isExplained Whether a failure was expected.
   * @returns Complaints.
   */
  async stop(isExplained: (failure: Failure) => boolean = () => false): Promise<string[]> {
    const { clients, callers } = this;
    await clients.stop();
    await this.#untilAllEnded();
    this.#isStopped = true;
    await Promise.all(this.#calling);
    const failed = callers.failures
      .filter((failure) => !isExplained(failure))
      .map(({ servedBy = "a replica that is not known", what, from, to }) => {
        return `failed at ${servedBy}, ${seconds(from)} to ${seconds(to)}: ${what}`;
      });
    const ofTasks = await clients.inspectAll();
    const ofMails = await mailComplaints(this.#cluster.smtp, clients.acknowledged);
    return [...ofTasks, ...callers.wrong, ...failed, ...ofMails];
  }

  /** Summary for people. */
  summary(): string[] {
    const { clients, callers } = this;
    const { emails } = this.#cluster.smtp;
    const ids = new Set(emails.map(({ raw }) => messageId(raw)));
    const took = callers.took.toSorted((a, b) => a - b);
    const at = (share: number) => `${Math.round(took[Math.floor(share * (took.length - 1))] ?? 0)} ms`;
    return [
      `${callers.answered} answers compared with the single machine, ${callers.wrong.length} wrong; ` +
        `median ${at(0.5)}, 99 of 100 ${at(0.99)}; ${callers.failures.length} failed`,
      `${clients.acknowledged.length} tasks acknowledged; the last ended ${this.longestWaitS.toFixed(1)} s after the last was ` +
        `accepted; ${ids.size} mails, ${emails.length - ids.size} of them twice under one Message-ID`,
    ];
  }
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;

import { createHash, randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { inParallel } from "#server/platform/in-parallel.ts";

/** Tasks that are read at the same time. */
const AT_ONCE = 8;

/** State of a task that the service has acknowledged, as its client knows it. */
export interface Acknowledged {
  id: string;
  key: string;
  /** Body of its request. */
  body: string;
  /** Whether the service confirmed the cancellation; undefined if the connection broke before. */
  cancelled: boolean | undefined;
  /** Status and content when its end was first seen. */
  ended?: { status: string; hash: string };
}

/** Clients that submit tasks continuously and record every acknowledgement. */
export class Clients {
  readonly acknowledged: Acknowledged[] = [];
  readonly #url: string;
  readonly #time: string;
  readonly #variable: string;
  readonly #random: () => number;
  #paused = false;
  #stopped = false;
  #running: Promise<void>[] = [];
  readonly #submitting = new Set<Promise<void>>();

  /**
   * @param time Instant of the points, within the time window.
   * @param random Returns a number in [0, 1).
   */
  constructor(url: string, time: string, variable: string, random: () => number = Math.random) {
    this.#random = random;
    this.#url = url;
    this.#time = time;
    this.#variable = variable;
  }

  start(keys: readonly string[]): void {
    this.#running = keys.map((key) => this.#submitUntilStopped(key));
  }

  /** Resolves when no submission is in progress. */
  async pause(): Promise<void> {
    this.#paused = true;
    await Promise.all(this.#submitting);
  }

  resume(): void {
    this.#paused = false;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#running);
  }

  /** Number of tasks that the service lists as pending. */
  async pending(keys: readonly string[]): Promise<number> {
    let count = 0;
    for (const key of new Set(keys)) {
      const reply = await fetch(`${this.#url}/user/tasks/PENDING`, { headers: { "x-api-key": key } });
      count += ((await reply.json()) as { results: unknown[] }).results.length;
    }
    return count;
  }

  /** Reads the acknowledged tasks whose end was not seen yet. @returns Complaints, one per line. */
  inspectNew(): Promise<string[]> {
    return this.#inspect(this.acknowledged.filter((task) => !task.ended));
  }

  /** Reads every acknowledged task. One that had ended before must be identical to the byte. @returns Complaints. */
  inspectAll(): Promise<string[]> {
    return this.#inspect(this.acknowledged);
  }

  async #inspect(tasks: readonly Acknowledged[]): Promise<string[]> {
    return (await inParallel(AT_ONCE, tasks, (task) => this.#complaintsOf(task))).flat();
  }

  async #complaintsOf(task: Acknowledged): Promise<string[]> {
    const reply = await fetch(`${this.#url}/task/${task.id}`, { headers: { "x-api-key": task.key } });
    const body = Buffer.from(await reply.arrayBuffer());
    if (reply.status !== 200) return [`${task.id} is lost: ${reply.status}`];
    const complaints: string[] = [];
    const { status, error } = JSON.parse(body.toString()) as { status: string; error?: string };
    const seen = { status, hash: createHash("sha256").update(body).digest("hex") };
    if (status === "PENDING") complaints.push(`${task.id} has not ended`);
    else if (task.ended && (task.ended.status !== status || task.ended.hash !== seen.hash)) {
      complaints.push(`${task.id} changed after its end: ${task.ended.status} → ${status}`);
    } else task.ended = seen;
    if (task.cancelled && error !== "Task cancelled by user") {
      complaints.push(`${task.id} was cancelled, and is ${status}: ${error ?? ""}`);
    }
    const mayBeCancelled = task.cancelled === undefined && error === "Task cancelled by user";
    if (!task.cancelled && !mayBeCancelled && status === "FAILURE")
      complaints.push(`${task.id} failed: ${error ?? ""}`);
    return complaints;
  }

  async #submitUntilStopped(key: string): Promise<void> {
    while (!this.#stopped) {
      if (!this.#paused) {
        const submitting = this.#submit(key);
        this.#submitting.add(submitting);
        await submitting.finally(() => this.#submitting.delete(submitting));
      }
      await delay(60 + this.#random() * 200);
    }
  }

  /** Submits one task under one Idempotency-Key until it is acknowledged. */
  async #submit(key: string): Promise<void> {
    const once = randomUUID();
    const body = JSON.stringify(this.#request());
    while (!this.#stopped) {
      const reply = await this.#post("/MetOcean/async", key, body, { "idempotency-key": once });
      if (reply?.status === 202) {
        const task: Acknowledged = { id: reply.body.task_id, key, body, cancelled: false };
        this.acknowledged.push(task);
        if (this.#random() < 0.05) await this.#cancel(task);
        return;
      }
      if (reply && ![409, 429, 503].includes(reply.status)) {
        throw new Error(`A submission was answered ${reply.status}: ${JSON.stringify(reply.body)}`);
      }
      await delay(100);
    }
  }

  async #cancel(task: Acknowledged): Promise<void> {
    const reply = await this.#post(`/cancel_task/${task.id}`, task.key, "");
    task.cancelled = reply && reply.status === 200;
  }

  #request() {
    const count = this.#random() < 0.1 ? 20_000 : 1 + Math.floor(this.#random() * 200);
    const points = Array.from({ length: count }, (_, index) => ({
      latitude: 40 + (index % 64) / 16,
      longitude: -30 + (index >> 6) / 16,
      timestamp: this.#time,
    }));
    return { points, variables: [this.#variable], task_name: "chaos", receive_mail: true };
  }

  /** @returns undefined where the connection broke, so that it is unknown whether the task was accepted. */
  async #post(path: string, key: string, body: string, headers: Record<string, string> = {}) {
    try {
      const reply = await fetch(this.#url + path, {
        method: "POST",
        headers: { "x-api-key": key, "content-type": "application/json", ...headers },
        body: body || undefined,
      });
      return { status: reply.status, body: (await reply.json()) as { task_id: string } };
    } catch {
      return undefined;
    }
  }
}

import { setTimeout as delay } from "node:timers/promises";
import { SERVED_BY } from "../haproxy.ts";
import type { Failure } from "./callers.ts";

/** Pause before a stream that was not said how long to wait is opened again. */
const RETRY_MS = 1000;

/** Clients that follow tasks by server-sent events, and open a stream again whenever it ends too early. */
export class Streams {
  /** Streams that brought the end of their task. */
  ended = 0;
  open = 0;
  /** Times that a stream was opened again because the server said so, and because it broke. */
  resumed = 0;
  broken = 0;
  readonly failures: Failure[] = [];
  readonly servedBy = new Map<string, number>();
  readonly #url: string;
  readonly #running = new Set<Promise<void>>();
  readonly #stop = new AbortController();

  constructor(url: string) {
    this.#url = url;
  }

  /** Follows a task until its end. */
  follow(id: string, key: string): void {
    const following = this.#follow(id, key);
    this.#running.add(following);
    void following.finally(() => this.#running.delete(following));
  }

  get following(): number {
    return this.#running.size;
  }

  /** Breaks off those that go on. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#running);
  }

  async #follow(id: string, key: string): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const from = performance.now();
      let servedBy: string | undefined;
      let retryMs = RETRY_MS;
      let text = "";
      try {
        const reply = await fetch(`${this.#url}/task/${id}/events`, {
          headers: { "x-api-key": key },
          signal: this.#stop.signal,
        });
        servedBy = reply.headers.get(SERVED_BY) ?? undefined;
        if (reply.status !== 200) throw new Error(`${reply.status} ${(await reply.text()).slice(0, 150)}`);
        this.servedBy.set(servedBy ?? "", (this.servedBy.get(servedBy ?? "") ?? 0) + 1);
        this.open++;
        try {
          for await (const bytes of reply.body!) {
            text = (text + Buffer.from(bytes).toString()).slice(-4000);
            if (/^event: end$/m.test(text)) {
              this.ended++;
              return;
            }
          }
        } finally {
          this.open--;
        }
        const told = /^retry: (\d+)$/m.exec(text)?.[1];
        if (told === undefined) throw new Error("the stream ended without an end");
        retryMs = Number(told);
        this.resumed++;
      } catch (error) {
        if (this.#stop.signal.aborted) return;
        this.broken++;
        const { message, cause } = error as Error & { cause?: Error };
        const what = `events of ${id}: ${cause?.message ?? message}`;
        this.failures.push({ from, to: performance.now(), servedBy, what, isClear: false });
      }
      await delay(retryMs, undefined, { signal: this.#stop.signal }).catch(() => {});
    }
  }
}

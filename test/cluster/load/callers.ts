import { setTimeout as delay } from "node:timers/promises";
import { seeded } from "#test/seeded.ts";
import { SERVED_BY } from "../haproxy.ts";
import { type Answer, ask, constantPart, type KnownRequest } from "./catalogue.ts";

/** A request that was not answered with 200. Times are milliseconds of `performance.now()`. */
export interface Failure {
  from: number;
  to: number;
  /** Replica that the proxy had given it to. */
  servedBy: string | undefined;
  what: string;
  /** 503 of the service itself with Retry-After: it says that something is away. */
  isClear: boolean;
}

/** Callers that ask for what is known, one request after the other, and compare every answer. */
export class Callers {
  answered = 0;
  /** Milliseconds of each answer. */
  readonly took: number[] = [];
  readonly failures: Failure[] = [];
  /** Answers that are not those of the single machine. */
  readonly wrong: string[] = [];
  readonly servedBy = new Map<string, number>();
  readonly #url: string;
  readonly #key: string;
  readonly #known: readonly KnownRequest[];
  #stopped = false;
  #running: Promise<void>[] = [];

  constructor(url: string, key: string, known: readonly KnownRequest[]) {
    this.#url = url;
    this.#key = key;
    this.#known = known;
  }

  /** @param pauseMs Between two requests of a caller. */
  start(count: number, seed: number, pauseMs = 20): void {
    for (let caller = 0; caller < count; caller++) {
      const random = seeded(1000 * seed + caller);
      this.#running.push(
        (async () => {
          while (!this.#stopped) {
            await this.ask(this.#known[Math.floor(random() * this.#known.length)]!);
            await delay(pauseMs);
          }
        })(),
      );
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#running);
  }

  /** Asks once. @returns Whether the answer was 200. */
  async ask(request: KnownRequest, timeoutMs = 60_000): Promise<boolean> {
    const from = performance.now();
    let servedBy: string | undefined;
    const fail = (what: string, answer?: Answer) => {
      const isClear =
        answer?.status === 503 &&
        answer.headers.has("retry-after") &&
        /json/.test(answer.headers.get("content-type") ?? "");
      this.failures.push({ from, to: performance.now(), servedBy, what, isClear });
      return false;
    };
    let answer: Answer;
    try {
      answer = await ask(this.#url, this.#key, request, AbortSignal.timeout(timeoutMs), (headers) => {
        servedBy = headers.get(SERVED_BY) || undefined;
      });
    } catch (error) {
      const { message, cause } = error as Error & { cause?: Error };
      return fail(`${request.method} ${request.path}: ${cause?.message ?? message}`);
    }
    if (answer.status !== 200)
      return fail(
        `${request.method} ${request.path}: ${answer.status} ${answer.text.slice(0, 150).trim()}`,
        answer,
      );
    this.took.push(performance.now() - from);
    this.answered++;
    const name = answer.headers.get(SERVED_BY) ?? "";
    this.servedBy.set(name, (this.servedBy.get(name) ?? 0) + 1);
    if (constantPart(answer.text) !== request.expected)
      this.wrong.push(`${name} answers ${request.path} otherwise than the single machine: ${request.body}`);
    return true;
  }
}

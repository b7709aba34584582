import type { Database } from "#server/platform/db.ts";
import { nextTurn } from "#server/platform/next-turn.ts";
import { Poller } from "#server/platform/poller.ts";
import type { Listener, NotificationHandler } from "#server/platform/session.ts";
import { evaluate, type KnownWorld } from "./evaluate.ts";
import type { WatchStore } from "./store.ts";

/** Channel that is notified when a watch is due because it is new or changed. */
export const WATCH_CHANNEL = "metocean_watch";

/** Interval between checks for new publications, milliseconds. A check only compares published versions. */
const LOOK_MS = 5_000;

const SWEEP_MS = 3_600_000;

/** The two numbers of the advisory lock. They are arbitrary but the same in every process. */
const SPACE = 1_718_773_097;
const EVALUATION = 1;

export interface RoundsDeps {
  store: WatchStore;
  lead: Database["lead"];
  /** Reads what is published. */
  look(): Promise<KnownWorld>;
  listen?(channel: string, handler: NotificationHandler): Listener;
  log: { warn(fields: object, message: string): void };
}

/**
 * Evaluates watches once for each run or bulletin. One process at a time evaluates all watches that were not evaluated
 * since the last publication; publications from a time without a running process are found by the same comparison. A
 * killed process has stored all or nothing of a watch, and its advisory lock ends with its session, so another process
 * continues.
 */
export class WatchRounds {
  readonly #deps: RoundsDeps;
  readonly #closing = new AbortController();
  readonly #evaluating: Poller;
  readonly #sweeping: Poller;
  #listener: Listener | undefined;

  constructor(deps: RoundsDeps) {
    this.#deps = deps;
    const onError = (message: string) => (err: unknown) => {
      if (!this.#closing.signal.aborted) deps.log.warn({ err }, message);
    };
    this.#evaluating = new Poller({
      everyMs: LOOK_MS,
      work: () => this.#round(),
      onError: onError("watches cannot be evaluated"),
    });
    this.#sweeping = new Poller({
      everyMs: SWEEP_MS,
      work: () => deps.store.sweep(),
      onError: onError("old alerts were not removed"),
    });
  }

  start(): void {
    const poll = () => void this.poll();
    const { store, log } = this.#deps;
    void store
      .lookAtTides()
      .then(poll, (err) => log.warn({ err }, "watches of the tide wait for their time"));
    this.#evaluating.start();
    this.#sweeping.start();
    this.#listener = this.#deps.listen?.(WATCH_CHANNEL, { notified: poll, connected: poll });
  }

  /** Evaluates watches that are due. It never rejects: a later poll retries a failed one. */
  poll(): Promise<void> {
    return this.#evaluating.poll();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#listener?.close();
    await Promise.all([this.#evaluating.close(), this.#sweeping.close()]);
  }

  async #round(): Promise<void> {
    const { store, lead, look, log } = this.#deps;
    const world = await look();
    let due = await store.due(world.text);
    const turn = due.length > 0 && (await lead(SPACE, EVALUATION));
    if (!turn) return;
    const signal = AbortSignal.any([this.#closing.signal, turn.lost]);
    try {
      for (; due.length > 0; due = await store.due(world.text)) {
        for (const watch of due) {
          if (signal.aborted) return;
          await nextTurn();
          try {
            const evaluated = await evaluate(watch, world, signal);
            if (evaluated) await store.conclude(watch, evaluated);
            else await store.skip(watch, world.text);
          } catch (err) {
            if (signal.aborted) return;
            log.warn({ err, watch: watch.id }, "a watch could not be evaluated");
            await store.fail(watch, "It could not be evaluated; it will be tried again.");
          }
        }
      }
    } finally {
      await turn.close();
    }
  }
}

/** A run of some work, and how many wait for it. */
interface SharedRun<Result> {
  done: Promise<Result>;
  stop: AbortController;
  callers: number;
}

/**
 * Runs work once for all who ask for it at the same time. Work that nobody waits for any more is stopped.
 */
export class SharedRuns<Result> {
  readonly #running = new Map<string, SharedRun<Result>>();

  /**
   * Waits for the work of a key, which starts unless it is running.
   *
   * @param start Starts the work, which ends when the controller aborts.
   * @param signal Ends the waiting of this caller.
   * @throws What the work throws; the signal's reason.
   */
  async run(
    key: string,
    start: (stop: AbortController) => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result> {
    signal.throwIfAborted();
    const running = this.#running.get(key) ?? this.#start(key, start);
    running.callers++;
    const left = Promise.withResolvers<never>();
    const leave = () => left.reject(signal.reason);
    signal.addEventListener("abort", leave, { once: true });
    try {
      return await Promise.race([running.done, left.promise]);
    } finally {
      signal.removeEventListener("abort", leave);
      running.callers--;
      if (running.callers === 0) {
        running.stop.abort(new Error("Nobody waits for the work"));
        this.#forget(key, running);
      }
    }
  }

  #start(key: string, start: (stop: AbortController) => Promise<Result>): SharedRun<Result> {
    const stop = new AbortController();
    const running = { done: start(stop), stop, callers: 0 };
    this.#running.set(key, running);
    running.done
      .catch(() => undefined) // Those who wait receive it.
      .finally(() => this.#forget(key, running));
    return running;
  }

  #forget(key: string, running: SharedRun<Result>): void {
    if (this.#running.get(key) === running) this.#running.delete(key);
  }
}

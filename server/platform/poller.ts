export interface PollerOptions {
  everyMs: number;
  work(): Promise<void>;
  onError(error: unknown): void;
}

/**
 * Runs `work` at an interval and on request, never twice at the same time. A request during a run causes another run,
 * because the current one may have missed a row written meanwhile.
 */
export class Poller {
  readonly #options: PollerOptions;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isAsked = false;
  #isClosed = false;

  constructor(options: PollerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer = setInterval(() => void this.poll(), this.#options.everyMs);
    void this.poll();
  }

  /** Resolves when the work has ended. Never rejects: failures go to `onError` and the next run tries again. */
  poll(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    this.#isAsked = true;
    this.#running ??= this.#run();
    return this.#running;
  }

  get running(): Promise<void> | undefined {
    return this.#running;
  }

  /** Stops the interval. Resolves when the run in progress has ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#isAsked && !this.#isClosed) {
      this.#isAsked = false;
      await this.#options.work().catch(this.#options.onError);
    }
    this.#running = undefined;
  }
}

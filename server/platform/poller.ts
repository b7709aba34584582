export interface PollerOptions {
  everyMs: number;
  work(): Promise<void>;
  onError(error: unknown): void;
}

/**
 * Does work every so often, and when it is asked for, one time after the other. Asked for meanwhile, it is done once more: a
 * row that was written during the work may have been overlooked.
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

  /** Begins at once. */
  start(): void {
    this.#timer = setInterval(() => void this.poll(), this.#options.everyMs);
    void this.poll();
  }

  /** Resolves when the work is done. Never rejects: what fails is tried again the next time. */
  poll(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    this.#isAsked = true;
    this.#running ??= this.#run();
    return this.#running;
  }

  /** The work that is being done. */
  get running(): Promise<void> | undefined {
    return this.#running;
  }

  /** Resolves when the work is done for the last time. */
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

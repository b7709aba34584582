/** Priority of a request; may be raised while it is queued. */
export interface Priority {
  urgent: boolean;
}

interface QueuedRequest {
  priority: Priority;
  start(): void;
}

/** Limits the number of concurrent requests and starts urgent ones first. */
export class FetchQueue {
  private readonly maxRunning: number;
  private readonly maxPrefetches: number;
  private readonly queued = new Set<QueuedRequest>();
  private running = 0;
  private prefetches = 0;

  /**
   * @param maxRunning Most concurrent requests.
   * @param maxPrefetches Most of them that were not urgent when they started.
   */
  constructor(maxRunning: number, maxPrefetches: number) {
    this.maxRunning = maxRunning;
    this.maxPrefetches = maxPrefetches;
  }

  /**
   * Queues a request. @returns Its result; rejects with the signal's reason if it aborts before the start.
   */
  run<T>(send: () => Promise<T>, priority: Priority, signal: AbortSignal): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const request: QueuedRequest = {
        priority,
        start: () => {
          signal.removeEventListener("abort", leave);
          const prefetch = priority.urgent ? 0 : 1;
          this.running++;
          this.prefetches += prefetch;
          const done = () => {
            this.running--;
            this.prefetches -= prefetch;
            this.startNext();
          };
          send().finally(done).then(resolve, reject);
        },
      };
      const leave = () => {
        this.queued.delete(request);
        reject(signal.reason);
      };
      if (signal.aborted) return reject(signal.reason);
      signal.addEventListener("abort", leave, { once: true });
      this.queued.add(request);
      this.startNext();
    });
  }

  /** Starts as many requests as the limits allow. It must be called after raising a priority. */
  startNext(): void {
    for (const urgent of [true, false]) {
      for (const request of this.queued) {
        if (request.priority.urgent !== urgent) continue;
        if (this.running >= this.maxRunning || (!urgent && this.prefetches >= this.maxPrefetches)) break;
        this.queued.delete(request);
        request.start();
      }
    }
  }
}

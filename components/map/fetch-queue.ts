/** How urgent a piece of work is; may be raised while it waits. */
export interface Rank {
  urgent: boolean;
}

interface Waiting {
  rank: Rank;
  start(): void;
}

/** Bounds how many requests are under way, and lets those that somebody waits for go first. */
export class FetchQueue {
  private readonly most: number;
  private readonly mostAhead: number;
  private readonly waiting = new Set<Waiting>();
  private running = 0;
  private runningAhead = 0;

  /**
   * @param most Requests at once.
   * @param mostAhead Of which at most so many began when nobody waited for them.
   */
  constructor(most: number, mostAhead: number) {
    this.most = most;
    this.mostAhead = mostAhead;
  }

  /** Does some work when its turn comes; rejects with the signal's reason where that comes first. */
  run<T>(work: () => Promise<T>, rank: Rank, signal: AbortSignal): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const waiting: Waiting = {
        rank,
        start: () => {
          signal.removeEventListener("abort", leave);
          const ahead = rank.urgent ? 0 : 1;
          this.running++;
          this.runningAhead += ahead;
          const done = () => {
            this.running--;
            this.runningAhead -= ahead;
            this.pump();
          };
          work().finally(done).then(resolve, reject);
        },
      };
      const leave = () => {
        this.waiting.delete(waiting);
        reject(signal.reason);
      };
      if (signal.aborted) return reject(signal.reason);
      signal.addEventListener("abort", leave, { once: true });
      this.waiting.add(waiting);
      this.pump();
    });
  }

  /** Starts what may start; to be called when a rank was raised. */
  pump(): void {
    for (const urgent of [true, false]) {
      for (const waiting of this.waiting) {
        if (waiting.rank.urgent !== urgent) continue;
        if (this.running >= this.most || (!urgent && this.runningAhead >= this.mostAhead)) break;
        this.waiting.delete(waiting);
        waiting.start();
      }
    }
  }
}

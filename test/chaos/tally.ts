type Kind = "server" | "worker" | "ingest";

/** What was killed, and how soon servers answered again. */
export class Tally {
  complaints = 0;
  readonly #kills = new Map<Kind, { busy: number; idle: number }>();
  readonly #ready: number[] = [];

  /** @param readyS Seconds until the service answered again; undefined where it had never ceased to. */
  killed(kind: Kind, isIdle: boolean, readyS?: number): void {
    const kills = this.#kills.get(kind) ?? { busy: 0, idle: 0 };
    kills[isIdle ? "idle" : "busy"]++;
    this.#kills.set(kind, kills);
    if (readyS !== undefined) this.#ready.push(readyS);
  }

  summary(): string {
    let total = 0;
    const kinds = [...this.#kills].map(([kind, { busy, idle }]) => {
      total += busy + idle;
      return `${kind} ${busy + idle} (${idle} idle)`;
    });
    const ready = this.#ready.toSorted((a, b) => a - b);
    const at = (share: number) => (ready[Math.floor(share * (ready.length - 1))] ?? Number.NaN).toFixed(1);
    return (
      `in all: ${total} kills: ${kinds.join(", ")}; a server answered again after ${at(0.5)} s (median), ` +
      `${at(0.95)} s (95 of 100), ${at(1)} s (slowest); ${this.complaints} complaints`
    );
  }
}

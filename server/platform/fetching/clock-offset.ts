/** An error of this machine's clock that is told, seconds: texts and cycles are judged by it, to the hour. */
const TOLD_S = 300;

/** Hosts that must agree: one alone may be wrong itself. */
const MIN_HOSTS = 2;

/** How far this machine's clock is off, by the `Date` headers of the last answer of each host. */
export class ClockOffset {
  readonly #byHost = new Map<string, number>();
  #isTold = false;

  /**
   * @param date The header.
   * @param now This machine's clock, Unix seconds.
   * @returns What is wrong with the clock, in words for the operator, when that begins; undefined otherwise.
   */
  observe(host: string, date: string | undefined, now: number): string | undefined {
    const time = Date.parse(date ?? "") / 1000;
    if (Number.isNaN(time)) return undefined;
    this.#byHost.set(host, now - time);
    const offsets = [...this.#byHost.values()].sort((a, b) => a - b);
    const median = offsets[Math.floor((offsets.length - 1) / 2)]!;
    const agreeing = offsets.filter((offset) => Math.abs(offset - median) <= TOLD_S).length;
    const isWrong = Math.abs(median) > TOLD_S && agreeing >= MIN_HOSTS;
    if (!isWrong || this.#isTold) {
      this.#isTold = isWrong;
      return undefined;
    }
    this.#isTold = true;
    const minutes = Math.round(Math.abs(median) / 60);
    return `the clock of this machine is ${minutes} min ${median < 0 ? "slow" : "fast"}, by ${agreeing} hosts: set it, as forecasts and storms are judged by it`;
  }
}

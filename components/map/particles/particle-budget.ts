/** Frame times that one judgement is made of. */
const FRAMES = 60;
/** The slowest but 5 % may take this long, milliseconds. */
const SLOWEST = 20;
/** Fewer particles say nothing. */
const FEWEST = 250;

/**
 * Fewer particles where they cost frames: halves their number whenever the 95th percentile of the last second's frame
 * times is over 20 ms. It never rises again by itself, so that the map does not flicker between two numbers.
 */
export class ParticleBudget {
  private readonly times: number[] = [];
  count: number;

  /** @param count Particles to begin with. */
  constructor(count: number) {
    this.count = count;
  }

  /** Forgets what was measured: after a pause, or when the map was moved. */
  reset(): void {
    this.times.length = 0;
  }

  /**
   * Tells of a frame.
   *
   * @param milliseconds Since the frame before.
   * @returns Particles to draw from now on.
   */
  frame(milliseconds: number): number {
    this.times.push(milliseconds);
    if (this.times.length >= FRAMES) {
      const slow = this.times.sort((a, b) => a - b)[Math.floor(0.95 * FRAMES)] ?? 0;
      if (slow > SLOWEST) this.count = Math.min(this.count, Math.max(FEWEST, this.count >> 1));
      this.reset();
    }
    return this.count;
  }
}

/** Frame times per measurement. */
const FRAMES = 60;
/** Limit of the 95th percentile, milliseconds. */
const MAX_FRAME_MS = 20;
const MIN_PARTICLES = 250;

/**
 * Number of particles that the device can draw: halves whenever the 95th percentile of 60 frame times exceeds 20 ms. It
 * never rises, so that the map does not alternate between two numbers.
 */
export class ParticleBudget {
  private readonly times: number[] = [];
  count: number;

  /** @param count Initial number of particles. */
  constructor(count: number) {
    this.count = count;
  }

  /** Discards the measured times: after a pause, or when the map was moved. */
  reset(): void {
    this.times.length = 0;
  }

  /**
   * Records a frame.
   *
   * @param milliseconds Since the previous frame.
   * @returns Particles to draw from now on.
   */
  frame(milliseconds: number): number {
    this.times.push(milliseconds);
    if (this.times.length >= FRAMES) {
      const slow = this.times.sort((a, b) => a - b)[Math.floor(0.95 * FRAMES)] ?? 0;
      if (slow > MAX_FRAME_MS) this.count = Math.min(this.count, Math.max(MIN_PARTICLES, this.count >> 1));
      this.reset();
    }
    return this.count;
  }
}

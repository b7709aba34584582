/**
 * Loaded before anything else by `--import`: shifts the clock of the process and its threads by CLOCK_SHIFT_S seconds.
 * Durations stay correct, as on a machine whose clock is wrong.
 */
const shiftMs = 1000 * Number(process.env.CLOCK_SHIFT_S ?? 0);
const RealDate = Date;
const realNow = Date.now.bind(Date);

class ShiftedDate extends RealDate {
  constructor(...given: unknown[]) {
    if (given.length === 0) super(realNow() + shiftMs);
    else super(...(given as [number]));
  }

  static override now(): number {
    return realNow() + shiftMs;
  }

  // These are own properties, because Next.js copies only own properties when it replaces Date in turn.
  static override parse = RealDate.parse;
  static override UTC = RealDate.UTC;
}

globalThis.Date = ShiftedDate as DateConstructor;

export {};

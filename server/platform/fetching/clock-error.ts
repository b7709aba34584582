import { join } from "node:path";
import { z } from "zod";
import { DAY_S, HOUR_S } from "#lib/time.ts";
import type { Clock } from "#server/platform/clock.ts";
import { readJson, writeJson } from "#server/platform/files.ts";

/** A smaller difference is ignored, seconds, because the age of texts and cycles matters to the hour. */
const MIN_ERROR_S = 300;

/** Number of hosts that must agree, because the clock of a single host may itself be wrong. */
const MIN_HOSTS = 2;

/** The Date of a host is dropped after this time, seconds. */
const MAX_AGE_S = DAY_S;

/** A reading is written again after this time, and trusted for twice as long, seconds. */
const REPORT_EVERY_S = HOUR_S;

const readingSchema = z.object({
  /** How far the clock of this machine is ahead, seconds; negative where it is behind; 0 within five minutes. */
  errorS: z.number(),
  /** Number of hosts that agree on the error. */
  hosts: z.number(),
  /** Time of the reading by this machine's clock, Unix seconds. */
  at: z.number(),
});

export type ClockReading = z.infer<typeof readingSchema>;

/** Measures how far this machine's clock is off, by the `Date` header of each host's last answer. */
export class ClockError {
  readonly #byHost = new Map<string, { error: number; at: number }>();
  readonly #report: (reading: ClockReading) => void;
  #last: ClockReading | undefined;

  /** @param report Called with the first reading, with each one that differs by minutes, and once an hour. */
  constructor(report: (reading: ClockReading) => void = () => {}) {
    this.#report = report;
  }

  /** Seconds by which the clock is ahead, negative where it is slow; 0 while hosts do not agree on an error. */
  get seconds(): number {
    return this.#last?.errorS ?? 0;
  }

  /**
   * @param date The Date header.
   * @param now This machine's clock, Unix seconds.
   */
  observe(host: string, date: string | undefined, now: number): void {
    const time = Date.parse(date ?? "") / 1000;
    if (Number.isNaN(time)) return;
    const before = this.#byHost.get(host);
    // This machine's clock was set meanwhile, so the readings of other hosts are outdated.
    if (before && Math.abs(now - time - before.error) > MIN_ERROR_S) this.#byHost.clear();
    this.#byHost.set(host, { error: now - time, at: now });
    for (const [other, { at }] of this.#byHost)
      if (Math.abs(now - at) > MAX_AGE_S) this.#byHost.delete(other);
    const errors = [...this.#byHost.values()].map(({ error }) => error).sort((a, b) => a - b);
    const median = errors[Math.floor((errors.length - 1) / 2)]!;
    const hosts = errors.filter((error) => Math.abs(error - median) <= MIN_ERROR_S).length;
    const last = this.#last;
    const isAgreed = hosts >= MIN_HOSTS;
    if (!isAgreed && !last?.errorS) return;
    const errorS = isAgreed && Math.abs(median) > MIN_ERROR_S ? Math.round(median) : 0;
    if (last && Math.abs(errorS - last.errorS) < 60 && Math.abs(now - last.at) < REPORT_EVERY_S) return;
    this.#last = { errorS, hosts, at: now };
    this.#report(this.#last);
  }
}

/** Returns a clock from which the observed error is subtracted. */
export function correctedClock(clock: Clock, error: Pick<ClockError, "seconds">): Clock {
  return { now: () => clock.now() - error.seconds };
}

const fileOf = (folder: string) => join(folder, "clock.json");

/** Stores a reading for the other processes of this machine. @param folder DATA_DIR/feeds. */
export function writeClockReading(folder: string, reading: ClockReading): Promise<void> {
  return writeJson(fileOf(folder), reading);
}

/** The last reading; undefined where it is too old or absent. @param now This machine's clock, Unix seconds. */
export async function readClockReading(folder: string, now: number): Promise<ClockReading | undefined> {
  const reading = await readJson(fileOf(folder), readingSchema, undefined);
  return reading && Math.abs(now - reading.at) < 2 * REPORT_EVERY_S ? reading : undefined;
}

/** Describes the clock error for the operator; undefined where there is none. */
export function describeClockError(reading: ClockReading | undefined): string | undefined {
  if (!reading || reading.errorS === 0) return undefined;
  const minutes = Math.round(Math.abs(reading.errorS) / 60);
  return `the clock of this machine is ${minutes} min ${reading.errorS < 0 ? "slow" : "fast"}, by ${reading.hosts} hosts: set it, as forecasts and storms are judged by it`;
}

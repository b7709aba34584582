import { HOUR_S } from "#lib/time.ts";
import type { Chance } from "./chance.ts";
import type { Season } from "./season.ts";

/** What goes wrong between agency and reader, from one poll until before another one. */
export type Fault = { from: number; until: number } & (
  | { kind: "freeze" | "empty" | "absent" | "repeat" | "restart" }
  | { kind: "missing" | "stuck"; source: string }
  /** A text ends after a part of its bytes, 0..1, or `-n` bytes before its end. */
  | { kind: "cut"; source: string; at: number }
  /** A text appears as it was some versions ago. */
  | { kind: "older"; source: string; versions: number }
  /** The clock is wrong by so much. */
  | { kind: "clock"; seconds: number }
  /** The mirror is read a second time, when the clock was set back. */
  | { kind: "step"; seconds: number }
);

/** Hourly polls of a season, and what goes wrong at them. */
export interface Schedule {
  /** Of the first poll, Unix seconds. */
  start: number;
  polls: number;
  faults: Fault[];
}

export interface Length {
  /** Longest part of a season, polls. */
  longest: number;
  /** Whether one schedule in ten is a whole season. */
  wholeSeasons: boolean;
}

const POLL_S = HOUR_S;

export function pollTime({ start }: Schedule, poll: number): number {
  return start + poll * POLL_S;
}

/** A random part of a season, or all of it, with random faults. */
export function randomSchedule(
  chance: Chance,
  { publications }: Season,
  { longest, wholeSeasons }: Length,
): Schedule {
  const begin = publications[0]!.at;
  const end = publications.at(-1)!.at + 36 * HOUR_S;
  const all = Math.ceil((end - begin) / POLL_S);
  const polls = Math.min(all, chance.is(0.1) && wholeSeasons ? all : chance.between(12, longest));
  const offset = chance.between(0, all - polls);
  const start = begin + offset * POLL_S + chance.between(0, 59) * 60;
  const schedule: Schedule = { start, polls, faults: [] };
  const during = publications.filter(({ at }) => at > start - POLL_S && at < start + (polls - 1) * POLL_S);
  const count = chance.of([0, 1, 2, 4, 8, 12]);
  for (let made = 0; made < count; made++) {
    const fault = randomFault(chance, schedule, during);
    if (fault) schedule.faults.push(fault);
  }
  return schedule;
}

function randomFault(chance: Chance, schedule: Schedule, during: Season["publications"]): Fault | undefined {
  const kind = chance.of([
    ...(["cut", "cut", "cut", "cut", "older", "older", "missing", "missing", "stuck", "stuck"] as const),
    ...(["freeze", "freeze", "empty", "absent", "clock", "step", "repeat", "restart"] as const),
  ]);
  if (kind === "cut" || kind === "older" || kind === "missing" || kind === "stuck") {
    if (during.length === 0) return undefined;
    const by =
      kind === "stuck" ? chance.of([...Map.groupBy(during, ({ source }) => source).values()]) : during;
    const { at, source } = chance.of(by);
    const from = Math.max(0, Math.ceil((at - schedule.start) / POLL_S));
    if (kind === "cut") {
      const where = chance.is(0.5) ? chance.between(0, 1000) / 1000 : -chance.between(1, 60);
      return { kind, source, from, until: from + chance.of([1, 1, 1, 3]), at: where };
    }
    if (kind === "older")
      return { kind, source, from, until: from + chance.between(1, 4), versions: chance.between(1, 4) };
    if (kind === "stuck") {
      const start = chance.is(0.4) ? 0 : from;
      return { kind, source, from: start, until: start + chance.of([6, 30, 72, 10_000]) };
    }
    return { kind, source, from, until: from + chance.of([1, 2, 6, 30]) };
  }
  const from = chance.between(0, schedule.polls - 1);
  if (kind === "clock")
    return {
      kind,
      from,
      until: from + chance.of([1, 5, 10_000]),
      seconds: chance.of([-600, -300, 300, 600]),
    };
  if (kind === "step") return { kind, from, until: from + 1, seconds: chance.of([-600, -60, -1]) };
  if (kind === "repeat" || kind === "restart") return { kind, from, until: from + 1 };
  return { kind, from, until: from + chance.of([1, 3, 8, 20, 40, 72]) };
}

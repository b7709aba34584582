import type { Place } from "@open-metocean/geo/sphere";
import type { WatchQuestion } from "#lib/contract/watch.ts";
import { HOUR_S } from "#lib/time.ts";
import type { Edition } from "./edition.ts";
import type { Deciding, Judged, Span } from "./judge.ts";
import { TIDE_M } from "./quantities.ts";

export type TideQuestion = Extract<WatchQuestion, { kind: "tide" }>;

/** A time during which the tide is beyond a limit, Unix seconds, within the searched span. */
export interface TideSpell extends Span {
  /**
   * Time at which the tide is farthest beyond the limit (from now on if the spell is under way), and its
   * height then, metres above the datum.
   */
  peak: number;
  value: number;
  /**
   * It began before `from`, where the search began; `hasNoEnd`: it lasts beyond `to`, where the search ended.
   */
  hasNoBegin?: boolean;
  hasNoEnd?: boolean;
}

/** A station's prediction relative to a limit. */
export interface TideBeyond {
  station: string;
  at: Place;
  datum: string;
  attribution: string;
  /** Spells from two days before now to a day after the horizon. */
  spells: readonly TideSpell[];
  /** The height between now and the horizon that is nearest to the limit, or farthest beyond it. */
  nearest: { time: number; value: number };
}

/** The spell that a watch is about: the one under way, or the first that begins within its hours. */
function spellOf({ window_hours }: TideQuestion, { spells }: TideBeyond, now: number) {
  return spells.find(({ from, to }) => to > now && from <= now + window_hours * HOUR_S);
}

/** If the beginning of a spell is unknown, only its presence now is known. */
const beginOf = ({ from, hasNoBegin }: TideSpell, now: number) => (hasNoBegin ? now : from);

export function judgeTide(question: TideQuestion, reading: TideBeyond, now: number): Judged {
  const spell = spellOf(question, reading, now);
  const horizon = now + question.window_hours * HOUR_S;
  const { over, under } = question.conditions[0]!;
  const { nearest, at } = reading;
  const { to, peak, value } = spell ?? { to: nearest.time, peak: nearest.time, value: nearest.value };
  const deciding: Deciding = {
    quantity: TIDE_M,
    isOver: over !== undefined,
    limit: over ?? under!,
    value,
    from: spell ? beginOf(spell, now) : nearest.time,
    until: to,
    isCut: spell?.hasNoEnd ?? false,
    peak,
    at,
    storm: undefined,
  };
  const windows = reading.spells.filter((one) => one.to > now && one.from <= horizon);
  return {
    state: spell ? "true" : "false",
    deciding,
    windows: windows.map((one) => ({ from: beginOf(one, now), to: one.to })),
    knownShare: 1,
  };
}

/**
 * The state of a tide watch's messages (see `Evaluated.edition`): the end of the last reported spell, or that
 * its station is gone.
 *
 * @param reading undefined if the station is gone.
 * @returns `isNew` is true for something that was not reported yet.
 */
export function tideEdition(
  question: TideQuestion,
  reading: TideBeyond | undefined,
  before: Edition,
  now: number,
): { edition: Edition; isNew: boolean } {
  const { tide, gone } = before;
  if (!reading)
    return { edition: { ...before, gone: gone ?? { at: now, of: "" } }, isNew: gone === undefined };
  const spell = spellOf(question, reading, now);
  if (!spell) return { edition: tide ? { tide } : {}, isNew: false };
  return { edition: { tide: { at: spell.to, of: "" } }, isNew: !tide || spell.from > tide.at };
}

/**
 * The longest time between two evaluations of a tide watch, seconds. A clock that was temporarily ahead
 * during an evaluation delays the next alert by no more than this.
 */
export const MAX_PAUSE_S = 600;

/**
 * When a tide watch should be evaluated again. Predictions change with the clock only, not with new runs.
 *
 * @returns Seconds from now, between a minute and `MAX_PAUSE_S`.
 */
export function tidePause(question: TideQuestion, reading: TideBeyond | undefined, now: number): number {
  const spell = reading && spellOf(question, reading, now);
  const next = reading?.spells.find(({ from }) => from > now + question.window_hours * HOUR_S);
  const at = spell?.to ?? (next && next.from - question.window_hours * HOUR_S);
  return Math.max(60, Math.min(MAX_PAUSE_S, (at ?? Number.POSITIVE_INFINITY) - now + 1));
}

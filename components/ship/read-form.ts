import type { Zone } from "#components/view-state/civil.ts";
import { fromClock, toClock } from "#components/view-state/format-time.ts";
import { MAX_SPEED } from "#components/view-state/ship-store.ts";
import { readTypedDecimal } from "#lib/decimal.ts";
import type { Fix } from "#lib/geo/dead-reckoning.ts";
import { readPosition } from "#lib/positions/read-position.ts";

/** What is typed. */
export interface ShipForm {
  position: string;
  course: string;
  speed: string;
  /** As an input of the type datetime-local has it, in the chosen clock. */
  time: string;
}

/** Why a field is refused, in the words of the zone; absent for a field that is right. */
export type ShipErrors = Partial<Record<keyof ShipForm, string>>;

/**
 * The ship of a form, or what is wrong with each field. An empty speed is that of a ship at anchor, which needs no course.
 *
 * @param languages Of the reader: see `readPosition`.
 */
export function readForm(
  form: ShipForm,
  zone: Zone,
  languages: readonly string[] = [],
): { fix: Fix } | { errors: ShipErrors } {
  const reading = readPosition(form.position, languages);
  const place = reading.kind === "place" ? reading.place : undefined;
  const speed = form.speed.trim() === "" ? 0 : numberOf(form.speed);
  const course = form.course.trim() === "" && speed === 0 ? 0 : numberOf(form.course);
  const time = fromClock(form.time, zone);
  const errors: ShipErrors = {};
  const words = zone.words.ship.form.errors;
  if (reading.kind === "unclear") errors.position = words.unclear;
  else if (!place) errors.position = words.position;
  if (!(course >= 0 && course <= 360)) errors.course = words.course;
  if (!(speed >= 0 && speed <= MAX_SPEED)) errors.speed = words.speed({ most: MAX_SPEED });
  if (form.time === "") errors.time = words.noTime;
  else if (Number.isNaN(time)) errors.time = words.time;
  if (!place || Object.keys(errors).length > 0) return { errors };
  return { fix: { ...place, course, speed, time } };
}

/**
 * Without a time the position is of now, also where the form was open for a while.
 *
 * @param now Weather clock of the service, Unix seconds; 0: it is not known yet, and the time has to be entered.
 */
export function timed(form: ShipForm, now: number, zone: Zone): ShipForm {
  return form.time || now === 0 ? form : { ...form, time: toClock(now, zone) };
}

/** `045°` and `6,5` too. */
function numberOf(text: string): number {
  return readTypedDecimal(text.trim().replace(/°$/, ""));
}

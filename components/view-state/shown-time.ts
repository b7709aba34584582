import { formatInstant, parseInstant } from "#lib/time.ts";

/** A time of the map: an instant (Unix seconds), or an offset from now in seconds, for bookmarks. */
export type ShownTime = number | { afterNow: number };

/** `2025-09-15T06:00:00Z`, `2025-09-15T06:00Z`, `now`, `now+6h`, `now-3h`; null for any other text. */
export function parseShownTime(text: string): ShownTime | null {
  // A plus sign in a hand-typed link arrives as a space.
  const relative = /^now(?:([-+ ])(\d{1,5})h)?$/.exec(text);
  if (relative) return { afterNow: (relative[1] === "-" ? -3600 : 3600) * Number(relative[2] ?? 0) };
  const seconds = parseInstant(text.length === 17 ? text.replace(/Z$/, ":00Z") : text);
  return Number.isNaN(seconds) ? null : seconds;
}

/** Inverse of `parseShownTime`. */
export function writeShownTime(time: ShownTime): string {
  if (typeof time === "number") return formatInstant(time);
  const hours = Math.round(time.afterNow / 3600);
  return hours === 0 ? "now" : `now${hours < 0 ? "-" : "+"}${Math.abs(hours)}h`;
}

/** @param now Weather clock of the service. @returns Unix seconds. */
export function resolveShownTime(time: ShownTime, now: number): number {
  return typeof time === "number" ? time : now + time.afterNow;
}

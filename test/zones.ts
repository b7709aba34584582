import { utc as plain, type Zone } from "#components/view-state/civil.ts";
import { en } from "./all-words.ts";

/** UTC, with all words. */
export const utc = { ...plain, words: en };

/**
 * The clock of a region by Node's own time zone data, whatever zone the tests run in. @param name IANA name, such as
 * `Europe/Berlin`.
 */
export function regionalZone(name: string): Zone {
  const parts = new Intl.DateTimeFormat("en", {
    timeZone: name,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  const offset = (time: number) => {
    const at = Object.fromEntries(
      parts.formatToParts(time * 1000).map(({ type, value }) => [type, Number(value)] as const),
    );
    return Date.UTC(at.year!, at.month! - 1, at.day, at.hour, at.minute, at.second) / 1000 - time;
  };
  return { words: en, offset, label: (time) => `UTC${offset(time) / 3600}` };
}

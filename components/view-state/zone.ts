import { normaliseLongitude } from "#lib/field/grid.ts";
import { en, type Words } from "#lib/words/en.ts";
import type { LatePart, WordsWith } from "#lib/words/late.ts";

/** Clocks to write times in: UTC, the one of the device, the nautical zone of the ship's longitude. */
export const zones = ["utc", "local", "ship"] as const;

export type ZoneName = (typeof zones)[number];

/** A clock that times are written in, and in which words: those of late parts (lib/words/late.ts) where the reader needs them. */
export interface Zone<P extends LatePart = never> {
  words: WordsWith<P>;
  /** Seconds ahead of UTC. @param time Unix seconds. */
  offset(time: number): number;
  /** `UTC`, `UTC+2`, `UTC−3:30`. */
  label(time: number): string;
}

const noOffset = () => 0;
const utcLabel = () => "UTC";

export const utc: Zone = { words: en, offset: noOffset, label: utcLabel };

/**
 * The clock with a name.
 *
 * @param longitude Of the ship, degrees east: zones at sea are 15° wide, the first is centred on Greenwich.
 */
export function zoneOf<W extends Words>(name: ZoneName, longitude: number, words: W): Zone & { words: W } {
  // Not from `utc`, whose English words would come with it into the script of the first number.
  if (name === "utc") return { words, offset: noOffset, label: utcLabel };
  const nautical = Math.round(normaliseLongitude(longitude) / 15) * 3600;
  const offset = (time: number) =>
    name === "ship" ? nautical : -60 * new Date(time * 1000).getTimezoneOffset();
  return { words, offset, label: (time) => offsetText(offset(time)) };
}

function offsetText(seconds: number): string {
  if (seconds === 0) return "UTC";
  const minutes = Math.abs(seconds) / 60;
  const rest = minutes % 60 ? `:${String(minutes % 60).padStart(2, "0")}` : "";
  return `UTC${seconds < 0 ? "−" : "+"}${Math.floor(minutes / 60)}${rest}`;
}

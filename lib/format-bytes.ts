import { en } from "./messages/generated/en.ts";
import { formatUngrouped, inUnit } from "./messages/number.ts";
import type { Words } from "./messages/words.ts";

const units = [
  [1e12, "TB"],
  [1e9, "GB"],
  [1e6, "MB"],
] as const;

/**
 * Formats a size in decimal units, as network and disk sizes are usually given: `340 kB`, `2.1 MB`. Sizes
 * below 1 kB are shown as 1 kB.
 */
export function formatBytes(bytes: number, words: Words = en): string {
  for (const [size, unit] of units) {
    if (bytes >= size)
      return inUnit(formatUngrouped(bytes / size, 1, words.language), words.catalog.bytes[unit], words);
  }
  const kilobytes = bytes === 0 ? 0 : Math.max(1, Math.round(bytes / 1000));
  return inUnit(formatUngrouped(kilobytes, 0, words.language), words.catalog.bytes.kB, words);
}

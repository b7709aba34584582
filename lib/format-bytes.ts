import { en, type Words } from "./words/en.ts";
import { formatUngrouped } from "./words/number.ts";

const units = [
  [1e12, "TB"],
  [1e9, "GB"],
  [1e6, "MB"],
] as const;

/** `340 kB`, `2.1 MB`, in decimal units, as network and disk are sold; a few bytes are 1 kB. */
export function formatBytes(bytes: number, { catalog, language }: Words = en): string {
  for (const [size, unit] of units) {
    if (bytes >= size) return catalog.inUnit(formatUngrouped(bytes / size, 1, language), catalog.bytes[unit]);
  }
  const kilobytes = bytes === 0 ? 0 : Math.max(1, Math.round(bytes / 1000));
  return catalog.inUnit(formatUngrouped(kilobytes, 0, language), catalog.bytes.kB);
}

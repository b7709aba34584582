import type { FieldManifest } from "#lib/contract/field-manifest.ts";
import { parseInstant } from "#lib/time.ts";

/** A manifest, and how long ago the device saved it, seconds: 0 for one that the service has just sent. */
export type ReadManifest = FieldManifest & { secondsSaved: number };

/** What is known of the reading of a manifest: when it last succeeded and failed, ms since 1970; 0: never. */
interface Reading {
  data: ReadManifest | undefined;
  isPlaceholderData: boolean;
  dataUpdatedAt: number;
  errorUpdatedAt: number;
}

/**
 * Weather clock, Unix seconds; undefined until it is known. It goes on where the service cannot be reached: what is saved
 * or left from before has the time of then, and a ship and its storms do not wait.
 */
export function manifestClock({
  data,
  isPlaceholderData,
  dataUpdatedAt,
  errorUpdatedAt,
}: Reading): number | undefined {
  if (!data) return undefined;
  // A placeholder is of another request, whose times are not known here.
  const lost = isPlaceholderData ? 0 : Math.max(0, errorUpdatedAt - dataUpdatedAt);
  return parseInstant(data.now) + data.secondsSaved + Math.round(lost / 1000);
}

import { LRUCache } from "lru-cache";
import { DamagedChunkError } from "./errors.ts";

/** Told of what is damaged in the archive and answered from elsewhere: the same numbers are stored twice. */
export type OnDamage = (error: DamagedChunkError) => void;

const MAX_REPORTED = 1000;

/** Passes each damage on once, however often it is read, and nothing that is gone: its run was replaced. */
export function damageReporter(onDamage: OnDamage): (error: unknown) => void {
  const reported = new LRUCache<string, true>({ max: MAX_REPORTED });
  return (error) => {
    if (!(error instanceof DamagedChunkError) || reported.has(error.detail)) return;
    reported.set(error.detail, true);
    onDamage(error);
  };
}

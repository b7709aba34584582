import type { StormRecord } from "#server/storms/derive.ts";
import type { FeedText } from "#server/storms/feed.ts";
import { type SnapshotKey, type StoredSnapshot, SupersededError } from "#server/storms/store.ts";

/** The store of snapshots in memory. Like a database it keeps text, so that nothing survives but what is written. */
export class MemoryStore {
  readonly #rows = new Map<string, { storms: string; refreshedAt: number; revision: number; origin: string | null }>();

  async snapshot({ provider, synthetic }: SnapshotKey): Promise<StoredSnapshot | undefined> {
    const row = this.#rows.get(`${provider} ${synthetic}`);
    return row && { ...row, storms: JSON.parse(row.storms) as StormRecord[] };
  }

  async replace(
    key: SnapshotKey,
    _texts: readonly FeedText[],
    storms: readonly StormRecord[],
    now: number,
    before: StoredSnapshot | undefined,
    origin: string | null = null,
  ): Promise<void> {
    const name = `${key.provider} ${key.synthetic}`;
    const known = this.#rows.get(name);
    if (known?.revision !== before?.revision) throw new SupersededError(key);
    const written = JSON.stringify(storms);
    const revision = (known?.revision ?? 0) + (known?.storms === written ? 0 : 1);
    this.#rows.set(name, { storms: written, refreshedAt: now, revision, origin });
  }
}

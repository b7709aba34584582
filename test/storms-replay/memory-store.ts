import type { AreaSnapshot } from "@open-metocean/storms/areas";
import type { FeedText, StormRecord } from "@open-metocean/storms/bulletin";
import { type FeedState, newestText } from "#server/storms/derive.ts";
import { type SnapshotKey, type StoredSnapshot, SupersededError } from "#server/storms/store.ts";

interface Row {
  storms: string;
  feed: string | null;
  areas: string | null;
  refreshedAt: number;
  revision: number;
  origin: string | null;
}

/** A store of snapshots in memory. Like a database it stores text, so that only written data survives. */
export class MemoryStore {
  readonly #rows = new Map<string, Row>();

  async snapshot({ provider, synthetic }: SnapshotKey): Promise<StoredSnapshot | undefined> {
    const row = this.#rows.get(`${provider} ${synthetic}`);
    if (!row) return undefined;
    const feed = row.feed === null ? undefined : (JSON.parse(row.feed) as FeedState);
    const storms = JSON.parse(row.storms) as StormRecord[];
    const { areas: written, ...rest } = row;
    const areas = written === null ? {} : { areas: JSON.parse(written) as AreaSnapshot };
    return { ...rest, ...areas, storms, feed, newestTextAt: feed && newestText(feed) };
  }

  async replace(
    key: SnapshotKey,
    _texts: readonly FeedText[],
    storms: readonly StormRecord[],
    now: number,
    before: StoredSnapshot | undefined,
    origin: string | null = null,
    state?: FeedState,
    areas?: AreaSnapshot,
  ): Promise<void> {
    const name = `${key.provider} ${key.synthetic}`;
    const known = this.#rows.get(name);
    if (known?.revision !== before?.revision) throw new SupersededError(key);
    const written = JSON.stringify(storms);
    const revision = (known?.revision ?? 0) + (known?.storms === written ? 0 : 1);
    const feed = state ? JSON.stringify(state) : null;
    const kept = { storms: written, feed, areas: areas ? JSON.stringify(areas) : null };
    this.#rows.set(name, { ...kept, refreshedAt: now, revision, origin });
  }
}

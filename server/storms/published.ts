import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { agedEntry, type HeldStorm, hasPosition, heldStorm, nextAge } from "@open-metocean/storms/activity";
import {
  type AreaSnapshot,
  areasOf,
  linkedOutlooks,
  nextAreaAge,
  noAreas,
} from "@open-metocean/storms/areas";
import type { StormRecord } from "@open-metocean/storms/bulletin";
import type { StormEntry, StormOutlook } from "@open-metocean/storms/schema";
import { outlooksGeojson, stormsGeojson } from "#lib/storm-answers/export.ts";
import { nextTurn } from "#server/platform/next-turn.ts";
import type { Snapshot, SnapshotKey, StormStore } from "./store.ts";

interface SnapshotCacheDeps {
  store: Pick<StormStore, "revisions"> & { snapshot(key: SnapshotKey): Promise<Snapshot | undefined> };
  /** Weather clock, Unix seconds. */
  now: () => number;
  /** Monotonic clock, milliseconds. */
  elapsed: () => number;
  log: { warn(fields: object, message: string): void };
}

/** After a check, snapshots are answered for this long without asking the database for new revisions. */
const FRESH_MS = 1000;

/** While a check runs, they are answered for this long, so that requests under load never wait. */
const STALE_MS = 2000;

/** A clock that was set back by more than this has made entries older than they are, seconds. */
const SET_BACK_S = 60;

/** Longest time that a request waits for a slow check before it gets the cached snapshot. */
const MAX_WAIT_MS = 500;

/** Holds the published storms in memory, so that they stay available while the database is down. */
export class SnapshotCache {
  readonly #deps: SnapshotCacheDeps;
  readonly #snapshots = new Map<string, Promise<PublishedStorms>>();
  #checkedAt = Number.NEGATIVE_INFINITY;
  #check: Promise<void> | undefined;

  constructor(deps: SnapshotCacheDeps) {
    this.#deps = deps;
  }

  /**
   * Returns the published storms of a key, aged to the present: forecasts expire also while no refresh runs and no database
   * answers.
   *
   * @returns undefined for a feed that was never read. Rejects if the database fails before anything was loaded.
   */
  async get(key: SnapshotKey): Promise<PublishedStorms | undefined> {
    const name = nameOf(key);
    const age = this.#deps.elapsed() - this.#checkedAt;
    const check = this.#check ?? (age < FRESH_MS ? undefined : this.#startCheck());
    if (check && this.#snapshots.has(name)) {
      const warned = check.catch((error: unknown) => this.#warn(error));
      if (age >= STALE_MS) await Promise.race([warned, timeout(MAX_WAIT_MS)]);
    } else await check;
    const cached = this.#snapshots.get(name);
    const published = await cached;
    if (!published || isAsOldAs(published, this.#deps.now())) return published;
    // The aged snapshot is made once for all requests.
    if (this.#snapshots.get(name) === cached) {
      const aged = publish(published, key.synthetic, this.#deps.now());
      this.#snapshots.set(name, aged);
      // After a failure the next request tries again.
      aged.catch(
        () => this.#snapshots.get(name) === aged && this.#snapshots.set(name, Promise.resolve(published)),
      );
    }
    return this.#snapshots.get(name);
  }

  /** Checks at once, after a refresh by this process. */
  async update(): Promise<void> {
    await this.#check;
    await this.#startCheck();
  }

  #warn(error: unknown): void {
    this.#deps.log.warn({ err: error }, "storms are answered from memory: the database does not answer");
  }

  #startCheck(): Promise<void> {
    this.#check = this.#load().finally(() => {
      this.#check = undefined;
      // A failed check counts too: a database that is down is asked once a second, not once a request.
      this.#checkedAt = this.#deps.elapsed();
    });
    return this.#check;
  }

  async #load(): Promise<void> {
    const { store, now } = this.#deps;
    for (const { revision, refreshedAt, newestTextAt = refreshedAt, ...key } of await store.revisions()) {
      const cached = await this.#snapshots.get(nameOf(key));
      const snapshot = cached?.revision === revision ? undefined : await store.snapshot(key);
      if (cached && !snapshot)
        this.#snapshots.set(nameOf(key), Promise.resolve({ ...cached, refreshedAt, newestTextAt }));
      else if (snapshot) {
        const published = await publish(snapshot, key.synthetic, now());
        this.#snapshots.set(nameOf(key), Promise.resolve(published));
      }
    }
  }
}

/** Whether the age of the entries is right: no age limit has been passed since, and the clock was not set back. */
function isAsOldAs({ agedTo, changesAt }: PublishedStorms, now: number): boolean {
  return now < changesAt && now > agedTo - SET_BACK_S;
}

function nameOf({ provider, synthetic }: SnapshotKey): string {
  return `${provider} ${synthetic}`;
}

function timeout(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}

/** One answer of GET /storms: bytes, ready to send. */
export interface StormAnswer {
  /** ETag with its quotes. */
  etag: string;
  plain: Buffer;
  gzip: Buffer;
  br: Buffer;
}

/** Published state of a provider's storms. */
export interface PublishedStorms {
  synthetic: boolean;
  /** Weather clock when the feed was last read, Unix seconds. */
  refreshedAt: number;
  /** Weather clock of the feed's newest text, Unix seconds. If no text has a time, it is that of the last reading. */
  newestTextAt: number;
  /** Time to which the entries are aged, Unix seconds. */
  agedTo: number;
  /** Next time at which an entry changes by its age alone, Unix seconds. */
  changesAt: number;
  revision: number;
  storms: readonly HeldStorm[];
  /** Areas of interest as they were stored. */
  areas: AreaSnapshot;
  /** Entries as they are now, ordered by id. */
  entries: StormEntry[];
  all: StormAnswer;
  withoutInvests: StormAnswer;
  /** Answer of GET /storms/outlooks. */
  outlooks: StormAnswer;
  /** The same answer as GeoJSON, made at the first request. */
  geojson: {
    all: () => Promise<StormAnswer>;
    withoutInvests: () => Promise<StormAnswer>;
    outlooks: () => Promise<StormAnswer>;
  };
}

/**
 * Serialises and compresses the answers of a snapshot, once for all requests.
 *
 * @param now Weather clock, Unix seconds: what is too old is marked or left out.
 */
export async function publish(
  snapshot: Omit<Snapshot, "storms"> & { storms: readonly (StormRecord | HeldStorm)[] },
  synthetic: boolean,
  now = snapshot.refreshedAt,
): Promise<PublishedStorms> {
  const { areas = noAreas, refreshedAt, newestTextAt = refreshedAt } = snapshot;
  const storms = snapshot.storms.map((storm) => heldStorm(storm, refreshedAt));
  const entries = storms.map(({ entry, endsAt }) => agedEntry(entry, now, endsAt)).filter(hasPosition);
  const outlooks = linkedOutlooks(areasOf([], areas, now).outlooks, entries);
  const named = entries.filter((entry) => !entry.is_invest);
  return {
    synthetic,
    refreshedAt,
    newestTextAt,
    agedTo: now,
    changesAt: Math.min(
      nextAreaAge(areas, now),
      ...storms.map(({ endsAt }) => (endsAt > now ? endsAt : Number.POSITIVE_INFINITY)),
      ...entries.map((entry) => nextAge(entry, now)),
    ),
    revision: snapshot.revision,
    storms,
    areas,
    entries,
    all: await answerOf({ results: entries }),
    withoutInvests: await answerOf({ results: named }),
    outlooks: await answerOf({ results: outlooks } satisfies { results: StormOutlook[] }),
    geojson: {
      all: once(() => geojsonOf(entries)),
      withoutInvests: once(() => geojsonOf(named)),
      outlooks: once(() => answerOf(outlooksGeojson(outlooks))),
    },
  };
}

/** Hulls of danger areas take some 10 ms a storm, so it yields to the event loop between storms. */
async function geojsonOf(entries: readonly StormEntry[]): Promise<StormAnswer> {
  const collection = stormsGeojson([]);
  for (const entry of entries) {
    await nextTurn();
    const { features, provenance } = stormsGeojson([entry]);
    collection.features.push(...features);
    collection.provenance.push(...provenance);
  }
  return answerOf(collection);
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

const gzipped = promisify<Buffer, object, Buffer>(gzip);
const brotli = promisify<Buffer, object, Buffer>(brotliCompress);

async function answerOf(content: unknown): Promise<StormAnswer> {
  const plain = Buffer.from(JSON.stringify(content));
  const etag = `"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`;
  const [packed, smaller] = await Promise.all([
    gzipped(plain, { level: 6 }),
    brotli(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  ]);
  return { etag, plain, gzip: packed, br: smaller };
}

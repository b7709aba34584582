import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { StormEntry } from "#lib/contract/storm-form.ts";
import type { StormOutlook } from "#lib/contract/storm-outlook.ts";
import { stormsGeojson } from "#lib/storms/export-geojson.ts";
import { outlooksGeojson } from "#lib/storms/outlooks-geojson.ts";
import { nextTurn } from "#server/platform/next-turn.ts";
import { type AreaSnapshot, areasOf, linkedOutlooks, nextAreaAge, noAreas } from "./areas.ts";
import type { StormRecord } from "./derive.ts";
import { agedEntry, hasPosition, nextAge } from "./entry-age.ts";
import { type HeldStorm, heldStorm } from "./held-storm.ts";
import type { Snapshot } from "./store.ts";

/** One answer of GET /storms: bytes, ready to send. */
export interface StormAnswer {
  /** With its quotes. */
  etag: string;
  plain: Buffer;
  gzip: Buffer;
  br: Buffer;
}

/** What is published of a provider's storms. */
export interface PublishedStorms {
  synthetic: boolean;
  /** Weather clock when the feed was last read, Unix seconds. */
  refreshedAt: number;
  /** Weather clock of the feed's newest text, Unix seconds; of the last reading if no text has a time. */
  newestTextAt: number;
  /** When an entry next changes by its age alone, Unix seconds. */
  changesAt: number;
  revision: number;
  storms: readonly HeldStorm[];
  /** Areas of interest as they were stored. */
  areas: AreaSnapshot;
  /** As they are now, ordered by id. */
  entries: StormEntry[];
  all: StormAnswer;
  withoutInvests: StormAnswer;
  /** Answer of GET /storms/outlooks. */
  outlooks: StormAnswer;
  /** The same as GeoJSON, made at the first request. */
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

import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { StormEntry } from "#lib/contract/storms.ts";
import type { Snapshot } from "#server/storms/store.ts";

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
  revision: number;
  /** Ordered by id. */
  entries: StormEntry[];
  all: StormAnswer;
  withoutInvests: StormAnswer;
}

/** Writes a snapshot's answers, once for all who ask. */
export async function publish(snapshot: Snapshot, synthetic: boolean): Promise<PublishedStorms> {
  const entries = snapshot.storms.map(({ entry }) => entry);
  return {
    synthetic,
    refreshedAt: snapshot.refreshedAt,
    revision: snapshot.revision,
    entries,
    all: await answerOf({ results: entries }),
    withoutInvests: await answerOf({ results: entries.filter((entry) => !entry.is_invest) }),
  };
}

const gzipped = promisify<Buffer, object, Buffer>(gzip);
const brotli = promisify<Buffer, object, Buffer>(brotliCompress);

export async function answerOf(content: unknown): Promise<StormAnswer> {
  const plain = Buffer.from(JSON.stringify(content));
  const etag = `"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`;
  const [packed, smaller] = await Promise.all([
    gzipped(plain, { level: 6 }),
    brotli(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  ]);
  return { etag, plain, gzip: packed, br: smaller };
}

import type { RunArchive } from "#server/archive/run-archive.ts";
import type { Clock } from "#server/platform/clock.ts";
import type { Database } from "#server/platform/db.ts";
import type { Env } from "#server/platform/env.ts";
import type { Logger } from "#server/platform/log.ts";
import type { FeedLoop } from "./feed-loop.ts";
import type { FieldFeed, Profile } from "./field-feed.ts";

/** What `feeds …` works with. */
export interface FeedsCommandDeps {
  env: Pick<Env, "feeds" | "storage">;
  /** Feeds of the setting, and all that there are. */
  selected: { profile: Profile; fields: readonly FieldFeed[]; storms: readonly string[] };
  known: readonly FieldFeed[];
  /** Names of all feeds of storms, and the loop of some of them. */
  storms: readonly string[];
  openStorms(names: readonly string[], database: Database): FeedLoop & { close(): Promise<void> };
  version: string;
  open(): Promise<Database>;
  openArchive(): Promise<RunArchive>;
  out: { write(text: string): unknown };
  err: { write(text: string): unknown };
  log: Logger;
  /** Asks the operator; absent where nobody can answer. */
  ask?: ((question: string) => Promise<boolean>) | undefined;
  clock?: Clock;
  signal: AbortSignal;
}

import type { RunArchive } from "#server/archive/run-archive.ts";
import type { Decoder } from "#server/ingest/decoder.ts";
import type { Clock } from "#server/platform/clock.ts";
import type { FeedStates } from "#server/platform/feed-state.ts";
import type { Logger } from "#server/platform/log.ts";
import type { DiskBudget } from "./disk-budget.ts";
import type { FieldFeed, Part, Profile } from "./field-feed.ts";

/** What a fetch of one part brought. */
interface Fetched {
  /** A GRIB2 or NetCDF file, or a folder. */
  file: string;
  bytesFetched: number;
  /** Name of the mirror. */
  mirror: string;
  /** What is wanted and the host lacked; absent or empty where the part is whole. */
  lacking?: readonly string[];
}

/**
 * Fetches one part into a folder of its own. What lies there already is not fetched again; a part that lies there whole is
 * returned without a request. One that lacks some of what is wanted is a failure where it must be whole.
 */
export type FetchPart = (
  feed: FieldFeed,
  part: Part,
  profile: Profile,
  options: { folder: string; signal: AbortSignal; mustBeWhole?: boolean },
) => Promise<Fetched | "absent">;

/** What the loop of feeds works with. */
export interface FeedDeps {
  profile: Profile;
  archive: RunArchive;
  /** DATA_DIR/feeds: parts, quarantine, baselines. */
  folder: string;
  fetchPart: FetchPart;
  decoder: Decoder;
  states: FeedStates;
  clock: Clock;
  disk: DiskBudget;
  log?: Pick<Logger, "info" | "warn">;
}

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Axis, Grid } from "@open-metocean/geo/grid";
import { folderArchive } from "#server/archive/run-archive.ts";
import { createDecoder, type Decoder } from "#server/ingest/decoder.ts";
import { type FetchPart, hostRules } from "#server/ingest/feeds/feed-deps.ts";
import { createFeedLoop } from "#server/ingest/feeds/feed-loop.ts";
import { fetchPart } from "#server/ingest/feeds/fetch-part.ts";
import type { FieldFeed, Profile } from "#server/ingest/feeds/field-feed.ts";
import { type Keep, keepOf } from "#server/ingest/feeds/past-rules.ts";
import { type DiskBudget, diskBudget } from "#server/ingest/feeds/plan-feeds.ts";
import type { Sleep } from "#server/platform/clock.ts";
import type { FeedStates } from "#server/platform/feed-state.ts";
import { createFetcher } from "#server/platform/fetching/fetcher.ts";
import { memoryFeedStates } from "#test/feed-states.ts";
import type { Fault } from "#test/feeds-mirror/faults.ts";
import { type Mirror, startMirror } from "#test/feeds-mirror/mirror.ts";
import type { Planet, Resolution } from "#test/feeds-mirror/planet.ts";
import { seeded } from "#test/seeded.ts";

export interface SimulationOptions {
  feeds: readonly FieldFeed[];
  profile: Profile;
  resolution: Resolution;
  /** Other properties of the planet, such as the names under which GFS is published. */
  planet?: Omit<Planet, "resolution">;
  /** Start by the service's clock, Unix seconds. */
  start: number;
  /** How far that clock is ahead of the hosts', seconds. */
  clockErrorS?: number;
  seed?: number;
  keep?: Partial<Keep>;
  /** Size limit of the archive, bytes. */
  diskBytes?: number;
  bytesADay?: number;
  schedule?: (now: number) => readonly Fault[];
}

/** A service that fetches, checks and publishes from the mirror, in simulated time that only waits advance. */
export interface SimulatedService extends AsyncDisposable {
  readonly mirror: Mirror;
  readonly feeds: readonly FieldFeed[];
  readonly states: FeedStates;
  readonly clock: { now(): number; advanceTo(time: number): void };
  /** Root folder of the archive. */
  readonly archive: string;
  /** DATA_DIR/feeds. */
  readonly folder: string;
  readonly keep: Keep;
  readonly disk: DiskBudget;
  /** Runs one round of the loop. @returns When the next one is due, Unix seconds. */
  round(): Promise<number>;
  /** Runs rounds until a time. @param afterRound Called after each round. */
  runUntil(time: number, afterRound?: () => Promise<void>): Promise<void>;
}

interface Fetching extends Pick<SimulatedService, "mirror" | "clock" | "states"> {
  sleep: Sleep;
  decoder: Decoder;
  fetchPart: FetchPart;
  close(): Promise<void>;
}

/** The decoder of all services of a process: its thread takes longer to start than to decode a cycle, and ends with the process. */
const decoder = createDecoder();

/** Number of rounds without progress of the clock that counts as a defect. */
const MAX_ROUNDS_AT_ONCE = 200;
const WEDGED_MS = 120_000;

export async function simulatedService(options: SimulationOptions): Promise<SimulatedService> {
  const { profile } = options;
  const feeds = options.feeds.map((feed) => coarse(feed, options.resolution));
  const folder = await mkdtemp(join(tmpdir(), "feeds-week-"));
  const archive = join(folder, "archive");
  const feedFolder = join(folder, "feeds");
  const fetching = await fetchingOverMirror({ ...options, feeds });
  const { mirror, clock, states } = fetching;
  const keep = keepOf(profile, options.keep ?? {});
  const disk = diskBudget(folderArchive(archive), options.diskBytes, 0);
  const loop = createFeedLoop({
    feeds,
    profile,
    archive: folderArchive(archive),
    folder: feedFolder,
    ...fetching,
    disk,
    keep,
  });
  const round = () => loop.round(AbortSignal.timeout(WEDGED_MS));
  return {
    mirror,
    feeds,
    states,
    clock,
    archive,
    folder: feedFolder,
    keep,
    disk,
    round,
    async runUntil(end, afterRound) {
      for (let still = 0; clock.now() < end; ) {
        const before = clock.now();
        const next = await round();
        await afterRound?.();
        clock.advanceTo(Math.min(end, next));
        still = clock.now() > before ? 0 : still + 1;
        if (still > MAX_ROUNDS_AT_ONCE)
          throw new Error("The loop asks for another round at once, without end");
      }
    },
    async [Symbol.asyncDispose]() {
      await fetching.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A service that has fetched a whole cycle of one feed, and everything that was due before. @param cycle Unix seconds. */
export async function serviceWithCycle(feed: FieldFeed, cycle: number): Promise<SimulatedService> {
  const start = cycle + feed.delay.whole;
  const service = await simulatedService({ feeds: [feed], profile: "standard", resolution: 5, start });
  await service.runUntil(start + 60);
  return service;
}

/** The hosts of a planet and a client for them, in simulated time that only waits advance. */
export async function fetchingOverMirror(
  options: Omit<SimulationOptions, "profile" | "keep" | "diskBytes">,
): Promise<Fetching> {
  let time = options.start;
  const clock = {
    now: () => time,
    advanceTo(later: number) {
      time = Math.max(time, later);
    },
  };
  // Simultaneous waits of several requests pass together.
  const sleep: Sleep = async (seconds, signal) => {
    signal.throwIfAborted();
    const until = clock.now() + seconds;
    await new Promise((resolve) => setImmediate(resolve));
    clock.advanceTo(until);
  };
  const { resolution, planet, schedule, clockErrorS = 0 } = options;
  const mirror = await startMirror({
    now: () => clock.now() - clockErrorS,
    planet: { ...planet, resolution },
    slowPauseMs: 1,
    schedule,
  });
  const states = memoryFeedStates(clock);
  const rules = Object.entries(hostRules(options.feeds));
  const fetcher = createFetcher({
    hosts: Object.fromEntries(rules.map(([host, rule]) => [host, { ...rule, requestsPerMinute: 100_000 }])),
    mirror: mirror.url,
    userAgent: "OpenMetOcean/test (nobody@example.org)",
    clock,
    sleep,
    random: seeded(options.seed ?? 1),
    bytesADay: options.bytesADay ?? Number.POSITIVE_INFINITY,
    spend: states.spend,
  });
  return {
    mirror,
    clock,
    sleep,
    states,
    decoder,
    fetchPart: (feed, part, profile, work) => fetchPart(feed, part, profile, { ...work, fetcher, clock }),
    async close() {
      fetcher.close();
      await mirror.close();
    },
  };
}

/** The grid of a feed at the resolution of the mirror. */
function coarseGrid({ grid }: FieldFeed, resolution: Resolution): Grid | undefined {
  const axis = ({ start, step, count }: Axis): Axis => ({
    start,
    step: resolution,
    count: Math.floor(((count - 1) * step) / resolution) + 1,
  });
  return grid && { latitude: axis(grid.full.latitude), longitude: axis(grid.full.longitude) };
}

/** A feed with the part sizes of the mirror. */
export function coarse(feed: FieldFeed, resolution: Resolution): FieldFeed {
  // Simple packing takes twice the bytes of the real one.
  const factor = 2 * (0.25 / resolution) ** 2;
  const grid = coarseGrid(feed, resolution);
  return {
    ...feed,
    ...(grid && { grid: { lite: grid, standard: grid, full: grid } }),
    partBytes: (profile) => Math.ceil(feed.partBytes(profile) * factor),
  };
}

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Grid } from "@open-metocean/geo/grid";
import type { FieldName } from "#lib/catalog/fields.ts";
import { folderArchive } from "#server/archive/run-archive.ts";
import type { Decoder } from "#server/ingest/decoder.ts";
import type { FetchPart } from "#server/ingest/feeds/feed-deps.ts";
import type { LoopDeps } from "#server/ingest/feeds/feed-loop.ts";
import { expectedAt, type FieldFeed, type Part, partsAt } from "#server/ingest/feeds/field-feed.ts";
import { PartFailedError } from "#server/ingest/feeds/part-store.ts";
import { keepOf } from "#server/ingest/feeds/past-rules.ts";
import { diskBudget } from "#server/ingest/feeds/plan-feeds.ts";
import type { FieldRecord } from "#server/ingest/record.ts";
import { choice, rule, type Source, variable } from "#server/ingest/sources/source.ts";
import { temporaryFolder } from "./archive.ts";
import { memoryFeedStates } from "./feed-states.ts";

const HOUR = 3600;

/** 2026-01-01T00:00:00Z, the base time of a cycle. */
export const firstCycle = Date.UTC(2026, 0, 1) / 1000;

export const feedGrid: Grid = {
  latitude: { start: -20, step: 10, count: 5 },
  longitude: { start: 0, step: 60, count: 6 },
};

const units = {
  eastward_wind_10m: "m s-1",
  northward_wind_10m: "m s-1",
  air_pressure_at_mean_sea_level: "hPa",
} as const;
type FeedField = keyof typeof units;
const names = Object.keys(units) as FeedField[];

/** The weather of this planet, with a constant mean. Every published value must equal it within packing. */
export function weatherAt(name: FieldName, latitude: number, longitude: number, time: number): number {
  const phase = (time - firstCycle) / (20 * HOUR) + names.indexOf(name as FeedField);
  const mean = name === "air_pressure_at_mean_sea_level" ? 1005 : 5;
  return 10 * Math.sin((longitude * Math.PI) / 180 - phase) + mean + latitude / 10;
}

const source: Source = {
  name: "test",
  title: "A feed of wind and pressure",
  dataset: "Forecast",
  model: () => "Test 10°",
  rules: names.map((name) =>
    rule(
      name,
      choice([variable(name, units[name])], ([values]) => values!),
    ),
  ),
};

/**
 * A feed with four cycles a day, hourly to 12 h and three-hourly to 48 h: 25 parts, the first after an hour, the last
 * after two.
 */
export const testFeed: FieldFeed = {
  name: "test",
  title: () => source.title,
  credit: "nobody",
  source,
  cycles: { every: 6 * HOUR, offset: 0 },
  delay: { first: HOUR, whole: 2 * HOUR },
  mirrors: [],
  parts: (cycle) =>
    partsAt(cycle, [...Array(13).keys(), ...Array.from({ length: 12 }, (_, i) => 15 + 3 * i)]),
  objects: () => undefined,
  partBytes: () => 1000,
};

interface PartContent {
  cycle: number;
  times: number[];
  names: FieldName[];
  /** Added to every value; NaN, which a file stores as null, makes them missing. */
  error: number;
}

/** Changes a part when it is fetched. */
export type Spoil = (content: PartContent, part: Part) => PartContent | "absent" | Error;

/**
 * An empty archive for feeds, a clock, and a host that has each part when it is expected.
 *
 * @param now Start time, Unix seconds.
 */
export function feedsForTest(now: number, feed = testFeed) {
  const folder = temporaryFolder();
  const archive = join(folder, "archive");
  const clock = { time: now, now: () => clock.time };
  const host = { fetches: [] as string[], spoil: ((content) => content) as Spoil };

  const fetchPart: FetchPart = async (_feed, part, profile, { folder: into, mustBeWhole }) => {
    const count = feed.parts(part.cycle, profile).length;
    const file = join(into, "part.nc");
    const known = await readFile(file, "utf8").catch(() => undefined);
    const lackingOf = (content: PartContent) => names.filter((name) => !content.names.includes(name));
    const lackingBefore = known === undefined ? [] : lackingOf(JSON.parse(known));
    if (known !== undefined && !(mustBeWhole && lackingBefore.length > 0))
      return { file, bytesFetched: 0, mirror: "here", lacking: lackingBefore };
    if (expectedAt(feed, part, count) > clock.time) return "absent";
    const content = host.spoil({ cycle: part.cycle, times: [...part.times], names, error: 0 }, part);
    if (content === "absent") return content;
    if (content instanceof Error) throw content;
    const lacking = lackingOf(content);
    if (mustBeWhole && lacking.length > 0) throw new PartFailedError([], ["here"], 0);
    host.fetches.push(`${part.cycle} ${part.index}`);
    await mkdir(into, { recursive: true });
    await writeFile(file, JSON.stringify(content));
    return { file, bytesFetched: 1000, mirror: "here", lacking };
  };

  const deps: LoopDeps = {
    feeds: [feed],
    profile: "standard",
    archive: folderArchive(archive),
    folder: join(folder, "feeds"),
    fetchPart,
    decoder: jsonDecoder(),
    states: memoryFeedStates(clock),
    clock,
    disk: diskBudget(folderArchive(archive), undefined, 0),
    keep: keepOf("standard", {}),
  };
  return { deps, clock, host, archive, folder: deps.folder };
}

/** Reads the parts of `feedsForTest`. */
function jsonDecoder(): Decoder {
  const read = async (file: string) => JSON.parse(await readFile(file, "utf8")) as PartContent;
  return {
    async scan(file) {
      const { times, cycle, names: has } = await read(file);
      const records = times.flatMap((validTime, step) =>
        has.map(
          (name): FieldRecord => ({
            kind: "netcdf",
            file,
            grid: feedGrid,
            validTime,
            referenceTime: cycle,
            variable: name,
            units: units[name as FeedField],
            nearestSurface: true,
            step,
            levelIndex: 0,
          }),
        ),
      );
      return { records, rejected: [], messages: 1 };
    },
    async decode(record) {
      const { error } = await read(record.file);
      const name = record.kind === "netcdf" ? (record.variable as FieldName) : "eastward_wind_10m";
      const values = new Float32Array(feedGrid.latitude.count * feedGrid.longitude.count);
      let at = 0;
      for (let row = 0; row < feedGrid.latitude.count; row++)
        for (let column = 0; column < feedGrid.longitude.count; column++)
          values[at++] =
            weatherAt(name, row * 10 - 20, column * 60, record.validTime) + (error ?? Number.NaN);
      return values;
    },
    close: async () => {},
  };
}

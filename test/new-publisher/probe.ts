import { formatInstant } from "#lib/time.ts";
import { openCatalog, withSources } from "#server/archive/catalog.ts";
import { directoryStore } from "#server/archive/directory-store.ts";
import { openReader } from "#server/archive/reader.ts";
import type { Run } from "#server/archive/run.ts";
import { describedFeeds, feedsStatus } from "#server/context/feeds.ts";
import { knownSources } from "#server/context/sources.ts";
import { ingestCommand } from "#server/ingest/command.ts";
import { keepOf } from "#server/ingest/feeds/past-rules.ts";
import { planFeed, selectFeeds } from "#server/ingest/feeds/plan-feeds.ts";
import { fieldFeeds } from "#server/ingest/publishers/registry.ts";
import { readEnv } from "#server/platform/env.ts";
import { checkArchive } from "#test/feeds-week/check-archive.ts";
import { feedNamed, shortFeed } from "#test/feeds-week/short-feed.ts";
import { simulatedService } from "#test/feeds-week/simulated-service.ts";
import { testContext, testRequestContext } from "#test/http.ts";
import { ask, connectContext } from "#test/send.ts";

interface PointAnswer {
  meta: { provenance: unknown[] };
  results: { conditions: { Winds_10m_Intensity: number | null } }[];
}

/** Answers of a program that has the publisher `nearby`, written to standard output as JSON. */
export interface Answers {
  live: { wrong: unknown[]; compared: number; complaints: string[]; grid: Run["grid"]; hosts: string[] };
  /** At a place of its domain, and at one outside. */
  inside: PointAnswer;
  outside: PointAnswer;
  rhythm: Run["rhythm"];
  feeds: unknown;
  onDisk: Record<"gfs" | "nearby", number>;
  /** Whether values of FEEDS turn it on. */
  profiles: Record<string, boolean>;
  /** Sources of the wind, best first. */
  order: readonly string[];
  usage: string;
}

const NAME = "nearby";
/** The whole cycle of midnight is at the hosts. */
const start = Date.UTC(2026, 0, 1, 6) / 1000;

async function answersOf(): Promise<Answers> {
  await using service = await simulatedService({
    feeds: [shortFeed(NAME, 6)],
    profile: "standard",
    resolution: 5,
    start,
  });
  await service.runUntil(start + 60);
  const { wrong, compared } = await checkArchive(service.archive, new Set(), 4);
  const complaints = (await service.states.all()).flatMap(({ error }) => error ?? []);
  const files = directoryStore(service.archive);
  const reader = openReader(files, { cacheBytes: 1e7 });
  const catalog = withSources(openCatalog(files), knownSources({}));
  const { runs } = await catalog.manifest();
  const requestContext = testRequestContext();
  connectContext(
    testContext({
      ...requestContext,
      weather: { now: () => start },
      archive: {
        ...catalog,
        valuesAt: (...asked: Parameters<typeof reader.valuesAt>) => reader.valuesAt(...asked),
      },
      storms: { published: async () => ({ entries: [] }) },
      feeds: feedsStatus({
        open: true,
        enabled: describedFeeds(readEnv({ FEEDS: NAME })),
        states: service.states,
        diskBytes: async () => 0,
        budgetBytes: undefined,
        now: () => start,
        clockReading: async () => undefined,
      }),
    }),
  );
  const pointAt = async (latitude: number, longitude: number): Promise<PointAnswer> => {
    const points = [{ latitude, longitude, timestamp: formatInstant(start) }];
    const body = { points, variables: ["wind"], include_meta: true };
    return (await json("POST", "/MetOcean", body)).result as PointAnswer;
  };
  let usage = "";
  const out = { write: (text: string) => (usage += text) };
  const openArchive = () => Promise.reject(new Error("nothing is ingested here"));
  await ingestCommand(["--help"], { out, err: out, openArchive, signal: new AbortController().signal });
  const isOn = (setting: string) =>
    selectFeeds(setting, fieldFeeds, []).fields.some(({ name }) => name === NAME);
  const onDisk = (name: string) => planFeed(feedNamed(name), "standard", keepOf("standard", {})).bytesInAll;
  const hosts = new Set(service.mirror.log.map(({ url }) => url.split("/")[1]!));
  return {
    live: { wrong, compared, complaints, grid: runs[0]!.grid, hosts: [...hosts] },
    inside: await pointAt(47, -30),
    outside: await pointAt(10, -30),
    rhythm: runs[0]!.rhythm,
    feeds: (await json("GET", "/feeds")).feeds,
    onDisk: { gfs: onDisk("gfs"), nearby: onDisk(NAME) },
    profiles: Object.fromEntries(["lite", "standard", "full", "all"].map((word) => [word, isOn(word)])),
    order: knownSources({}).order.wind,
    usage,
  };
}

async function json(method: "GET" | "POST", target: string, body?: object) {
  const reply = await ask(method, target, { body });
  if (reply.status !== 200) throw new Error(`${target}: ${reply.status} ${String(reply.body)}`);
  return JSON.parse(String(reply.body));
}

process.stdout.write(JSON.stringify(await answersOf()));

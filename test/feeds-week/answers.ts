import path from "node:path";
import { expect } from "vitest";
import { sourceOrder } from "#lib/catalog/source-order.ts";
import { variableNames } from "#lib/catalog/variables.ts";
import type { PointMeta } from "#lib/contract/point.ts";
import { formatInstant } from "#lib/time.ts";
import { readManifest } from "#server/archive/manifest.ts";
import { openArchive } from "#server/context/archive.ts";
import type { Context } from "#server/context.ts";
import type { FieldFeed } from "#server/ingest/feeds/field-feed.ts";
import { folderPlace } from "#server/platform/blob-url.ts";
import { testRequestContext } from "#test/http.ts";
import { ask, connectContext } from "#test/send.ts";
import { type SimulationOptions, simulatedService } from "./simulated-service.ts";

const HOUR_S = 3600;

/** A feed of one step, which begins with its cycle, from hosts that have it however old it is. */
export function oneStep(feed: FieldFeed, cycle: number, lead: number): FieldFeed {
  const part = { cycle, index: 0, times: [cycle + lead * HOUR_S] };
  const mirrors = feed.mirrors.map(({ name, base }) => ({ name, base }));
  return { ...feed, mirrors, parts: (of) => (of === cycle ? [part] : []) };
}

/**
 * Fetches, checks, decodes and publishes what the mirror has, then asks the API for the conditions at places.
 *
 * @param check Called with the folder of the archive.
 */
export async function answers(
  feed: FieldFeed,
  cycle: number,
  lead: number,
  places: readonly { latitude: number; longitude: number }[],
  world: Partial<Pick<SimulationOptions, "objects" | "resolution" | "schedule">>,
  check?: (archive: string) => Promise<void>,
): Promise<Record<string, number | null>[]> {
  const options = { profile: "full", resolution: 2.5, start: cycle + 8 * HOUR_S, ...world } as const;
  await using service = await simulatedService({ ...options, feeds: [feed] });
  await service.round();
  const states = await service.states.all();
  expect(states.map(({ error }) => error ?? "")).toEqual([
    expect.stringMatching(/^$|other runs answer where they have them$/),
  ]);
  expect((await readManifest(service.archive)).runs).toHaveLength(1);
  await check?.(service.archive);
  const time = cycle + lead * HOUR_S;
  const timestamp = formatInstant(time);
  const points = places.map(({ latitude, longitude }) => ({ latitude, longitude, timestamp }));
  const { results } = await askPublished(service.archive, time, { points, variables: variableNames });
  return results.map(({ conditions }) => conditions);
}

/** What the API answers from an archive. @param now The weather's clock, Unix seconds. */
export async function askPublished(
  folder: string,
  now: number,
  body: object,
): Promise<{ meta?: PointMeta; results: { conditions: Record<string, number | null> }[] }> {
  const weather = { now: () => now };
  const archive = await openArchive(
    {
      archive: { place: folderPlace(folder), cacheBytes: 0, minFreeBytes: 0 },
      dataDir: path.dirname(folder),
      demo: "never",
      demoSeed: 1,
      frozenAt: undefined,
      sourceOrder: sourceOrder(),
      chunkCacheBytes: 2 ** 24,
    },
    weather,
  );
  try {
    connectContext({ ...testRequestContext(), weather, archive } as unknown as Context);
    const reply = await ask("POST", "/MetOcean", { body });
    expect(reply.status).toBe(200);
    return JSON.parse(String(reply.body)).result;
  } finally {
    await archive.close();
  }
}

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type FieldName, fields } from "#lib/catalog/fields.ts";
import { inputsOfVariable, variableNames } from "#lib/catalog/variables.ts";
import { mapRequest } from "#lib/contract/map2d.ts";
import { pointRequest } from "#lib/contract/point.ts";
import type { Grid } from "#lib/field/grid.ts";
import { formatInstant } from "#lib/time.ts";
import { openCatalog } from "#server/archive/catalog.ts";
import { directoryStore } from "#server/archive/directory-store.ts";
import { pushArchive } from "#server/archive/push.ts";
import { openReader } from "#server/archive/reader.ts";
import { FolderCache } from "#server/archive/remote/folder-cache.ts";
import { type ObjectSource, remoteStore } from "#server/archive/remote/remote-store.ts";
import type { ChunkStore } from "#server/archive/store.ts";
import { beginRun } from "#server/archive/writer.ts";
import type { MapSource } from "#server/metocean/box-read.ts";
import { answerPoints } from "#server/metocean/points.ts";
import { s3BlobStore } from "#server/platform/s3-blob-store.ts";
import { answerMap } from "#test/map2d.ts";
import { startChildServer } from "./child-process.ts";
import { randomWaves } from "./weather-like.ts";

const LATENCY_MS = 30;
const STEPS = 16;
const STEP_S = 3 * 3600;
const FIRST = Date.UTC(2026, 0, 1) / 1000;
const PLACES = 500;
const CACHE_BYTES = 48 * 2 ** 20;
const { signal } = new AbortController();
const place = { bucket: "metocean-test", prefix: "bench/", isPathStyle: true };

/**
 * The archive in a bucket that takes 30 ms a request, against the same in a folder: one point and a passage of 500 places
 * with all variables, and the globe at 0.25°. Cold: nothing cached; disk: a process that was started again; warm: decoded.
 * The store is a Node process on the same machine, and takes most of the processor while it is read.
 */
export async function bench(): Promise<void> {
  const root = await mkdtemp(path.join(tmpdir(), "metocean-store-"));
  const { child, url } = await startChildServer([
    path.join(import.meta.dirname, "store-process.ts"),
    String(LATENCY_MS),
  ]);
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_S3: url,
    AWS_ACCESS_KEY_ID: "S3RVER",
    AWS_SECRET_ACCESS_KEY: "S3RVER",
  });
  const blobs = s3BlobStore(place);
  try {
    const archive = path.join(root, "archive");
    await publishAll(archive);
    const { bytes } = await pushArchive(archive, blobs, { copied() {}, removed() {} }, signal);
    console.log(`archive of ${(bytes / 1e6).toFixed(0)} MB, ${LATENCY_MS} ms a request`);
    const local = () => opened(directoryStore(archive));
    for (const [what, ask] of requests) {
      const counted = counting(blobs);
      const folder = path.join(root, `cache ${what}`);
      const remote = () => {
        const cache = new FolderCache({ folder, maxBytes: 2 ** 31, store: url });
        return { cache, source: opened(remoteStore(counted.source, cache)) };
      };
      const first = remote();
      await first.source.manifest();
      const near = local();
      await near.manifest();
      const folderCold = await timed(() => ask(near));
      const folderWarm = await timed(() => ask(near));
      counted.reset();
      const cold = await timed(() => ask(first.source));
      const seen = counted.now();
      await first.cache.settled();
      const warm = await timed(() => ask(first.source));
      const second = remote();
      await second.source.manifest();
      const disk = await timed(() => ask(second.source));
      if (cold.text !== folderCold.text || warm.text !== cold.text || disk.text !== cold.text)
        throw new Error(`${what}: the bucket answers otherwise than the folder`);
      console.log(
        `${what}: cold ${cold.ms} ms, ${seen.requests} requests, ${(seen.bytes / 1e6).toFixed(2)} MB; ` +
          `disk ${disk.ms} ms; warm ${warm.ms} ms; folder ${folderCold.ms} ms, warm ${folderWarm.ms} ms`,
      );
    }
  } finally {
    blobs.close();
    child.kill();
    await rm(root, { recursive: true, force: true });
  }
}

const passage = Array.from({ length: PLACES }, (_, i) => ({
  latitude: 48 - (24 * i) / PLACES,
  longitude: -6 - (20 * i) / PLACES,
  timestamp: formatInstant(FIRST + Math.floor((i / PLACES) * (STEPS - 1) * STEP_S)),
}));

const points = (list: typeof passage) => (source: MapSource) =>
  answerPoints(
    source,
    pointRequest(PLACES).parse({ points: list, variables: variableNames }),
    FIRST + STEP_S,
    signal,
  );

const globe = mapRequest.parse({
  bounding_boxes: [{ latitude: [-90, 90], longitude: [-180, 180], timestamp: formatInstant(FIRST + STEP_S) }],
  variable: "wind",
});

const requests: [string, (source: MapSource) => Promise<unknown>][] = [
  ["one point", points(passage.slice(250, 251))],
  [`${PLACES} places`, points(passage)],
  [
    "wind of the globe",
    (source) => answerMap(source, globe, FIRST + STEP_S, { max: 1e8, instead: "" }, signal),
  ],
];

function opened(store: ChunkStore): MapSource {
  const reader = openReader(store, { cacheBytes: CACHE_BYTES });
  return {
    ...openCatalog(store),
    waitsFor: () => store.getChanged !== undefined,
    valuesAt: (...args) => reader.valuesAt(...args),
    mapStep: (...args) => reader.mapStep(...args),
  };
}

async function timed(work: () => Promise<unknown>): Promise<{ ms: number; text: string }> {
  const began = performance.now();
  const answer = await work();
  const ms = Math.round(performance.now() - began);
  return { ms, text: JSON.stringify(answer) };
}

/** Counts requests for objects, without those that were repeated, and their bytes. */
function counting(source: ObjectSource) {
  let [count, bytes] = [0, 0];
  const noted = (found: Uint8Array | undefined) => {
    count++;
    bytes += found?.length ?? 0;
    return found;
  };
  return {
    source: {
      ...source,
      get: async (...args) => noted(await source.get(...args)),
      getRange: async (...args) => noted(await source.getRange(...args)),
    } satisfies ObjectSource,
    now: () => ({ requests: count, bytes }),
    reset() {
      count = 0;
      bytes = 0;
    },
  };
}

const gridOf = (step: number): Grid => ({
  latitude: { start: -90, step, count: 180 / step + 1 },
  longitude: { start: -180, step, count: 360 / step },
});

/** Wind at 0.25°, everything else but the depth at 0.5°, from three sources. */
async function publishAll(root: string): Promise<void> {
  const names = new Set(variableNames.flatMap((name) => inputsOfVariable(name)));
  const of = (part: RegExp) => [...names].filter((name) => part.test(name));
  const wind = of(/^(east|north)ward_wind_10m$/);
  const ocean = of(/^(sea_surface|surface_)/);
  const depth = of(/^sea_floor/);
  const others = [...names].filter((name) => ![...wind, ...ocean, ...depth].includes(name));
  await publishRun(root, "gfs", 0.25, wind);
  await publishRun(root, "ecmwf", 0.5, others);
  await publishRun(root, "cmems", 0.5, ocean);
}

async function publishRun(root: string, source: string, step: number, names: FieldName[]): Promise<void> {
  const grid = gridOf(step);
  const waves = randomWaves(grid, 0.7, 12, 1);
  const times = Array.from({ length: STEPS }, (_, i) => FIRST + i * STEP_S);
  const origin = { dataset: "Forecast", source, model: source, referenceTime: FIRST } as const;
  const writer = await beginRun(root, { ...origin, grid, times });
  const steps = times.map((_, i) => waves(3 * i));
  for (const [number, name] of names.entries()) {
    const { scale, offset } = fields[name];
    await writer.writeField(name, {}, async (index) => {
      const values = steps[index]!;
      // Another place of the same waves for each field.
      const shift = (number * 7919) % values.length;
      return values.map((_, i) => offset + 300 * scale * values[(i + shift) % values.length]!);
    });
  }
  await writer.writeFrames();
  await writer.publish();
}

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { bufferSource } from "@open-metocean/grib2/byte-source";
import { decodeGrib2 } from "@open-metocean/grib2/decode";
import { scanGrib2 } from "@open-metocean/grib2/scan";
import { runnerImport } from "vite";
import { layerNames } from "#components/view-state/overlays.ts";
import { formatInstant } from "#lib/time.ts";
import { openCatalog } from "#server/archive/catalog.ts";
import { directoryStore } from "#server/archive/directory-store.ts";
import { openReader } from "#server/archive/reader.ts";
import { pathSigner } from "#server/http/signed-path.ts";
import { createDecoder } from "#server/ingest/decoder.ts";
import { keepOf } from "#server/ingest/feeds/past-rules.ts";
import { planFeed } from "#server/ingest/feeds/plan-feeds.ts";
import type { DamagedInputError } from "#server/ingest/ingest.ts";
import { openNetcdf3 } from "#server/ingest/netcdf/netcdf3.ts";
import { frameCache } from "#server/metocean/frames.ts";
import { apiDocument } from "#server/operations/operations.ts";
import { demoArchive } from "#test/demo-archive.ts";
import { checkArchive } from "#test/feeds-week/check-archive.ts";
import { feedNamed, shortFeed } from "#test/feeds-week/short-feed.ts";
import { simulatedService } from "#test/feeds-week/simulated-service.ts";
import { testContext, testRequestContext } from "#test/http.ts";
import { ingestForTest, removeScratch, scratch } from "#test/ingest.ts";
import { ask, connectContext, textOf } from "#test/send.ts";
import type { rendered } from "./screen.tsx";

/** Answers of a program that has the variable, written to standard output as JSON. */
export interface Answers {
  ingested: string[];
  point: unknown;
  /** Reason why a file with a hundred times its values is not ingested. */
  beyondRange: string;
  /** Result of fetching from the hosts of the mirror into the archive. */
  live: { wrong: unknown[]; compared: number; fields: string[]; complaints: string[] };
  plan: Plans;
  /** Values at the same place and instant through each interface. */
  values: Record<"point" | "edr" | "grib2" | "netcdf", number>;
  /** Names of the parameters of EDR's forecast. */
  edrParameters: string[];
  frameBytes: number;
  demo: unknown;
  manifest: { runs: { planes: unknown; frames: string; times: string[] }[] };
  layers: readonly string[];
  isInOpenApi: boolean;
  screen: ReturnType<typeof rendered>;
}

type Plans = Record<"lite" | "standard", { part: number; onDisk: number }>;

/** Cost of a cycle of GFS in two profiles: bytes of a part, and bytes on the disk in all. */
export function plans(): Plans {
  const feed = feedNamed("gfs");
  const of = (profile: "lite" | "standard") => ({
    part: feed.partBytes(profile),
    onDisk: planFeed(feed, profile, keepOf(profile, {})).bytesInAll,
  });
  return { lite: of("lite"), standard: of("standard") };
}

if (import.meta.main) {
  const answers = await answersOf(...(process.argv.slice(2) as [string, string]));
  await removeScratch();
  process.stdout.write(JSON.stringify(answers));
}

async function answersOf(name: string, fixture: string): Promise<Answers> {
  const requestContext = testRequestContext();
  const now = requestContext.weather.now();
  const serve = (archive: object, at: number) =>
    connectContext(
      testContext({
        ...requestContext,
        weather: { now: () => at },
        archive,
        frames: frameCache(1e6),
        framePaths: pathSigner("a secret", requestContext.clock),
        storms: { published: async () => ({ entries: [] }) },
      }),
    );
  const points = [{ latitude: 45, longitude: -30, timestamp: formatInstant(now + 5400) }];
  const request = { points, variables: [name, "wind"], include_meta: true };

  const decoder = createDecoder();
  const folder = await scratch();
  const { runs } = await ingestForTest(folder, decoder, "gfs", fixture);
  serve(archiveIn(folder), now);
  const point = (await json("POST", "/MetOcean", request)).result;
  const beyondRange = await ingestForTest(await scratch(), decoder, "gfs", await hundredfold(fixture)).then(
    () => "it was published",
    (error: DamagedInputError) => error.rejected.map(({ reason }) => reason).join(),
  );
  await decoder.close();

  // Six hours later the whole cycle of midnight is available.
  const later = now + 6 * 3600;
  await using service = await simulatedService({
    feeds: [shortFeed("gfs", 6)],
    profile: "standard",
    resolution: 5,
    start: later,
  });
  await service.runUntil(later + 60);
  const { wrong, compared } = await checkArchive(service.archive, new Set(), 4);
  const archive = archiveIn(service.archive);
  const fields = (await archive.manifest()).runs.flatMap((run) => Object.keys(run.fields));
  const complaints = (await service.states.all()).flatMap(({ error }) => error ?? []);
  serve(archive, later);
  const manifest = await json("GET", `/2DMetOcean/manifest?variable=${name}`);
  const values = await valuesOf(name, formatInstant(later));
  const { parameter_names } = await json("GET", "/edr/collections/forecast");
  const [run] = manifest.runs as Answers["manifest"]["runs"];
  const frame = await bytesOf("GET", `${run!.frames}/${encodeURIComponent(run!.times[0]!)}/1/all`);

  serve(demoArchive(now), now);
  const demo = (await json("POST", "/MetOcean", request)).result;
  const { module: screen } = await runnerImport<{ rendered: typeof rendered }>(
    join(import.meta.dirname, "screen.tsx"),
    {
      configFile: false,
    },
  );
  return {
    ingested: runs.flatMap((one) => Object.keys(one.fields)),
    point,
    beyondRange,
    live: { wrong, compared, fields, complaints },
    plan: plans(),
    values,
    edrParameters: Object.keys(parameter_names),
    frameBytes: frame.length,
    demo,
    manifest,
    layers: layerNames,
    isInOpenApi: JSON.stringify(apiDocument("1")).includes("Visibility, m"),
    screen: screen.rendered(name as "wind"),
  };
}

function archiveIn(folder: string) {
  const files = directoryStore(folder);
  const reader = openReader(files, { cacheBytes: 1e7 });
  return {
    ...openCatalog(files),
    valuesAt: (...asked: Parameters<typeof reader.valuesAt>) => reader.valuesAt(...asked),
    mapStep: (...asked: Parameters<typeof reader.mapStep>) => reader.mapStep(...asked),
    storedFrame: async () => undefined,
  };
}

/** The first output of a variable at 45° N 30° W, a node of the mirror's grid, through each interface. */
async function valuesOf(name: string, time: string): Promise<Answers["values"]> {
  const points = [{ latitude: 45, longitude: -30, timestamp: time }];
  const { result } = await json("POST", "/MetOcean", { points, variables: [name] });
  const [[output, point]] = Object.entries(result.results[0].conditions) as [[string, number]];
  const query = new URLSearchParams({
    coords: "POINT(-30 45)",
    datetime: time,
    "parameter-name": output,
  });
  const { ranges } = await json("GET", `/edr/collections/forecast/position?${query}`);
  const area = { type: "box", latitude: [45, 45], longitude: [-30, -30] };
  const file = (format: string) =>
    bytesOf("POST", "/files", { area, variables: [name], from: time, to: time, format });
  const grib = bufferSource("file", await file("grib2"));
  const [message] = scanGrib2(grib).fields;
  const netcdf = await file("netcdf");
  const read = (offset: number, length: number) => netcdf.subarray(offset, offset + length);
  const cube = openNetcdf3({ size: netcdf.length, read });
  const { dimensions } = cube.variables.get(output)!;
  return {
    point,
    edr: ranges[output].values[0],
    grib2: decodeGrib2(grib, message!)[0]!,
    netcdf: Number(
      cube.read(
        output,
        dimensions.map(() => 0),
        dimensions.map(() => 1),
      )[0],
    ),
  };
}

async function bytesOf(method: "GET" | "POST", target: string, body?: object): Promise<Buffer> {
  const reply = await ask(method, target, { body });
  if (reply.status !== 200) throw new Error(`${target}: ${reply.status} ${await textOf(reply)}`);
  const { body: sent } = reply;
  return typeof sent === "string" || sent instanceof Uint8Array ? Buffer.from(sent) : await buffer(sent!);
}

async function json(method: "GET" | "POST", target: string, body?: object) {
  const answer = JSON.parse((await bytesOf(method, target, body)).toString());
  if (answer.error) throw new Error(`${target}: ${answer.error}`);
  return answer;
}

/** A copy of a GRIB2 file whose decimal scale factors are −2, so that its values are a hundred times as large. */
async function hundredfold(fixture: string): Promise<string> {
  const bytes = readFileSync(fixture);
  const section5 = Buffer.from([0, 0, 0, 21, 5]);
  for (let at = bytes.indexOf(section5); at >= 0; at = bytes.indexOf(section5, at + 1))
    bytes.writeUInt16BE(0x8002, at + 17);
  const copy = join(await scratch(), "hundredfold.grib2");
  writeFileSync(copy, bytes);
  return copy;
}

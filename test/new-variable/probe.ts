import { layerNames } from "#components/view-state/overlays.ts";
import { formatInstant } from "#lib/time.ts";
import { openCatalog } from "#server/archive/catalog.ts";
import { directoryStore } from "#server/archive/directory-store.ts";
import { openReader } from "#server/archive/reader.ts";
import { pathSigner } from "#server/http/signed-path.ts";
import { createDecoder } from "#server/ingest/decoder.ts";
import { frameCache } from "#server/metocean/frames.ts";
import { apiDocument } from "#server/operations/operations.ts";
import { demoArchive } from "#test/demo-archive.ts";
import { testContext, testRequestContext } from "#test/http.ts";
import { ingestForTest, removeScratch, scratch } from "#test/ingest.ts";
import { ask, connectContext, textOf } from "#test/send.ts";

/** What a program that has the variable answers. Written to standard output as JSON. */
export interface Answers {
  ingested: string[];
  point: unknown;
  demo: unknown;
  manifest: { runs: { planes: unknown }[] };
  layers: readonly string[];
  isInOpenApi: boolean;
}

const [name, fixture] = process.argv.slice(2) as [string, string];
const requestContext = testRequestContext();
const now = requestContext.weather.now();
const folder = await scratch();
const decoder = createDecoder();
const { runs } = await ingestForTest(folder, decoder, "gfs", fixture);
await decoder.close();

const files = directoryStore(folder);
const reader = openReader(files, { cacheBytes: 1e7 });
const real = {
  ...openCatalog(files),
  valuesAt: (...asked: Parameters<typeof reader.valuesAt>) => reader.valuesAt(...asked),
  storedFrame: () => undefined,
};
const serve = (archive: object) =>
  connectContext(
    testContext({
      ...requestContext,
      archive,
      frames: frameCache(1e6),
      framePaths: pathSigner("a secret", requestContext.clock),
    }),
  );
const json = async (method: "GET" | "POST", target: string, body?: object) => {
  const reply = await ask(method, target, { body });
  if (reply.status !== 200) throw new Error(`${target}: ${reply.status} ${await textOf(reply)}`);
  const answer = JSON.parse(await textOf(reply));
  if (answer.error) throw new Error(`${target}: ${answer.error}`);
  return answer;
};
const points = [{ latitude: 45, longitude: -30, timestamp: formatInstant(now + 5400) }];
const request = { points, variables: [name, "wind"], include_meta: true };
const manifestPath = `/2DMetOcean/manifest?variable=${name}`;

serve(real);
const point = (await json("POST", "/MetOcean", request)).result;
const manifest = await json("GET", manifestPath);
serve(demoArchive(now));
const demo = (await json("POST", "/MetOcean", request)).result;

const answers: Answers = {
  ingested: runs.flatMap((run) => Object.keys(run.fields)),
  point,
  demo,
  manifest,
  layers: layerNames,
  isInOpenApi: JSON.stringify(apiDocument("1")).includes("Visibility, m"),
};
await removeScratch();
process.stdout.write(JSON.stringify(answers));

import type { ServerResponse } from "node:http";

import { type FieldName, fields } from "#lib/catalog/fields.ts";
import { FILL } from "#lib/catalog/fill.ts";
import { type Output, variable } from "#lib/catalog/variables.ts";
import { bodyLimits } from "#lib/contract/limits.ts";
import { type MapRequest, mapRequest } from "#lib/contract/map2d.ts";
import { formatInstant } from "#lib/time.ts";
import { withManifest } from "#server/archive/catalog.ts";
import { type Context, openContext } from "#server/context.ts";
import { Connections } from "#server/http/connections.ts";
import { httpServer } from "#server/http/http-server.ts";
import { BodyMemory } from "#server/http/request-body.ts";
import { routerOf } from "#server/http/router.ts";
import { bodyReader } from "#server/http/validation.ts";
import { mapQuestion, planBox } from "#server/metocean/box-plan.ts";
import { derivation } from "#server/metocean/points.ts";
import { envelopeReply } from "#server/operations/answer.ts";
import { map2d } from "#server/operations/boxes.ts";
import { bodyOperation } from "#server/operations/definition.ts";
import { metOcean } from "#server/operations/points.ts";
import { readEnv } from "#server/platform/env.ts";
import { listen } from "#server/platform/listen.ts";
import { createLogger, standardOutput } from "#server/platform/log.ts";

/**
 * The server's own context, pipeline and archive, for measurements: `/2DMetOcean`, and `/nested`, which answers the same
 * requests from the same reader in the simplest way, with nested lists and `JSON.stringify`.
 */
const env = readEnv();
const log = createLogger("error", [], standardOutput());
const { context } = await openContext(env, log);

const nested = bodyOperation(
  {
    route: "POST /nested",
    reader: bodyReader(mapRequest),
    schemaName: "MapRequest",
    limitBytes: bodyLimits.sync,
    group: "data",
  },
  (job) =>
    envelopeReply(job, {}, async () => ({
      results: [await nestedAnswer(job.context.archive, job.body, job.now, job.signal)],
    })),
);

const server = httpServer({
  bodies: new BodyMemory(),
  connections: new Connections({ all: 1024, ofAddress: 1024 }),
  log,
  accessLog: log,
  observe: context.metrics.served,
  trustedProxies: 0,
  router: routerOf({
    "/MetOcean": { POST: metOcean.endpoint(context) },
    "/2DMetOcean": { POST: map2d.endpoint(context) },
    "/nested": { POST: nested.endpoint(context) },
  }),
  page: async (_incoming, response: ServerResponse) => {
    response.writeHead(404).end();
  },
});
const port = await listen(server, env.port, env.host);
console.log(`Open MetOcean  http://127.0.0.1:${port}/`);

function nestedAnswer(
  source: Context["archive"],
  request: MapRequest,
  now: number,
  signal: AbortSignal,
): Promise<unknown> {
  return withManifest(source, async (manifest) => {
    const limit = { max: Number.POSITIVE_INFINITY, instead: "" };
    const plan = planBox(manifest, mapQuestion(request), now, limit);
    const time = plan.times[0]!;
    const run = plan.runFor(request.variable, time);
    const outputs: readonly Output[] = variable(request.variable).outputs;
    const columns = new Map<FieldName, Float64Array>();
    for (const name of new Set(outputs.flatMap((output): readonly FieldName[] => output.of))) {
      const step = run!.times.indexOf(time);
      const { values } = await source.mapStep(run!, name, step, 1, signal);
      const { scale, offset } = fields[name];
      columns.set(
        name,
        Float64Array.from(values, (stored) => (stored === FILL ? Number.NaN : stored * scale + offset)),
      );
    }
    const width = plan.longitude.length;
    const conditions: Record<string, (number | null)[][]> = {};
    for (const output of outputs) {
      const derive = derivation(output, columns);
      const rows: (number | null)[][] = [];
      for (let row = 0; row < plan.latitude.length; row++) {
        const values: (number | null)[] = [];
        for (let column = 0; column < width; column++) values.push(derive(row * width + column));
        rows.push(values);
      }
      conditions[output.map2d!] = rows;
    }
    const timestamp = formatInstant(time);
    const coordinates = { latitude: [...plan.latitude], longitude: [...plan.longitude], timestamp };
    return { coordinates, conditions };
  });
}

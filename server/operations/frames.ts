import { createHash } from "node:crypto";
import { z } from "zod";
import { type DrawnVariable, drawnVariables } from "#lib/catalog/colours.ts";
import { type StatisticName, statisticOf, statistics } from "#lib/catalog/ensemble.ts";
import { BEST } from "#lib/catalog/source-order.ts";
import { ensembleName } from "#lib/contract/ensemble.ts";
import { framesPath, signedFramesPath } from "#lib/contract/frame-paths.ts";
import { modelName, utcInstant } from "#lib/contract/point.ts";
import { parseInstant } from "#lib/time.ts";
import { ensemblesIn, manifestOfStatistic } from "#server/archive/ensembles.ts";
import { manifestOfModel, manifestWithEarlier } from "#server/archive/one-model.ts";
import type { Manifest } from "#server/archive/run.ts";
import type { Context } from "#server/context.ts";
import type { ApiRequest, Reply } from "#server/http/api-request.ts";
import { addressGroup } from "#server/http/client-address.ts";
import { conditionalReply, detailReply, HttpError, jsonReply, syntheticHeader } from "#server/http/reply.ts";
import { cacheControlOf } from "#server/http/signed-path.ts";
import {
  archiveSpans,
  drawableManifest,
  ensemblesOfVariable,
  modelsOfVariable,
  variableOfLayer,
} from "#server/metocean/drawable.ts";
import { type FrameAddress, type FrameCache, frameAt, frameKey } from "#server/metocean/frames.ts";
import { preferredEncoding } from "#server/platform/negotiation.ts";
import { countedOperation, readOperation } from "./definition.ts";
import { requireEnsemble, requireModels } from "./models.ts";

const FRAME = "{dataset}/{run}/{variable}/{time}/{level}/{chunk}";

/** GET /2DMetOcean/frames/…: a chunk of one step of a field at one level, for the map (format: lib/field/frame.ts). */
export const mapFrame = readOperation(
  {
    route: `GET /2DMetOcean/frames/${FRAME}`,

    group: "frames",
    openToGuests: true,
  },
  ({ context, request, caller }) =>
    // The key decides who may read it, so that a shared cache must not store it.
    frameReply(
      context,
      request,
      caller.owner,
      "private, max-age=31536000, immutable",
      "X-API-Key, Accept-Encoding",
    ),
);

/**
 * GET /2DMetOcean/signed-frames/<grant>/…: the same frame without a key, by a path that the manifest has signed. A
 * shared cache may store it as long as the grant is valid.
 */
export const signedMapFrame = countedOperation(
  { route: `GET /2DMetOcean/signed-frames/{grant}/${FRAME}`, group: "frames" },
  (request, context) => {
    const { dataset = "", run = "", variable = "", grant = "" } = request.params;
    const { state, secondsLeft } = context.framePaths.check(grant, framesPath({ dataset, run, variable }));
    if (state === "expired")
      return detailReply(410, "This path to map frames has expired: request the manifest again");
    if (state === "forged") return detailReply(403, "This path to map frames was not signed by this service");
    return frameReply(
      context,
      request,
      addressGroup(request.address),
      cacheControlOf(secondsLeft),
      "Accept-Encoding",
    );
  },
);

function frameReply(
  context: Context,
  request: ApiRequest,
  owner: string,
  cacheControl: string,
  vary: string,
): Promise<Reply> {
  const { dataset = "", run = "", variable = "", time = "", level = "", chunk = "" } = request.params;
  const address: FrameAddress = { dataset, run, variable, time, level, chunk };
  // The tag is weak because every encoding has the same numbers.
  const etag = `W/"${Buffer.from(frameKey(address)).toString("base64url")}"`;
  // A frame that must be made waits in the queue; a stored or cached one does not.
  const frames: Pick<FrameCache, "get"> = {
    get: (key, make, signal) =>
      context.frames.get(
        key,
        (stop) => {
          const aborter = new AbortController();
          stop.addEventListener("abort", () => aborter.abort(stop.reason), { once: true });
          const job = { owner, aborter, arrived: request.arrived };
          return context.queues.frames.run(job, () => make(aborter.signal));
        },
        signal,
      ),
  };
  const make = async (): Promise<Reply> => {
    const encoding = preferredEncoding(request.header("accept-encoding"));
    const frame = await frameAt(context.archive, frames, address, encoding, request.signal);
    if (!frame) throw new HttpError(detailReply(404, "Frame not found"));
    const headers = {
      "content-type": "application/vnd.metocean.frame",
      ...(encoding && { "content-encoding": encoding }),
      ...(frame.provenance === "synthetic" && syntheticHeader),
    };
    return { status: 200, headers, body: frame.bytes };
  };
  return conditionalReply(request, etag, cacheControl, make, vary);
}

/** GET /2DMetOcean/manifest: runs, steps, levels and scale of what the map can draw. */
export const fieldManifest = readOperation(
  {
    route: "GET /2DMetOcean/manifest",

    group: "frames",
    openToGuests: true,
    query: z.object({
      variable: z.enum([...drawnVariables, ...statistics.map(({ name }) => name)]),
      ensemble: ensembleName.describe(
        "Name of an ensemble, for a variable that is a statistic; default: the first that stores it",
      ),
      model: modelName
        .optional()
        .describe(
          "Name of a model, whose runs alone are listed; default: those of all models, in order of preference",
        ),
      earlier: z
        .enum(["true"])
        .optional()
        .describe("true: also lists earlier forecasts for times that a newer one answers"),
      at: utcInstant.optional().describe("Time around which runs are listed, however far back, UTC"),
      archive: z
        .enum(["spans"])
        .optional()
        .describe("spans: also returns the spans of time for which the archive has runs"),
    }),
  },
  async ({ query, context, request }) => {
    await requireModels(context.archive, query.model === undefined ? undefined : [query.model], [
      "query",
      "model",
    ]);
    if (query.ensemble !== undefined)
      await requireEnsemble(context.archive, query.ensemble, ["query", "ensemble"]);
    const whole = await context.archive.manifest();
    const statistic = statisticOf(query.variable);
    const of = variableOfLayer(query.variable);
    const answering = statistic
      ? manifestOfStatistic(whole, query.ensemble ?? firstWith(whole, statistic.name), statistic.name)
      : manifestOfModel(whole, query.model ?? BEST);
    const manifest = query.earlier ? manifestWithEarlier(answering) : answering;
    const models = statistic ? [] : modelsOfVariable(whole, query.variable as DrawnVariable);
    const ensembles = ensemblesOfVariable(whole, of);
    const drawable = drawableManifest(
      manifest,
      query.variable,
      context.weather.now(),
      query.at === undefined ? undefined : parseInstant(query.at),
      (frames) => signedFramesPath(context.framePaths.grant(framesPath(frames)), frames),
    );
    const awaited = (drawable.runs.length === 0 && !statistic && context.brought.has(of)) || undefined;
    const archive = query.archive && archiveSpans(manifest, of);
    // The tag leaves out the ends of the spans, which change with the clock every second; the runs and their steps
    // change rarely.
    const lasting = drawable.runs.map(({ from: _from, to: _to, ...run }) => run);
    const content = createHash("sha256")
      .update(JSON.stringify([lasting, models, ensembles, archive, awaited]))
      .digest("base64url");
    return conditionalReply(
      request,
      `"${content.slice(0, 22)}"`,
      awaited ? "private, no-cache" : "private, max-age=30",
      () =>
        jsonReply(
          200,
          {
            ...drawable,
            ...(models.length > 0 && { models }),
            ...(ensembles.length > 0 && { ensembles }),
            archive,
            awaited,
          },
          drawable.synthetic ? syntheticHeader : {},
        ),
    );
  },
);

/** The first ensemble that stores a statistic; the first of all if none does. */
function firstWith(manifest: Manifest, name: StatisticName): string {
  const all = ensemblesIn(manifest);
  return all.find((one) => manifestOfStatistic(manifest, one, name).runs.length > 0) ?? all[0] ?? "";
}

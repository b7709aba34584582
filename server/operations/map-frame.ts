import { z } from "zod";
import { framesPath } from "#lib/contract/frame-paths.ts";
import type { Context } from "#server/context.ts";
import { chosenEncoding } from "#server/http/compression.ts";
import { conditionalReply } from "#server/http/conditional-request.ts";
import { syntheticHeader } from "#server/http/endpoint.ts";
import { detailReply, HttpError } from "#server/http/errors.ts";
import type { ApiRequest, Reply } from "#server/http/exchange.ts";
import { type FrameAddress, frameAt, frameKey } from "#server/metocean/frames.ts";
import { countedEndpoint, readEndpoint } from "./app-context.ts";

/** GET /2DMetOcean/frames/…: a chunk of one step of a field at one level, for the map (lib/field/frame.ts tells the form). */
export const mapFrame = readEndpoint({ group: "frames", query: z.object({}) }, ({ context, request }) =>
  // The key decides who may read it: a shared cache must not hand it on.
  frameReply(context, request, "private, max-age=31536000, immutable", "X-API-Key, Accept-Encoding"),
);

/**
 * GET /2DMetOcean/signed-frames/<grant>/…: the same without a key, for whoever was given the path by the manifest. A shared
 * cache may hand it on as long as the grant is good.
 */
export const signedMapFrame = countedEndpoint("frames", (request, context) => {
  const { dataset = "", run = "", variable = "", grant = "" } = request.params;
  const { state, secondsLeft } = context.framePaths.check(grant, framesPath({ dataset, run, variable }));
  if (state === "expired")
    return detailReply(410, "This path to map frames has ended: ask the manifest again");
  if (state === "forged") return detailReply(403, "This path to map frames was not signed by this service");
  return frameReply(context, request, `public, max-age=${secondsLeft}, immutable`, "Accept-Encoding");
});

function frameReply(
  context: Context,
  request: ApiRequest,
  cacheControl: string,
  vary: string,
): Promise<Reply> {
  const { dataset = "", run = "", variable = "", time = "", level = "", chunk = "" } = request.params;
  const address: FrameAddress = { dataset, run, variable, time, level, chunk };
  // A weak tag: the same numbers, however they are compressed.
  const etag = `W/"${Buffer.from(frameKey(address)).toString("base64url")}"`;
  const make = async (): Promise<Reply> => {
    const encoding = chosenEncoding(request.header("accept-encoding"));
    const frame = await frameAt(context.archive, context.frames, address, encoding, request.signal);
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

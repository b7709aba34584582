import { gunzipSync } from "node:zlib";
import { z } from "zod";
import { DEMO_SOURCE } from "#server/archive/demo/runs.ts";
import { chosenEncoding } from "#server/http/compression.ts";
import { syntheticHeader } from "#server/http/endpoint.ts";
import { detailReply } from "#server/http/errors.ts";
import { type FrameAddress, frameAt, frameKey } from "#server/metocean/frames.ts";
import { readEndpoint } from "#server/operations/house.ts";
import { unlessHeld } from "#server/operations/unless-held.ts";

/** GET /2DMetOcean/frames/…: one step of a field at one level, for the map (lib/field/frame.ts tells the form). */
export const mapFrame = readEndpoint(
  { group: "frames", query: z.object({}) },
  async ({ context, request }) => {
    const address = request.params as unknown as FrameAddress;
    const frame = await frameAt(context.archive, context.frames, address, request.signal);
    if (!frame) return detailReply(404, "Frame not found");
    const etag = `"${Buffer.from(frameKey(address)).toString("base64url")}"`;
    // The key decides who may read it: a shared cache must not hand it on.
    return unlessHeld(request, etag, "private, max-age=31536000, immutable", () => {
      const packed = chosenEncoding(request.header("accept-encoding")?.replace(/\bbr\b/g, "")) === "gzip";
      const headers = {
        "content-type": "application/vnd.metocean.frame",
        vary: "X-API-Key, Accept-Encoding",
        ...(address.run.includes(`.${DEMO_SOURCE}.`) && syntheticHeader),
      };
      if (!packed) return { status: 200, headers, body: gunzipSync(frame) };
      return { status: 200, headers: { ...headers, "content-encoding": "gzip" }, body: frame };
    });
  },
);

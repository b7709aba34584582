import { createHash } from "node:crypto";
import { z } from "zod";
import { drawnVariables } from "#lib/catalog/colours.ts";
import { framesPath, signedFramesPath } from "#lib/contract/frame-paths.ts";
import { utcInstant } from "#lib/contract/point.ts";
import { parseInstant } from "#lib/time.ts";
import { conditionalReply, jsonReply, syntheticHeader } from "#server/http/reply.ts";
import { drawableManifest } from "#server/metocean/drawable.ts";
import { readOperation } from "./definition.ts";

/** GET /2DMetOcean/manifest: runs, steps, levels and scale of what the map can draw. */
export const fieldManifest = readOperation(
  {
    method: "GET",
    path: "/2DMetOcean/manifest",
    group: "frames",
    openToGuests: true,
    query: z.object({
      variable: z.enum(drawnVariables),
      at: utcInstant.optional().describe("an instant to be drawable, however far back"),
    }),
  },
  async ({ query, context, request }) => {
    const drawable = drawableManifest(
      await context.archive.manifest(),
      query.variable,
      context.weather.now(),
      query.at === undefined ? undefined : parseInstant(query.at),
      (frames) => signedFramesPath(context.framePaths.grant(framesPath(frames)), frames),
    );
    // The clock, and with it the ends of the spans, changes every second; the runs and their steps rarely.
    const lasting = drawable.runs.map(({ from: _from, to: _to, ...run }) => run);
    const content = createHash("sha256").update(JSON.stringify(lasting)).digest("base64url");
    return conditionalReply(request, `"${content.slice(0, 22)}"`, "private, max-age=30", () =>
      jsonReply(200, drawable, drawable.synthetic ? syntheticHeader : {}),
    );
  },
);

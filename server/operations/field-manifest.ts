import { createHash } from "node:crypto";
import { z } from "zod";
import { drawnVariables } from "#lib/catalog/colours.ts";
import { framesPath, signedFramesPath } from "#lib/contract/frame-paths.ts";
import { utcInstant } from "#lib/contract/point.ts";
import { parseInstant } from "#lib/time.ts";
import { conditionalReply, jsonReply, syntheticHeader } from "#server/http/reply.ts";
import { archiveSpans, drawableManifest } from "#server/metocean/drawable.ts";
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
      archive: z
        .enum(["spans"])
        .optional()
        .describe("spans: also the spans of time that the whole archive has runs for"),
    }),
  },
  async ({ query, context, request }) => {
    const manifest = await context.archive.manifest();
    const drawable = drawableManifest(
      manifest,
      query.variable,
      context.weather.now(),
      query.at === undefined ? undefined : parseInstant(query.at),
      (frames) => signedFramesPath(context.framePaths.grant(framesPath(frames)), frames),
    );
    const awaited = (drawable.runs.length === 0 && context.brought.has(query.variable)) || undefined;
    const archive = query.archive && archiveSpans(manifest, query.variable);
    // The clock, and with it the ends of the spans, changes every second; the runs and their steps rarely.
    const lasting = drawable.runs.map(({ from: _from, to: _to, ...run }) => run);
    const content = createHash("sha256")
      .update(JSON.stringify([lasting, archive, awaited]))
      .digest("base64url");
    return conditionalReply(
      request,
      `"${content.slice(0, 22)}"`,
      awaited ? "private, no-cache" : "private, max-age=30",
      () => jsonReply(200, { ...drawable, archive, awaited }, drawable.synthetic ? syntheticHeader : {}),
    );
  },
);

import "./without-eval.ts";
import { stormOutlooks } from "@open-metocean/storms/schema";
import { ensembleResponse } from "#lib/contract/ensemble.ts";
import { fieldManifest } from "#lib/contract/field-manifest.ts";
import { failureResponse, pointResponse, pointRunsResponse } from "#lib/contract/point.ts";
import { stormHistoryResponse, stormsResponse } from "#lib/contract/storms.ts";

/**
 * Contract schemas of the replies that the map page reads. This file is separate so that `parse-reply.ts` can
 * load it later.
 */
export const replySchemas = {
  manifest: fieldManifest,
  point: pointResponse,
  pointRuns: pointRunsResponse,
  ensemble: ensembleResponse,
  failure: failureResponse,
  storms: stormsResponse,
  stormHistory: stormHistoryResponse,
  stormOutlooks,
} as const;

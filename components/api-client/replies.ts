import "./without-eval.ts";
import { fieldManifest } from "#lib/contract/field-manifest.ts";
import { failureResponse, pointResponse } from "#lib/contract/point.ts";
import { stormHistoryResponse, stormsResponse } from "#lib/contract/storms.ts";

/** What the service answers to the map page, by the contract. A file apart from the page's own: see `load-replies.ts`. */
export const replies = {
  manifest: fieldManifest,
  point: pointResponse,
  failure: failureResponse,
  storms: stormsResponse,
  stormHistory: stormHistoryResponse,
} as const;

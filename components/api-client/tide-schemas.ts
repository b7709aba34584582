import "./without-eval.ts";
import { z } from "zod";
import { streamPrediction, tidePrediction, tideStations, tidesNow } from "#lib/contract/tides.ts";

/**
 * Contract schemas of the replies about tides. This file is separate so that it loads with the first of them.
 */
export const tideSchemas = {
  prediction: z.discriminatedUnion("kind", [tidePrediction, streamPrediction]),
  stations: tideStations,
  now: tidesNow,
} as const;

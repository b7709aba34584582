import type { Box } from "@open-metocean/geo/box";
import type { Place } from "@open-metocean/geo/sphere";
import type {
  StreamPrediction,
  TideKind,
  TidePrediction,
  TideStations,
  TidesNow,
} from "#lib/contract/tides.ts";
import type { TideBeyond } from "#lib/watches/tide.ts";
import type { TideExtremes } from "#lib/watches/tide-extreme.ts";
import { workerPool } from "#server/platform/worker-pool.ts";
import { PredictionError, UnknownStationError } from "./errors.ts";
import type { ExtremesQuestion } from "./extremes.ts";
import type { LimitQuestion } from "./limit.ts";
import type { StationQuestion } from "./period.ts";
import type { ViewQuestion } from "./view.ts";

export interface TideThreadSettings {
  /** Whether stations are offered whose licence forbids commercial use. */
  nonCommercial: boolean;
}

export interface NearestQuestion extends StationQuestion {
  place: Place;
  kind: TideKind;
  /** Longest distance by water, km. */
  within: number;
}

export interface StationsQuestion {
  kind?: TideKind | undefined;
  search?: string | undefined;
  place?: Place | undefined;
  /** Ways by water from the place are searched up to this distance, km. */
  within: number;
  bbox?: Box | undefined;
  offset: number;
  limit: number;
}

export type Prediction = TidePrediction | StreamPrediction;

/** Heap of the thread, MB: the database, and the answers of a year. */
const MAX_OLD_MB = 256;

/**
 * Time without a question after which the thread ends, milliseconds. Starting it again takes less than half a second.
 */
const IDLE_MS = 120_000;

/**
 * Predicts tides and streams in a thread that starts with the first question, because the database takes 190 MB. A call
 * throws PredictionError, or UnknownStationError where there is no station or none is near enough.
 *
 * @param idleMs Time without a question after which the thread ends, milliseconds.
 */
export function openTides(settings: TideThreadSettings, idleMs = IDLE_MS) {
  const pool = workerPool({
    entry: new URL("./tide-thread.ts", import.meta.url),
    data: settings,
    limits: { maxOldGenerationSizeMb: MAX_OLD_MB },
    idleMs,
    errors: [UnknownStationError, PredictionError],
  });
  return {
    station: (id: string, question: StationQuestion) => pool.call<Prediction>("station", { ...question, id }),
    nearest: (question: NearestQuestion) => pool.call<Prediction>("nearest", question),
    stations: (question: StationsQuestion) => pool.call<TideStations>("stations", question),
    view: (question: ViewQuestion) => pool.call<TidesNow>("view", question),
    beyond: (id: string, question: LimitQuestion) => pool.call<TideBeyond>("beyond", { ...question, id }),
    extremes: (id: string, question: ExtremesQuestion) =>
      pool.call<TideExtremes>("extremes", { ...question, id }),
    close: () => pool.terminate(),
  };
}

export type Tides = ReturnType<typeof openTides>;

import type {
  StreamPrediction,
  TideKind,
  TidePrediction,
  TideStations,
  TidesNow,
} from "#lib/contract/tides.ts";
import type { Box } from "#lib/geo/box.ts";
import type { Place } from "#lib/geo/sphere.ts";
import type { TideBeyond } from "#lib/watches/tide.ts";
import { workerPool } from "#server/platform/worker-pool.ts";
import type { StationQuestion } from "./answer.ts";
import { PredictionError, UnknownStationError } from "./errors.ts";
import type { LimitQuestion } from "./limit.ts";
import type { ViewQuestion } from "./view.ts";

export interface TideThreadSettings {
  /** Whether stations are offered whose licence forbids commercial use. */
  nonCommercial: boolean;
}

export interface NearestQuestion extends StationQuestion {
  place: Place;
  kind: TideKind;
  /** Kilometres. */
  within: number;
}

export interface StationsQuestion {
  kind?: TideKind | undefined;
  search?: string | undefined;
  place?: Place | undefined;
  bbox?: Box | undefined;
  offset: number;
  limit: number;
}

export type Prediction = TidePrediction | StreamPrediction;

/** Predicts tides and streams, in a thread that starts with the first question: the database takes 190 MB. */
export interface Tides {
  /** @throws UnknownStationError; PredictionError */
  station(id: string, question: StationQuestion): Promise<Prediction>;
  /** @throws UnknownStationError where none is near enough; PredictionError */
  nearest(question: NearestQuestion): Promise<Prediction>;
  stations(question: StationsQuestion): Promise<TideStations>;
  view(question: ViewQuestion): Promise<TidesNow>;
  /** @throws UnknownStationError; PredictionError */
  beyond(id: string, question: LimitQuestion): Promise<TideBeyond>;
  close(): Promise<void>;
}

/** The database, and answers of a year. */
const MAX_OLD_MB = 256;

/** Starting again takes less than half a second. */
const IDLE_MS = 120_000;

/** @param idleMs After this time without a question the thread ends. */
export function openTides(settings: TideThreadSettings, idleMs = IDLE_MS): Tides {
  const pool = workerPool({
    entry: new URL("./tide-thread.ts", import.meta.url),
    data: settings,
    limits: { maxOldGenerationSizeMb: MAX_OLD_MB },
    idleMs,
    errors: [UnknownStationError, PredictionError],
  });
  return {
    station: (id, question) => pool.call("station", { ...question, id }),
    nearest: (question) => pool.call("nearest", question),
    stations: (question) => pool.call("stations", question),
    view: (question) => pool.call("view", question),
    beyond: (id, question) => pool.call("beyond", { ...question, id }),
    close: () => pool.terminate(),
  };
}

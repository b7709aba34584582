/** There is no such station, or none is near enough. */
export class UnknownStationError extends Error {
  override readonly name = "UnknownStationError";
}

/** A question that a station cannot answer; its message begins with the name of the parameter. */
export class PredictionError extends Error {
  override readonly name = "PredictionError";
}

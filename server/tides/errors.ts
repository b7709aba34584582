/** There is no such station, or none is near enough. */
export class UnknownStationError extends Error {
  override readonly name = "UnknownStationError";
}

/** A station cannot answer the question. The message begins with the name of the parameter. */
export class PredictionError extends Error {
  override readonly name = "PredictionError";
}

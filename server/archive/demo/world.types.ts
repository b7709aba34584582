import type { LandMask } from "./land.ts";

/**
 * What does not change with time, made once. Arrays are (latitude, longitude) over `worldGrid`, row-major, south to
 * north, unless said otherwise.
 */
export interface StaticWorld {
  land: LandMask;
  /** Distance to the coast, km: positive at sea, negative inland. */
  coastDistance: Float32Array;
}

/** Everything that the fields of the demo world are computed from. */
export interface World {
  /** Another seed is another planet's weather; coasts and climate stay. */
  seed: number;
  static: StaticWorld;
}

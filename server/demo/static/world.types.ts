import type { LandMask } from "./land.ts";

/**
 * Everything that does not change with time, derived once. Arrays are (latitude, longitude) row-major, south to north; over `worldGrid`
 * (cells of 0.25°) or over the `lattice` (nodes every 0.5°).
 */
export interface StaticWorld {
  /** Over `worldGrid`. */
  land: LandMask;
  /** Distance to the coast, km: positive at sea, negative inland. Over `worldGrid`. */
  coastDistance: Float32Array;
  /** Depth of the sea floor, metres, positive down; 0 on land. Over `worldGrid`. */
  depth: Float32Array;
  /** Water to windward, km: see `deriveFetch`. */
  fetch: Uint16Array;
  /** Streamfunction of the mean circulation, m² s⁻¹. Over the lattice. */
  gyres: Float32Array;
  /** Factor for currents whose equations have no coast: 0 at continents and larger islands, 1 far from them. Over the lattice. */
  coastFactor: Float32Array;
  /** Four textures of the streamfunction of eddies, m² s⁻¹: (4, latitude, longitude) over the lattice. */
  eddies: Float32Array;
  /** Tidal streams, m s⁻¹: see `deriveTide`. (8, latitude, longitude) over the lattice. */
  tide: Float32Array;
  /** How far the sea surface is warmer than its parallel, °C. Over the lattice. */
  warmth: Float32Array;
}

/** Everything that the fields of the demo world are computed from. */
export interface World {
  /** Another seed is another planet's weather; coasts and climate stay. */
  seed: number;
  static: StaticWorld;
}

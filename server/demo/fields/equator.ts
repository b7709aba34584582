import { hash01 } from "#server/demo/math/hash.ts";

/** Waves of the equatorial currents: number around the globe; days in which one passes west; swing, degrees of latitude. */
const WAVES = [
  { number: 33, days: 31, degrees: 1.0 },
  { number: 21, days: 44, degrees: 1.05 },
  { number: 9, days: -130, degrees: 0.9 },
  { number: 4, days: 300, degrees: 1.3 },
] as const;

/** Beyond this parallel there is nothing of them left. */
const REACH = 24;

export function nearEquator(latitude: number): boolean {
  return Math.abs(latitude) < REACH;
}

/** What the currents of the equator do on one meridian. */
export interface EquatorialWaves {
  /** Degrees by which the northern and the southern streams stand north of their mean places. */
  north: number;
  south: number;
  /** About 1. */
  strength: number;
}

/**
 * The waves of the equatorial currents on a meridian, which wind as tropical instability waves do and are stronger in some
 * months and places than in others.
 *
 * @param time Unix seconds.
 */
export function equatorialWaves(seed: number, time: number, longitude: number): EquatorialWaves {
  const turn = 2 * Math.PI * (longitude / 180 - time / (190 * 86_400) + hash01(seed, 752, 0));
  return {
    north: winding(seed, time, longitude, 0),
    south: 0.6 * winding(seed, time, longitude, 1),
    strength: 1 + 0.3 * Math.sin(turn) + 0.12 * Math.sin(5 * turn + 1),
  };
}

/**
 * Streamfunction of the South Equatorial Current and the Equatorial Counter Currents at a latitude of a meridian, m² s⁻¹,
 * without regard to coasts. The westward stream lies across the equator, the eastward one between 5°N and 9°N, and a weak
 * one near 11°S.
 */
export function equatorialStream(waves: EquatorialWaves, latitude: number): number {
  const north = latitude - waves.north;
  // Eastward on the north flank of the ridge at 4.5°N; westward on its broad south flank, with two cores.
  const ridge = bell(north, 4.5, north > 4.5 ? 4 : 6.2) + 0.3 * bell(north, 4.5, 3);
  return 1.45e5 * waves.strength * ridge - 3.5e4 * bell(latitude - waves.south, -9.5, 3.2);
}

function bell(latitude: number, centre: number, width: number): number {
  const off = (latitude - centre) / width;
  return Math.exp(-off * off);
}

/** Degrees by which a stream stands north of its mean place; the waves come and go in groups. */
function winding(seed: number, time: number, longitude: number, stream: number): number {
  let swing = 0;
  for (let wave = 0; wave < WAVES.length; wave++) {
    const { number, days, degrees } = WAVES[wave]!;
    const phase = hash01(seed, 751 + stream, wave);
    const turns = (number * longitude) / 360 + time / (days * 86_400) + phase;
    const group = ((wave + 2) * longitude) / 360 + time / ((90 + 40 * wave) * 86_400) + 3 * phase;
    const strength = 0.55 + 0.45 * Math.sin(2 * Math.PI * group);
    swing += degrees * strength * Math.sin(2 * Math.PI * turns);
  }
  return swing;
}

const DAY_S = 86_400;
const RADIANS = Math.PI / 180;

/** Origin of phases, 2026-01-01, Unix seconds. It keeps them small numbers. */
const EPOCH = 1_767_225_600;

/** A wave that travels along the parallels: `amplitude · shape(latitude) · cos(zonal · longitude − phase)`. */
interface TravellingWave {
  amplitude: number;
  /** Number of crests around the globe, 0 or more. */
  zonal: number;
  /** Growth of the phase, degrees a day; divided by `zonal` it is the speed toward the east. */
  degreesADay: number;
  /** Phase at the origin of time, degrees. */
  phase: number;
  /** Amplitude by latitude. Waves with crests must vanish at the poles. */
  shape: (latitude: number) => number;
}

/** A mean by latitude, with waves on it. Its mean over time and around a parallel is constant. */
export interface Form {
  mean: (latitude: number) => number;
  waves: readonly TravellingWave[];
}

/** A time, or the window of an average. */
export interface Window {
  /** Start and end, Unix seconds; equal for an instant. */
  from: number;
  to: number;
}

/** Rows and columns in the order of a file. */
export interface Nodes {
  latitudes: Float64Array;
  longitudes: Float64Array;
}

/** Amplitude and phase of a wave at one time or over one window. */
function atWindow(wave: TravellingWave, { from, to }: Window): { amplitude: number; phase: number } {
  const days = ((from + to) / 2 - EPOCH) / DAY_S;
  const half = (wave.degreesADay * RADIANS * (to - from)) / DAY_S / 2;
  // The mean of a cosine over a window is the reduced cosine at its centre.
  const mean = half === 0 ? 1 : Math.sin(half) / half;
  return {
    amplitude: wave.amplitude * mean,
    phase: ((wave.degreesADay * days + wave.phase) % 360) * RADIANS,
  };
}

/** Values of a form at all nodes, row-major. Sines of the longitudes are computed once for all rows. */
export function formValues(form: Form, { latitudes, longitudes }: Nodes, window: Window): Float64Array {
  const columns = longitudes.length;
  const out = new Float64Array(latitudes.length * columns);
  const waves = form.waves.map((wave) => {
    const { amplitude, phase } = atWindow(wave, window);
    return {
      shape: wave.shape,
      along: Float64Array.from(
        longitudes,
        (longitude) => amplitude * Math.cos(wave.zonal * longitude * RADIANS - phase),
      ),
    };
  });
  for (let row = 0; row < latitudes.length; row++) {
    const latitude = latitudes[row]!;
    const start = row * columns;
    out.fill(form.mean(latitude), start, start + columns);
    for (const { shape, along } of waves) {
      const scale = shape(latitude);
      for (let column = 0; column < columns; column++) out[start + column]! += scale * along[column]!;
    }
  }
  return out;
}

/** Sine of an angle in degrees. */
export function sin(degrees: number): number {
  return Math.sin(degrees * RADIANS);
}

/** Cosine of an angle in degrees. */
export function cos(degrees: number): number {
  return Math.cos(degrees * RADIANS);
}

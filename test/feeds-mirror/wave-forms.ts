const DAY_S = 86_400;
const RADIANS = Math.PI / 180;

/** Phases are counted from here, so that they stay small numbers: 2026-01-01, Unix seconds. */
const EPOCH = 1_767_225_600;

/** A wave that travels along the parallels: `amplitude · shape(latitude) · cos(zonal · longitude − phase)`. */
interface TravellingWave {
  amplitude: number;
  /** Crests around the globe, 0 or more. */
  zonal: number;
  /** How fast the phase grows, degrees a day; divided by `zonal`, the speed toward the east. */
  degreesADay: number;
  /** Phase at the epoch, degrees. */
  phase: number;
  /** Along a meridian. Waves with crests must vanish at the poles. */
  shape: (latitude: number) => number;
}

/** A mean by latitude, and waves on it. Its mean over time and around a parallel never changes. */
export interface Form {
  mean: (latitude: number) => number;
  waves: readonly TravellingWave[];
}

/** A time, or the window of an average. */
export interface Window {
  /** Unix seconds; equal for an instant. */
  from: number;
  to: number;
}

/** Rows and columns in the order of a file. */
export interface Nodes {
  latitudes: Float64Array;
  longitudes: Float64Array;
}

/** A wave at one time or over one window: amplitude and phase. */
function atWindow(wave: TravellingWave, { from, to }: Window): { amplitude: number; phase: number } {
  const days = ((from + to) / 2 - EPOCH) / DAY_S;
  const half = (wave.degreesADay * RADIANS * (to - from)) / DAY_S / 2;
  // The mean of a cosine over a window is the cosine at its centre, made smaller.
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

import { normaliseLongitude } from "#lib/field/grid.ts";
import { DEGREE_KM, RADIANS } from "#lib/geo/sphere.ts";
import { DAY_S } from "#lib/time.ts";
import { hash01 } from "#server/demo/math/hash.ts";
import { smoothstep } from "#server/demo/math/patch.ts";

/**
 * A western boundary current after it has left the coast: a narrow eastward stream that meanders, with slow
 * recirculation on either side. Stommel's balance has no inertia and cannot make one.
 */
interface Jet {
  /** Points of the mean axis: latitude by longitude, unwrapped, west to east, evenly spaced. */
  from: number;
  spacing: number;
  axis: readonly number[];
  /** Speed on the axis, m s⁻¹. */
  speed: number;
  /** Largest meanders, degrees of latitude. */
  meander: number;
}

const jets: readonly Jet[] = [
  // Gulf Stream, from Hatteras
  {
    from: -76,
    spacing: 4,
    axis: [34.4, 36.8, 37.9, 38.6, 39.3, 39.9, 40.6, 42.2, 44.6, 47],
    speed: 1.9,
    meander: 1,
  },
  // Kuroshio, from Boso
  {
    from: 139,
    spacing: 4,
    axis: [34.2, 35.6, 35.9, 35.2, 35.4, 35.6, 35.4, 35.9, 36.4, 37],
    speed: 1.8,
    meander: 0.9,
  },
  // Agulhas Return Current
  {
    from: 17,
    spacing: 6,
    axis: [-38.6, -39.8, -39.3, -40.2, -40.4, -41.5, -42.8, -44, -45],
    speed: 1.4,
    meander: 0.7,
  },
  // Brazil-Malvinas confluence and South Atlantic Current
  {
    from: -55,
    spacing: 6,
    axis: [-38.2, -40.5, -41, -41.2, -41.4, -41.6, -41.6],
    speed: 1,
    meander: 0.8,
  },
  // East Australian Current toward New Zealand
  { from: 152.5, spacing: 4, axis: [-32.6, -33.6, -33.4, -34, -34.2], speed: 0.7, meander: 0.7 },
];

/** Half-width of the stream and of the recirculation around it, km. */
const STREAM_KM = 55;
const RECIRCULATION_KM = 300;

/** The meanders: wavelength, degrees; days in which one passes; share of the amplitude. */
const WAVES = [
  { degrees: 6.1, days: 83, share: 0.55 },
  { degrees: 4.3, days: 51, share: 0.3 },
  { degrees: 9.7, days: 167, share: 0.5 },
] as const;

/** The jets on one meridian. */
export interface JetAxis {
  /** Degrees. */
  latitude: number;
  /** Shortens distances along the meridian to distances from an axis that slants across it. */
  slant: number;
  /** 0..1, fading in from the jet's start and out toward its end. */
  strength: number;
  speed: number;
}

/** Whether any jet ever comes near a parallel. */
export function nearJets(latitude: number): boolean {
  const off = Math.abs(latitude);
  return off > 25 && off < 56;
}

/**
 * Where the jets cross a meridian.
 *
 * @param time Unix seconds; NaN for their mean axes, without meanders.
 */
export function jetsOn(seed: number, time: number, longitude: number): JetAxis[] {
  const axes: JetAxis[] = [];
  for (let number = 0; number < jets.length; number++) {
    const axis = axisOf(number, seed, time, longitude);
    if (axis) axes.push(axis);
  }
  return axes;
}

/** Streamfunction of the jets at a latitude of their meridian, m² s⁻¹, without regard to coasts. */
export function jetStream(axes: readonly JetAxis[], latitude: number): number {
  let psi = 0;
  for (const axis of axes) {
    const offset = northOf(axis, latitude);
    const far = offset / RECIRCULATION_KM;
    if (far > 4 || far < -4) continue;
    psi -=
      axis.strength * axis.speed * STREAM_KM * 1000 * Math.tanh(offset / STREAM_KM) * Math.exp(-far * far);
  }
  return psi;
}

/**
 * The step in temperature across the jets ("north wall"), in shares of a whole step: + on the warm, equatorward side.
 */
export function jetFront(axes: readonly JetAxis[], latitude: number): number {
  let front = 0;
  for (const axis of axes) {
    const offset = northOf(axis, latitude);
    const far = offset / (1.6 * RECIRCULATION_KM);
    if (far > 4 || far < -4) continue;
    const poleward = latitude > 0 ? offset : -offset;
    front -= axis.strength * (axis.speed / 2) * Math.tanh(poleward / 45) * Math.exp(-far * far);
  }
  return front;
}

/** Km from an axis, positive on its north side. */
function northOf(axis: JetAxis, latitude: number): number {
  return (latitude - axis.latitude) * axis.slant;
}

function axisOf(number: number, seed: number, time: number, longitude: number): JetAxis | undefined {
  const jet = jets[number]!;
  const length = jet.spacing * (jet.axis.length - 1);
  const along = normaliseLongitude(longitude - jet.from - length / 2) + length / 2;
  if (along <= -2 || along >= length) return undefined;
  const x = Math.max(0, along) / jet.spacing;
  const knot = Math.min(jet.axis.length - 2, Math.floor(x));
  const mean = catmull(jet.axis, knot, x - knot);
  let swing = 0;
  if (!Number.isNaN(time)) {
    for (let wave = 0; wave < WAVES.length; wave++) {
      const { degrees, days, share } = WAVES[wave]!;
      const turns = along / degrees - time / (days * DAY_S) + hash01(seed, 701 + number, wave);
      swing += share * Math.sin(2 * Math.PI * turns);
    }
    swing *= jet.meander * (0.12 + 0.88 * smoothstep(1, 14, along));
  }
  const before = catmull(jet.axis, knot, x - knot - 0.05);
  const slope = (mean - before) / (0.05 * jet.spacing * Math.cos(mean * RADIANS));
  return {
    latitude: mean + swing,
    slant: DEGREE_KM / Math.hypot(1, slope),
    strength: smoothstep(-2, 1.5, along) * smoothstep(length, 0.45 * length, along),
    speed: jet.speed,
  };
}

function catmull(points: readonly number[], knot: number, t: number): number {
  const b = points[knot]!;
  const c = points[knot + 1]!;
  const a = points[knot - 1] ?? 2 * b - c;
  const d = points[knot + 2] ?? 2 * c - b;
  return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
}

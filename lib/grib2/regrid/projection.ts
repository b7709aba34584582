import { normaliseLongitude } from "@open-metocean/geo/grid";

/** A figure of the earth: equatorial radius, metres, and eccentricity, which is 0 for a sphere. */
export interface Ellipsoid {
  radius: number;
  eccentricity: number;
}

/**
 * Converts between the plane of a map and the earth. Angles are in degrees, the plane in metres, or in degrees if
 * rotated.
 */
export interface Projection {
  toEarth(x: number, y: number): readonly [longitude: number, latitude: number];
  toPlane(longitude: number, latitude: number): readonly [x: number, y: number];
}

const RADIANS = Math.PI / 180;
const QUARTER = Math.PI / 4;

/**
 * Lambert's conformal conic projection (Snyder, Map Projections, 1987, section 15). The polar stereographic projection
 * is its special case with a flat cone.
 *
 * @param longitude Meridian that points up, degrees.
 * @param n Ratio of the angle in the plane to that of longitude: 1 or −1 for polar stereographic.
 * @param factor Snyder's F.
 */
function conic(
  { radius, eccentricity }: Ellipsoid,
  longitude: number,
  n: number,
  factor: number,
): Projection {
  return {
    toEarth(x, y) {
      const distance = Math.sign(n) * Math.hypot(x, y);
      const theta = Math.atan2(Math.sign(n) * x, -Math.sign(n) * y);
      const t = (distance / (radius * factor)) ** (1 / n);
      return [longitude + theta / n / RADIANS, latitudeOf(t, eccentricity)];
    },
    toPlane(east, north) {
      const distance = radius * factor * isometric(north, eccentricity) ** n;
      const theta = n * normaliseLongitude(east - longitude) * RADIANS;
      return [distance * Math.sin(theta), -distance * Math.cos(theta)];
    },
  };
}

/** @param parallels The two standard parallels, which may be equal, degrees. */
export function lambertConformal(
  ellipsoid: Ellipsoid,
  longitude: number,
  [first, second]: readonly [number, number],
): Projection {
  const { eccentricity } = ellipsoid;
  const [m1, m2] = [scale(first, eccentricity), scale(second, eccentricity)];
  const [t1, t2] = [isometric(first, eccentricity), isometric(second, eccentricity)];
  const n =
    Math.abs(first - second) < 1e-9
      ? Math.sin(first * RADIANS)
      : (Math.log(m1) - Math.log(m2)) / (Math.log(t1) - Math.log(t2));
  return conic(ellipsoid, longitude, n, m1 / (n * t1 ** n));
}

/** @param trueAt Latitude of true scale, degrees. Its sign selects the pole in the middle. */
export function polarStereographic(ellipsoid: Ellipsoid, longitude: number, trueAt: number): Projection {
  const n = Math.sign(trueAt);
  const e = ellipsoid.eccentricity;
  const atPole = 2 / Math.sqrt((1 + e) ** (1 + e) * (1 - e) ** (1 - e));
  const latitude = Math.abs(trueAt);
  const factor = latitude > 89.9999 ? atPole : scale(latitude, e) / isometric(latitude, e);
  return conic(ellipsoid, longitude, n, n * factor);
}

/** @param trueAt Latitude of true scale, degrees. */
export function mercator({ radius, eccentricity }: Ellipsoid, longitude: number, trueAt: number): Projection {
  const metres = radius * scale(trueAt, eccentricity);
  return {
    toEarth: (x, y) => [longitude + x / metres / RADIANS, latitudeOf(Math.exp(-y / metres), eccentricity)],
    toPlane: (east, north) => [
      metres * normaliseLongitude(east - longitude) * RADIANS,
      -metres * Math.log(isometric(north, eccentricity)),
    ],
  };
}

/** Longitude and latitude on a globe with another south pole. @param pole Its longitude and latitude, degrees. */
export function rotatedPole([longitude, latitude]: readonly [number, number]): Projection {
  // The globe is tilted by the latitude of the south pole plus 90°.
  const [sine, cosine] = [Math.sin((latitude + 90) * RADIANS), Math.cos((latitude + 90) * RADIANS)];
  const tilt = (lambda: number, phi: number, way: 1 | -1): [number, number] => {
    const [x, y, z] = [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)];
    const [tiltedX, tiltedZ] = [cosine * x - way * sine * z, way * sine * x + cosine * z];
    return [Math.atan2(y, tiltedX) / RADIANS, Math.asin(Math.max(-1, Math.min(1, tiltedZ))) / RADIANS];
  };
  return {
    toEarth(x, y) {
      const [east, north] = tilt(x * RADIANS, y * RADIANS, 1);
      return [east + longitude, north];
    },
    toPlane: (east, north) => tilt((east - longitude) * RADIANS, north * RADIANS, -1),
  };
}

/** Radius of a parallel in radii of the equator (Snyder's m). */
function scale(latitude: number, eccentricity: number): number {
  const sine = eccentricity * Math.sin(latitude * RADIANS);
  return Math.cos(latitude * RADIANS) / Math.sqrt(1 - sine * sine);
}

/** Snyder's t, which is the exponential of the isometric latitude, measured from the north pole. */
function isometric(latitude: number, eccentricity: number): number {
  const sine = eccentricity * Math.sin(latitude * RADIANS);
  return Math.tan(QUARTER - (latitude / 2) * RADIANS) / ((1 - sine) / (1 + sine)) ** (eccentricity / 2);
}

/** The inverse of `isometric`, degrees, by iteration; each step gains more than two digits. */
function latitudeOf(t: number, eccentricity: number): number {
  let phi = Math.PI / 2 - 2 * Math.atan(t);
  if (eccentricity === 0) return phi / RADIANS;
  for (let turn = 0; turn < 7; turn++) {
    const sine = eccentricity * Math.sin(phi);
    phi = Math.PI / 2 - 2 * Math.atan(t * ((1 - sine) / (1 + sine)) ** (eccentricity / 2));
  }
  return phi / RADIANS;
}

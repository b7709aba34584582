import { normaliseLongitude } from "./grid.ts";
import { EARTH_KM, type Place, RADIANS } from "./sphere.ts";

/**
 * Edges in degrees; `west > east` if the box crosses the antimeridian, −180 and 180 if it goes around the
 * globe.
 */
export interface Box {
  south: number;
  north: number;
  west: number;
  east: number;
}

/** A view in degrees, `west` < `east`; `east` is beyond 180 where the view crosses the antimeridian. */
export interface ViewBox {
  south: number;
  north: number;
  west: number;
  east: number;
}

/** Reach from a centre in the four quadrants, km. */
export interface Reach {
  ne: number;
  se: number;
  sw: number;
  nw: number;
}

/**
 * The bounding box of four quarter discs around a centre (exact on the sphere).
 *
 * A disc is widest poleward of its centre, where meridians converge: its east edge is asin(sin r / cos lat) away. The
 * quarter towards the equator is widest at its end, due east: atan(tan r / cos lat). Great circles that leave due east or
 * west bend towards the equator, to the latitude asin(sin lat cos r).
 */
export function sectorBox({ latitude, longitude }: Place, reach: Reach): Box {
  const bent = Object.values(reach).map((km) => bentTo(latitude, km));
  const north = Math.max(latitude + degrees(Math.max(reach.ne, reach.nw)), ...bent);
  const south = Math.min(latitude - degrees(Math.max(reach.se, reach.sw)), ...bent);
  const pole = north >= 90 || south <= -90;
  const [eastPoleward, eastOther] = latitude >= 0 ? [reach.ne, reach.se] : [reach.se, reach.ne];
  const [westPoleward, westOther] = latitude >= 0 ? [reach.nw, reach.sw] : [reach.sw, reach.nw];
  const east = Math.max(widest(latitude, eastPoleward), dueEast(latitude, eastOther));
  const west = Math.max(widest(latitude, westPoleward), dueEast(latitude, westOther));
  const round = pole || east + west >= 360;
  return {
    south: Math.max(-90, south),
    north: Math.min(90, north),
    west: round ? -180 : normaliseLongitude(longitude - west),
    east: round ? 180 : normaliseLongitude(longitude + east),
  };
}

/** The bounding box of a disc. @param km Radius. */
export function discBox(centre: Place, km: number): Box {
  return sectorBox(centre, { ne: km, se: km, sw: km, nw: km });
}

function degrees(km: number): number {
  return km / EARTH_KM / RADIANS;
}

/** Latitude at the end of a great circle that leaves due east or west. */
function bentTo(latitude: number, km: number): number {
  return Math.asin(Math.sin(latitude * RADIANS) * Math.cos(km / EARTH_KM)) / RADIANS;
}

function widest(latitude: number, km: number): number {
  const sine = Math.sin(km / EARTH_KM) / Math.cos(latitude * RADIANS);
  return sine >= 1 ? 180 : Math.asin(sine) / RADIANS;
}

function dueEast(latitude: number, km: number): number {
  return Math.atan2(Math.tan(km / EARTH_KM), Math.cos(latitude * RADIANS)) / RADIANS;
}

/**
 * The bounding box of places; undefined for none. It leaves out the widest gap between their longitudes, and
 * therefore crosses the antimeridian if the places do.
 */
export function boxOfPlaces(places: readonly Place[]): Box | undefined {
  return unionBox(
    places.map(({ latitude, longitude }) => ({
      south: latitude,
      north: latitude,
      west: longitude,
      east: longitude,
    })),
  );
}

/** The bounding box of boxes, which leaves out the widest gap between them; undefined for none. */
export function unionBox(boxes: readonly Box[]): Box | undefined {
  if (boxes.length === 0) return undefined;
  const south = Math.min(...boxes.map((box) => box.south));
  const north = Math.max(...boxes.map((box) => box.north));
  const covered = joined(
    boxes.flatMap(({ west, east }) =>
      west <= east
        ? [{ west, east }]
        : [
            { west, east: 180 },
            { west: -180, east },
          ],
    ),
  );
  let gap = { size: 0, after: { west: -180, east: 180 }, before: { west: -180, east: 180 } };
  for (const [index, after] of covered.entries()) {
    const before = covered[(index + 1) % covered.length]!;
    const size = before.west - after.east + (index + 1 === covered.length ? 360 : 0);
    if (size > gap.size) gap = { size, after, before };
  }
  return { south, north, west: gap.before.west, east: gap.after.east };
}

interface Span {
  west: number;
  east: number;
}

/** Spans of longitude in ascending order, touching ones merged. */
function joined(spans: readonly Span[]): Span[] {
  const result: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.west - b.west)) {
    const last = result.at(-1);
    if (last && span.west <= last.east) last.east = Math.max(last.east, span.east);
    else result.push({ ...span });
  }
  return result;
}

export function inBox({ south, north, west, east }: Box, { latitude, longitude }: Place): boolean {
  if (latitude < south || latitude > north) return false;
  return west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east;
}

/** The box between two opposite corners, the shorter way around the globe. */
export function boxBetween(one: Place, other: Place): ViewBox {
  const longitude = other.longitude - 360 * Math.round((other.longitude - one.longitude) / 360);
  return boxOfCorners(one, { ...other, longitude });
}

/**
 * The box between two opposite corners with longitudes as given, possibly beyond 180; it may be the longer
 * way around.
 */
export function boxOfCorners(one: Place, other: Place): ViewBox {
  return {
    south: Math.min(one.latitude, other.latitude),
    north: Math.max(one.latitude, other.latitude),
    west: Math.min(one.longitude, other.longitude),
    east: Math.max(one.longitude, other.longitude),
  };
}

/** The same box with its west in −180..180, within the poles, and at most once around the globe. */
export function aroundGlobe({ south, north, west, east }: ViewBox): ViewBox {
  const within = { south: Math.max(-90, south), north: Math.min(90, north) };
  if (east - west >= 360) return { ...within, west: -180, east: 180 };
  const from = normaliseLongitude(west);
  return { ...within, west: from, east: from + (east - west) };
}

/**
 * The box in the form of a request: longitudes in −180..180, the west above the east across the antimeridian.
 */
export function boxOfView(view: ViewBox): Box {
  const { west, east, ...latitudes } = aroundGlobe(view);
  return { ...latitudes, west, east: east > 180 ? east - 360 : east };
}

/** Inverse of `boxOfView`. */
export function viewOfBox({ west, east, ...latitudes }: Box): ViewBox {
  return { ...latitudes, west, east: east < west ? east + 360 : east };
}

import { readDecimal } from "#lib/decimal.ts";
import { PointListError, problemsOf, usableLists } from "./list-problem.ts";
import { type GpxList, parseXml, soundPoints, type Text, textOf } from "./route-files.ts";
import { lengthKm } from "./schedule.ts";

type Position = readonly [longitude: number, latitude: number];

/** A line, a point, or an area (which is only counted) in a file of map shapes. */
interface Shape {
  kind: "line" | "point" | "area";
  /** Empty where the file gives none. */
  name: string;
  /** [longitude, latitude]; NaN if the file has no number. */
  positions: readonly Position[];
}

/** Deepest nesting of folders or collections that is read. */
const MAX_DEPTH = 20;

/** Stands for a missing position, which is reported among those that cannot be read. */
const NO_POSITION: Position = [Number.NaN, Number.NaN];

/** Longest name of a point, characters. */
const MAX_NAME = 100;

interface Geometry {
  Point?: { coordinates?: Text }[];
  LineString?: { coordinates?: Text }[];
  /** Element of the `gx` extension. */
  Track?: { coord?: Text[] }[];
  MultiGeometry?: Geometry[];
  MultiTrack?: Geometry[];
  Polygon?: unknown[];
}

interface Container {
  Document?: Container[];
  Folder?: Container[];
  Placemark?: (Geometry & { name?: Text })[];
}

/**
 * Reads lines and points of a KML file with their names: each line is a route, all points together are
 * waypoints. Areas are only counted; links to other files and styles are not read.
 *
 * @throws PointListError for a file that is not KML, is nested too deeply, has a document type, or no
 * position.
 */
export function readKml(text: string): GpxList[] {
  const repeated = "Document Folder Placemark Point LineString Track coord MultiGeometry MultiTrack Polygon";
  const { kml } = parseXml<{ kml?: Container }>(text, repeated, { unsound: { code: "unsoundKml" } });
  const shapes: Shape[] = [];
  const read = (container: Container | undefined, depth: number) => {
    if (typeof container !== "object") return;
    if (depth > MAX_DEPTH) throw new PointListError([{ code: "unsoundKml" }]);
    for (const placemark of container.Placemark ?? []) {
      if (typeof placemark === "object") shapes.push(...kmlShapes(placemark, textOf(placemark.name), 0));
    }
    for (const inner of [...(container.Document ?? []), ...(container.Folder ?? [])]) read(inner, depth + 1);
  };
  read(kml, 0);
  return shapesToLists(shapes);
}

function kmlShapes(geometry: Geometry, name: string, depth: number): Shape[] {
  if (typeof geometry !== "object") return [];
  if (depth > MAX_DEPTH) throw new PointListError([{ code: "unsoundKml" }]);
  const {
    Point = [],
    LineString = [],
    Track = [],
    MultiGeometry = [],
    MultiTrack = [],
    Polygon = [],
  } = geometry;
  return [
    ...Polygon.map((): Shape => ({ kind: "area", name, positions: [] })),
    ...Point.flatMap(({ coordinates }) => {
      const positions = tuples(textOf(coordinates));
      return (positions.length > 0 ? positions : [NO_POSITION]).map(
        (position): Shape => ({ kind: "point", name, positions: [position] }),
      );
    }),
    ...[
      ...LineString.map(({ coordinates }) => tuples(textOf(coordinates))),
      ...Track.map(({ coord = [] }) => coord.map((one) => numbersOf(textOf(one).split(/\s+/)))),
    ].map((positions): Shape => ({ kind: "line", name, positions })),
    ...[...MultiGeometry, ...MultiTrack].flatMap((inner) => kmlShapes(inner, name, depth + 1)),
  ];
}

/** Reads `-5.1,48.5,0 -5.2,48.6,0`: longitude comes first, the height is ignored. */
function tuples(text: string): Position[] {
  // Some programs write a space after the comma.
  const packed = text.replace(/\s*,\s*/g, ",").trim();
  if (packed === "") return [];
  const parts = packed.split(/\s+/).map((tuple) => tuple.split(","));
  // A comma between two positions joins them into one part; the other parts tell how many numbers a position
  // has.
  const sizes = new Set(parts.map(({ length }) => length).filter((length) => length === 2 || length === 3));
  return parts.flatMap((part) => {
    if (part.length <= 3) return [numbersOf(part)];
    const size = sizeWithin(part, sizes);
    if (size === undefined) return [NO_POSITION];
    return Array.from({ length: part.length / size }, (_, at) => numbersOf(part.slice(at * size)));
  });
}

/**
 * How many numbers a position has in a part with several positions; undefined if this cannot be decided.
 * @param sizes Sizes of the other parts.
 */
function sizeWithin(part: readonly string[], sizes: ReadonlySet<number>): number | undefined {
  const [size, other] = [2, 3].filter(
    (count) => part.length % count === 0 && (sizes.size === 0 || sizes.has(count)),
  );
  // If both are possible, equal third numbers (programs write heights as 0) show that they are heights.
  if (other !== undefined) return part.every((one, at) => at % 3 !== 2 || one === part[2]) ? 3 : undefined;
  return size;
}

function numbersOf([longitude = "", latitude = ""]: readonly string[]): Position {
  return [readDecimal(longitude), readDecimal(latitude)];
}

/**
 * Reads lines and points of GeoJSON (RFC 7946) with their names: each line is a route, all points together
 * are waypoints. The parts of a line that was cut at 180° form one route. Areas are only counted.
 *
 * @throws PointListError for a text that is not GeoJSON, is nested too deeply, or has no position.
 */
export function readGeojson(text: string): GpxList[] {
  let shapes: Shape[] | undefined;
  try {
    shapes = geojsonShapes(JSON.parse(text), "", 0);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  if (!shapes) throw new PointListError([{ code: "unsoundGeojson" }]);
  return shapesToLists(shapes);
}

/** @returns undefined if the object is not GeoJSON. */
function geojsonShapes(value: unknown, name: string, depth: number): Shape[] | undefined {
  if (!isObject(value)) return undefined;
  if (depth > MAX_DEPTH) throw new PointListError([{ code: "unsoundGeojson" }]);
  const { type, coordinates } = value;
  const unknown: Shape = { kind: "point", name, positions: [NO_POSITION] };
  const all = (members: unknown): Shape[] | undefined =>
    Array.isArray(members)
      ? members.flatMap((one) => geojsonShapes(one, name, depth + 1) ?? unknown)
      : undefined;
  switch (type) {
    case "FeatureCollection":
      return all(value.features);
    case "GeometryCollection":
      return all(value.geometries);
    case "Feature":
      return value.geometry === null
        ? []
        : geojsonShapes(value.geometry, titleOf(value.properties), depth + 1);
    case "Point":
      return [{ kind: "point", name, positions: [position(coordinates)] }];
    case "MultiPoint":
      return positionsOf(coordinates).map((one) => ({ kind: "point", name, positions: [one] }));
    case "LineString":
      return [{ kind: "line", name, positions: positionsOf(coordinates) }];
    case "MultiLineString":
      return [
        {
          kind: "line",
          name,
          positions: joined((Array.isArray(coordinates) ? coordinates : [undefined]).map(positionsOf)),
        },
      ];
    case "Polygon":
      return [{ kind: "area", name, positions: [] }];
    case "MultiPolygon":
      return list(coordinates).map(() => ({ kind: "area", name, positions: [] }));
    default:
      return undefined;
  }
}

/** Joins parts into one line; where two of them meet, also across 180°, the point of the cut is dropped. */
function joined(parts: readonly Position[][]): Position[] {
  const line: Position[] = [];
  for (const part of parts) {
    const [end, start] = [line.at(-1), part[0]];
    const isCut = end && start && end[1] === start[1] && (end[0] - start[0]) % 360 === 0;
    if (isCut) line.pop();
    line.push(...(isCut ? part.slice(1) : part));
  }
  return line;
}

/** A value that is not a list of positions counts as one unreadable position. */
function positionsOf(value: unknown): Position[] {
  return Array.isArray(value) ? value.map(position) : [NO_POSITION];
}

function position(value: unknown): Position {
  const [longitude, latitude] = list(value);
  const number = (one: unknown) => (typeof one === "number" ? one : Number.NaN);
  return [number(longitude), number(latitude)];
}

function titleOf(properties: unknown): string {
  if (!isObject(properties)) return "";
  const name = properties.name ?? properties.Name ?? properties.title;
  return typeof name === "string" ? name.trim() : "";
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Makes routes of the lines, and one list of waypoints of all points. The first list states how many areas
 * are left out.
 *
 * @throws PointListError if no line and no point has a position.
 */
function shapesToLists(shapes: readonly Shape[]): GpxList[] {
  const lines = shapes.filter(({ kind, positions }) => kind === "line" && positions.length > 0);
  const routes = lines.map(({ name, positions }, index): GpxList => {
    const { points, unread } = soundPoints(positions, ([longitude, latitude]) => ({ latitude, longitude }), {
      kind: "route",
      name,
      number: index + 1,
    });
    return { kind: "route", name, points, km: lengthKm(points), timesLeftOut: false, unread };
  });
  const { points, unread } = soundPoints(
    shapes.filter(({ kind, positions }) => kind === "point" && positions.length > 0),
    ({ name, positions }) => {
      const [longitude, latitude] = positions[0]!;
      return { latitude, longitude, name: name.slice(0, MAX_NAME) || undefined };
    },
    { kind: "waypoints", name: "", number: 1 },
  );
  const waypoints: GpxList = { kind: "waypoints", name: "", points, km: 0, timesLeftOut: false, unread };
  const lists = usableLists<GpxList>([...routes, waypoints]);
  const count = shapes.filter(({ kind }) => kind === "area").length;
  const [first] = lists;
  if (count === 0 || !first) return lists;
  const { shown = [], more = 0 } = first.unread ?? {};
  const problems = [{ code: "areas", count } as const, ...shown];
  first.unread = problemsOf(problems, problems.length + more);
  return lists;
}

import { XMLParser, XMLValidator } from "fast-xml-parser";
import { type ListedPoint, PointListError, positionProblem, readInstant, wrapped } from "./point-list.ts";

interface GpxPoint {
  "@lat"?: string;
  "@lon"?: string;
  time?: string;
}

interface Gpx {
  wpt?: GpxPoint[];
  rte?: { rtept?: GpxPoint[] }[];
  trk?: { trkseg?: { trkpt?: GpxPoint[] }[] }[];
}

const lists = new Set(["wpt", "rte", "rtept", "trk", "trkseg", "trkpt"]);

/** Entities are not expanded, and every value stays text. */
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  parseAttributeValue: false,
  parseTagValue: false,
  processEntities: false,
  removeNSPrefix: true,
  isArray: (name) => lists.has(name),
});

/**
 * Points of a GPX file in their order: of its routes, else of its tracks, else its waypoints.
 *
 * @throws PointListError for a file that is not GPX, or an invalid position or time.
 */
export function readGpx(text: string): ListedPoint[] {
  if (/<!ENTITY/i.test(text) || XMLValidator.validate(text) !== true) {
    throw new PointListError(["The file is no sound GPX."]);
  }
  const gpx = (parser.parse(text) as { gpx?: Gpx }).gpx;
  if (!gpx) throw new PointListError(["The file is no GPX."]);
  const routes = (gpx.rte ?? []).flatMap(({ rtept }) => rtept ?? []);
  const tracks = (gpx.trk ?? []).flatMap(({ trkseg }) => (trkseg ?? []).flatMap(({ trkpt }) => trkpt ?? []));
  const found = [routes, tracks, gpx.wpt ?? []].find((some) => some.length > 0);
  if (!found) throw new PointListError(["The file has neither a route, nor a track, nor waypoints."]);
  const problems: string[] = [];
  const points = found.map((point, index): ListedPoint => {
    const [latitude, longitude] = [Number(point["@lat"] ?? "x"), Number(point["@lon"] ?? "x")];
    const time = point.time === undefined ? undefined : readInstant(String(point.time));
    const problem =
      positionProblem(latitude, longitude) ?? (Number.isNaN(time) ? "its time cannot be read" : undefined);
    if (problem) problems.push(`Point ${index + 1}: ${problem}.`);
    return { latitude, longitude: wrapped(longitude), time };
  });
  if (problems.length > 0) throw new PointListError(problems);
  return points;
}

import { XMLParser, XMLValidator } from "fast-xml-parser";
import { readDecimal } from "#lib/decimal.ts";
import type { GpxList } from "./gpx.ts";
import { PointListError } from "./list-problem.ts";
import { type Shape, shapesToLists } from "./shapes.ts";
import { xmlText } from "./xml-text.ts";

type Text = string | { "#text"?: string };

interface Geometry {
  Point?: { coordinates?: Text }[];
  LineString?: { coordinates?: Text }[];
  /** Of the extension `gx`. */
  Track?: { coord?: Text[] }[];
  MultiGeometry?: Geometry[];
  MultiTrack?: Geometry[];
}

interface Placemark extends Geometry {
  name?: Text;
}

interface Container {
  Document?: Container[];
  Folder?: Container[];
  Placemark?: Placemark[];
}

const repeated = new Set(
  "Document Folder Placemark Point LineString Track coord MultiGeometry MultiTrack".split(" "),
);

/** Entities are not expanded, and every value stays text. */
const parser = new XMLParser({
  parseTagValue: false,
  processEntities: false,
  removeNSPrefix: true,
  isArray: (name) => repeated.has(name),
});

/** Folders within folders that are looked into. */
const MAX_DEPTH = 20;

/**
 * Lines and points of a KML file with their names: each line is a route, all points together are waypoints. Polygons, links
 * to other files and styles are not read.
 *
 * @throws PointListError for a file that is not KML, has a document type, or no position.
 */
export function readKml(text: string): GpxList[] {
  // Entities are declared in a document type; KML has none.
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text) || XMLValidator.validate(text) !== true)
    throw new PointListError([{ code: "unsoundKml" }]);
  const shapes: Shape[] = [];
  const read = (container: Container | undefined, depth: number) => {
    if (typeof container !== "object" || depth > MAX_DEPTH) return;
    for (const placemark of container.Placemark ?? []) {
      if (typeof placemark === "object") shapes.push(...shapesOf(placemark, textOf(placemark.name), 0));
    }
    for (const inner of [...(container.Document ?? []), ...(container.Folder ?? [])]) read(inner, depth + 1);
  };
  read(parsed(text), 0);
  return shapesToLists(shapes);
}

function parsed(text: string): Container | undefined {
  try {
    return (parser.parse(text) as { kml?: Container }).kml;
  } catch {
    // What the validator lets through and the parser does not.
    throw new PointListError([{ code: "unsoundKml" }]);
  }
}

function shapesOf(geometry: Geometry, name: string, depth: number): Shape[] {
  if (typeof geometry !== "object" || depth > MAX_DEPTH) return [];
  const line = (positions: [number, number][]): Shape => ({ kind: "line", name, positions });
  return [
    ...(geometry.Point ?? []).map(
      (point): Shape => ({
        kind: "point",
        name,
        positions: [tuples(textOf(point.coordinates))[0] ?? [Number.NaN, Number.NaN]],
      }),
    ),
    ...(geometry.LineString ?? []).map((one) => line(tuples(textOf(one.coordinates)))),
    ...(geometry.Track ?? []).map((track) =>
      line((track.coord ?? []).map((one) => numbers(textOf(one), /\s+/))),
    ),
    ...[...(geometry.MultiGeometry ?? []), ...(geometry.MultiTrack ?? [])].flatMap((inner) =>
      shapesOf(inner, name, depth + 1),
    ),
  ];
}

/** `-5.1,48.5,0 -5.2,48.6,0`: longitude first, the height is left out. */
function tuples(text: string): [longitude: number, latitude: number][] {
  // Some programs put a space behind the comma.
  const packed = text.replace(/\s*,\s*/g, ",").trim();
  return packed === "" ? [] : packed.split(/\s+/).map((tuple) => numbers(tuple, ","));
}

function numbers(tuple: string, separator: string | RegExp): [longitude: number, latitude: number] {
  const [longitude = "", latitude = ""] = tuple.split(separator);
  return [readDecimal(longitude), readDecimal(latitude)];
}

function textOf(text: Text | undefined): string {
  return xmlText(typeof text === "object" ? (text["#text"] ?? "") : (text ?? "")).trim();
}

/**
 * Writes the basemap (public/basemap/*.json) from Natural Earth: land and borders cut at the antimeridian and rounded, and
 * the names in each language: of countries as Intl has them, of scripts/places.tsv as scripts/map-names.tsv has them.
 * Run it after a change of world-atlas: `node scripts/build-basemap.ts`.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { geoArea, geoCentroid, geoEquirectangular } from "d3-geo";
// @ts-expect-error The package has no types.
import { geoProject } from "d3-geo-projection";
import type {
  Feature,
  FeatureCollection,
  Geometry,
  MultiLineString,
  MultiPolygon,
  Point,
  Polygon,
  Position,
} from "geojson";
import { feature, merge, mesh } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";
import { type Language, languages } from "#lib/messages/language.ts";
import { placesByHand } from "./places.ts";

/** Area of all land in square degrees, Natural Earth; an inverted polygon would give 64,800. */
const LAND_AREA = 21_500;

/** Codes of the countries that Natural Earth names otherwise than Intl. */
const otherNames: Readonly<Record<string, string>> = {
  "Bosnia and Herz.": "BA",
  "Central African Rep.": "CF",
  Congo: "CG",
  "Côte d'Ivoire": "CI",
  "Dem. Rep. Congo": "CD",
  "Dominican Rep.": "DO",
  "Eq. Guinea": "GQ",
  eSwatini: "SZ",
  "Falkland Is.": "FK",
  "Fr. S. Antarctic Lands": "TF",
  Macedonia: "MK",
  Myanmar: "MM",
  Palestine: "PS",
  "S. Sudan": "SS",
  "Solomon Is.": "SB",
  "Trinidad and Tobago": "TT",
  Turkey: "TR",
  "United States of America": "US",
  "W. Sahara": "EH",
};

const out = new URL("../public/basemap/", import.meta.url);
mkdirSync(out, { recursive: true });

/**
 * Degrees as plane coordinates, cut at the antimeridian. Latitudes point down, as on a screen: the projection tells land
 * from lakes by the turn of their rings, and `rounded` turns them up again.
 */
const degrees = geoEquirectangular()
  .scale(180 / Math.PI)
  .translate([0, 0])
  .precision(0);

writeLand("110m", 2);
writeLand("50m", 2);
writeBorders("50m", 2);
for (const language of languages) writeNames(language, translations(language), countryNames(language));

function writeLand(resolution: string, decimals: number): void {
  const { topology, geometries } = atlas("land", resolution);
  const projected: MultiPolygon | Polygon = geoProject(merge(topology, geometries as never), degrees);
  const polygons = projected.type === "Polygon" ? [projected.coordinates] : projected.coordinates;
  const coordinates = polygons
    .map((rings) => rings.map((ring) => rounded(ring, decimals)).filter((ring) => ring.length >= 4))
    .filter((rings) => rings.length > 0);
  const area = coordinates.flat().reduce((sum, ring) => sum + signedArea(ring), 0);
  const jumps = coordinates.flat().filter(jumps180).length;
  if (Math.abs(Math.abs(area) - LAND_AREA) > 0.01 * LAND_AREA || jumps > 0) {
    throw new Error(`land-${resolution}: ${Math.round(area)} square degrees, ${jumps} rings jump over 180°`);
  }
  write(`land-${resolution}.json`, { type: "MultiPolygon", coordinates });
}

function writeBorders(resolution: string, decimals: number): void {
  const { topology, object } = atlas("countries", resolution);
  const projected: MultiLineString = geoProject(
    mesh(topology, object, (one, other) => one !== other),
    degrees,
  );
  const coordinates = projected.coordinates.map((line) => rounded(line, decimals));
  write(`borders-${resolution}.json`, { type: "MultiLineString", coordinates });
}

/** Names as GeoJSON points: `kind`, and `z`, the zoom from which a name is shown. */
function writeNames(
  language: Language,
  placeName: (name: string) => string,
  countryName: (name: string) => string,
): void {
  const { topology, object } = atlas("countries", "110m");
  const countries = feature(topology, object).features.flatMap(({ properties, geometry }) => {
    const name = (properties as { name?: string } | null)?.name;
    const polygons = geometry.type === "MultiPolygon" ? geometry.coordinates : [];
    if (geometry.type === "Polygon") polygons.push(geometry.coordinates);
    const largest = polygons
      .map((coordinates) => ({ type: "Polygon" as const, coordinates }))
      .sort((one, other) => geoArea(other) - geoArea(one))[0];
    if (!name || !largest) return [];
    // Steradians: 0.05 is about two million square kilometres.
    const area = geoArea(largest);
    const zoom = area > 0.05 ? 2 : area > 0.005 ? 3.5 : 5;
    return [named("country", zoom, countryName(name), ...geoCentroid(largest))];
  });
  const zooms = [
    ["ocean", 0],
    ["sea", 2.5],
    ["port", 4],
    ["cape", 4.5],
  ] as const;
  const byHand = zooms.flatMap(([kind, z]) =>
    placesByHand
      .filter((place) => place.kind === kind)
      .map(({ names: [name], longitude, latitude }) => named(kind, z, placeName(name), longitude, latitude)),
  );
  write(`names-${language}.json`, { type: "FeatureCollection", features: [...byHand, ...countries] });
}

/** Of the names of scripts/map-names.tsv, which are English; an empty column is the same name. */
function translations(language: Language): (name: string) => string {
  const [head = [], ...rows] = readFileSync(new URL("map-names.tsv", import.meta.url), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => line.split("\t"));
  const names = new Map(rows.map((row) => [row[0], row[head.indexOf(language)] || row[0]]));
  return (name) => {
    const translated = names.get(name);
    if (translated === undefined) throw new Error(`${name} is not in scripts/map-names.tsv`);
    return translated;
  };
}

/** Of Natural Earth's English names, which stay as they are in English. */
function countryNames(language: Language): (name: string) => string {
  const placeName = translations(language);
  if (language === "en") return (name) => name;
  const english = new Intl.DisplayNames(["en"], { type: "region", fallback: "none" });
  const own = new Intl.DisplayNames([language], { type: "region" });
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  // Of two codes of one name the later one is in use.
  const codes = new Map(
    letters.flatMap((first) => letters.map((second) => [english.of(first + second), first + second])),
  );
  return (name) => {
    const code = otherNames[name] ?? codes.get(name);
    return (code && own.of(code)) || placeName(name);
  };
}

function named(kind: string, z: number, name: string, longitude: number, latitude: number): Feature<Point> {
  const coordinates = [longitude, latitude].map((degrees) => Math.round(degrees * 100) / 100);
  return { type: "Feature", properties: { name, kind, z }, geometry: { type: "Point", coordinates } };
}

function atlas(name: "land" | "countries", resolution: string) {
  const file = createRequire(import.meta.url).resolve(`world-atlas/${name}-${resolution}.json`);
  const topology = JSON.parse(readFileSync(file, "utf8")) as Topology;
  const object = topology.objects[name] as GeometryCollection;
  return { topology, object, geometries: object.geometries };
}

/** Turns latitudes up, rounds, and drops points that fall together. */
function rounded(line: readonly Position[], decimals: number): Position[] {
  const factor = 10 ** decimals;
  const kept: Position[] = [];
  for (const [x = 0, y = 0] of line) {
    const point = [Math.round(x * factor) / factor, Math.round(-y * factor) / factor + 0];
    const last = kept.at(-1);
    if (last?.[0] !== point[0] || last?.[1] !== point[1]) kept.push(point);
  }
  return kept;
}

/** Square degrees, by the shoelace formula; holes have the other sign. */
function signedArea(ring: readonly Position[]): number {
  let twice = 0;
  ring.forEach(([x = 0, y = 0], index) => {
    const [nextX = 0, nextY = 0] = ring[(index + 1) % ring.length] ?? [];
    twice += x * nextY - nextX * y;
  });
  return twice / 2;
}

function jumps180(ring: readonly Position[]): boolean {
  return ring.some(([x = 0], index) => index > 0 && Math.abs(x - (ring[index - 1]?.[0] ?? x)) > 180);
}

function write(name: string, geometry: Geometry | FeatureCollection): void {
  const text = JSON.stringify(geometry);
  writeFileSync(new URL(name, out), text);
  console.log(`${name}: ${Math.round(text.length / 1024)} kB`);
}

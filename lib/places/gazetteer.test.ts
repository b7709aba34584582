import { readFileSync } from "node:fs";
import { brotliCompressSync, constants } from "node:zlib";
import type { Place } from "@open-metocean/geo/sphere";
import type { Feature, Point } from "geojson";
import { describe, expect, it } from "vitest";
import { languages } from "#lib/messages/language.ts";
import { knownCoast } from "#server/platform/coast/known-coast.ts";
import {
  foldName,
  type GazetteerFile,
  nearestPlace,
  type PlaceNames,
  placesOfFile,
  searchPlaces,
} from "./gazetteer.ts";

const read = (name: string) => readFileSync(new URL(`../../public/basemap/${name}`, import.meta.url), "utf8");
const text = read("places.json");
const file = JSON.parse(text) as GazetteerFile;
const places = placesOfFile(file);
const brittany = { latitude: 48, longitude: -5 };
const names = (wanted: string, near = brittany, limit = 5) =>
  searchPlaces(places, wanted, near, limit).map(({ place: { name, kind, country } }) =>
    `${name}, ${kind} ${country}`.trim(),
  );

it("describes a position by a place that is known rather than by the nearest hamlet, and mid-ocean by none", () => {
  expect(nearestPlace(places, { latitude: 48.3, longitude: -5 })?.name).toBe("Ushant");
  expect(nearestPlace(places, { latitude: 48.36, longitude: -4.45 })?.name).toBe("Brest");
  expect(nearestPlace(places, { latitude: -50, longitude: -130 })).toBeUndefined();
});

describe("the gazetteer", () => {
  it("is at most 150 kB when it is sent", () => {
    // Compression is the same as in scripts/served-files.mjs.
    const sent = brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
    expect(sent.length).toBeLessThan(150_000);
  });
  it("has every place whole, and a country for all but waters", () => {
    expect(places.length).toBeGreaterThan(5000);
    const broken = places.filter(({ name, kind, country, rank, latitude, longitude, bounds }) => {
      const isWater = kind === "ocean" || kind === "sea";
      return !(
        name.trim() &&
        Math.abs(latitude) <= 90 &&
        Math.abs(longitude) <= 180 &&
        rank >= 0 &&
        rank <= 6 &&
        (bounds !== undefined) === isWater &&
        /^[A-Z]{2}$/.test(country) === !isWater
      );
    });
    expect(broken.map(({ name }) => name)).toEqual([]);
  });
  it("has the point of each water within its bounds, and at sea on the coast of the map", () => {
    const { line } = knownCoast();
    const wrong = places.filter((place) => {
      const { bounds, latitude, longitude } = place;
      if (!bounds) return false;
      const east = longitude < bounds.west ? longitude + 360 : longitude;
      const isWithin =
        latitude >= bounds.south && latitude <= bounds.north && east >= bounds.west && east <= bounds.east;
      return !isWithin || line.isLand(place);
    });
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });
  it("knows every name that the map shows at sea and on coasts", () => {
    const shown = JSON.parse(read("names-en.json")) as {
      features: { properties: { name: string; kind: string } }[];
    };
    const known = new Set(places.flatMap(({ folded }) => folded));
    const unknown = shown.features
      .filter(({ properties }) => properties.kind !== "country" && !known.has(foldName(properties.name)))
      .map(({ properties }) => properties.name);
    expect(unknown).toEqual([]);
  });

  it.each(languages)("the map shows the same places in %s, each by a name of that language", (language) => {
    const named = (of: string) =>
      (JSON.parse(read(`names-${of}.json`)) as { features: Feature<Point, { name: string }>[] }).features;
    const others = named(language);
    expect(others.map(({ geometry }) => geometry)).toEqual(named("en").map(({ geometry }) => geometry));
    const latin = others.filter(({ properties }) => /\p{Script=Latin}/u.test(properties.name));
    expect(latin).toHaveLength(language === "ja" || language === "zh" ? 0 : others.length);
  });
});

describe("in another language", () => {
  it.each([
    ["fr", ["Détroit de Gibraltar", "Corse", "Alger", "Ouessant", "Le Conquet"]],
    ["de", ["Straße von Gibraltar", "Korsika", "Kap Arkona", "Helgoland", "Lissabon"]],
    ["es", ["Estrecho de Magallanes", "Islas Canarias"]],
    ["pt", ["Ilhas Canárias", "Açores"]],
    ["ja", ["瀬戸内海", "潮岬", "沖縄"]],
    ["zh", ["渤海", "科西嘉岛"]],
  ] as const)(
    "%s, places have its names, and every name is of a place that the map names alike",
    (language, some) => {
      const own = JSON.parse(read(`place-names-${language}.json`)) as PlaceNames;
      const local = placesOfFile(file, own);
      const namesThere = new Set(local.map(({ name }) => name));
      expect([...namesThere]).toEqual(expect.arrayContaining([...some]));
      const english = new Set(places.map(({ name }) => name));
      expect(Object.keys(own).filter((name) => !english.has(name) || !own[name])).toEqual([]);
      const { features } = JSON.parse(read(`names-${language}.json`)) as {
        features: { properties: { name: string; kind: string } }[];
      };
      const onMap = features.map(({ properties }) => properties).filter(({ kind }) => kind !== "country");
      expect(onMap.map(({ name }) => name).filter((name) => !namesThere.has(name))).toEqual([]);
    },
  );

  it("a place is found by its English name too, and only the most important place of a name is meant", () => {
    const local = placesOfFile(file, JSON.parse(read("place-names-fr.json")));
    const inFrench = (wanted: string, near: Place) =>
      searchPlaces(local, wanted, near, 1).map(({ place, other }) => [place.name, other]);
    expect(inFrench("ushant", brittany)).toEqual([["Ouessant", "Ushant"]]);
    expect(nearestPlace(local, { latitude: 48.3, longitude: -5 })?.name).toBe("Ouessant");
    expect(inFrench("alexandr", { latitude: 31, longitude: 30 })).toEqual([["Alexandrie", undefined]]);
    expect(inFrench("alexandr", { latitude: 39, longitude: -77 })).toEqual([["Alexandria", undefined]]);
  });
});

describe("a name is found", () => {
  it.each([
    ["brest", "Brest, port FR"],
    [" BREST ", "Brest, port FR"],
    ["reykjavik", "Reykjavík, port IS"],
    ["Tromso", "Tromsø, port NO"],
    ["valparaiso", "Valparaíso, port CL"],
    ["biscay", "Bay of Biscay, sea"],
    ["golfe de gasc", "Bay of Biscay, sea"],
    ["Manche", "English Channel, sea"],
    ["nordsee", "North Sea, sea"],
    ["ouessant", "Ushant, cape FR"],
    ["cape  horn ", "Cape Horn, cape CL"],
    ["saint john's", "St John’s, port CA"],
    ["Azoren", "Azores, island PT"],
    ["横浜", "Yokohama, port JP"],
    ["地中海", "Mediterranean Sea, sea"],
  ])("%s: %s", (wanted, first) => {
    expect(names(wanted)[0]).toBe(first);
  });
  it.each([
    ["plymouth", { latitude: 52, longitude: -1 }, "Plymouth, port GB"],
    ["plymouth", { latitude: 42, longitude: -70 }, "Plymouth, port US"],
    ["devonport", { latitude: 50, longitude: -4 }, "Devonport, port GB"],
    ["devonport", { latitude: -37, longitude: 175 }, "Devonport, port NZ"],
    ["devonport", { latitude: -41, longitude: 147 }, "Devonport, port AU"],
    ["portsmouth", { latitude: 50, longitude: -1 }, "Portsmouth, port GB"],
  ])("of %s in a view of %j it is %s that comes first", (text, near, first) => {
    expect(names(text, near)[0]).toBe(first);
  });
  it("nearer to the view first, of those that are as important", () => {
    expect(names("victoria", { latitude: 48, longitude: -124 })[0]).toBe("Victoria, town CA");
    expect(names("victoria", { latitude: -5, longitude: 55 })[0]).toMatch(/^Victoria, \w+ SC$/);
  });
  it("with the other name that was meant", () => {
    expect(searchPlaces(places, "golfe de g", brittany, 1)[0]?.other).toBe("Golfe de Gascogne");
    expect(searchPlaces(places, "bay of b", brittany, 1)[0]?.other).toBeUndefined();
  });
  it("not for nothing, nor for what nobody named so", () => {
    expect([names(""), names("  "), names("xqzt")]).toEqual([[], [], []]);
  });
});

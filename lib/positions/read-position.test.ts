import { describe, expect, it } from "vitest";
import { positionText } from "#lib/position.ts";
import { seeded } from "#test/seeded.ts";
import { readAngle, readPosition } from "./read-position.ts";

const at = (latitude: number, longitude: number) => ({ latitude, longitude });

/** Places rounded to 1e-6 degrees. */
function placesIn(text: string, languages?: readonly string[]) {
  const reading = readPosition(text, languages);
  const places =
    reading.kind === "place" ? [reading.place] : reading.kind === "unclear" ? reading.places : [];
  return places.map(({ latitude, longitude }) => at(+latitude.toFixed(6), +longitude.toFixed(6)));
}

/** Spellings that people, plotters and programs use, in the languages of the page. */
const spellings = `
  48 30N 005 15W | 4830N 00515W | 483000N 0051500W | 4830N 0515W | 48.5 -5.25 | 48.5 ; −5.25 | 48.5N, 5.25W
  48,5; -5,25 | 48,5/-5,25 | 48,5N 5,25W | 48,5° N, 5,25° W | 48.5, 354.75 | 48 30N 354 45E | 48 30, -5 15
  48°30.0′N 005°15.0′W | 48º30'N 5º15'W | 48° 30’ 00” N, 5° 15’ 00″ W | 48°30'00''N 5°15'00''W | 48°30' -5°15'
  48-30-00n 5-15w | 48-30N 005-15W | 48–30N 005–15W | N48 30 W005 15 | E 354 45 N 48 30 | 5°15'W 48°30'N
  4830.00,N,00515.00,W | 48 30 -5 15 | 48 30 0 -5 15 0 | 48 30,0 -5 15,0 | 48.5N -5.25 | -5.25, N48.5 | (48.5, -5.25)
  lon=-5.25, lat=48.5 | lat: 48.5 lon: -5.25 | lat 4830 lon -00515 | Latitude 48°30' N, longitude 5°15' W
  geo:48.5,-5.25 | +48.5-005.25/ | +4830-00515/ | ４８．５，－５．２５ | 48d30min N 5d15min W
  48 deg 30 min N, 5 deg 15 min W | 48 30 north 5 15 west | 48° 30' nord, 5° 15' ouest
  Latitud 48° 30' norte, longitud 5° 15' oeste | 48 grados 30 minutos norte 5 grados 15 minutos oeste
  48°30' nördlicher Breite, 5°15' westlicher Länge | Breite 48,5; Länge -5,25
  北緯48度30分 西経5度15分 | 北纬48度30分 西经5度15分 | 西経5.25 北緯48.5 | 緯度 48.5 経度 -5.25`;

describe("one place is read from", () => {
  it.each([...spellings.trim().split(/\s*[|\n]\s*/), "48,5\t-5,25", "48,5\n-5,25"])("%s", (text) => {
    expect(readPosition(text)).toMatchObject({ kind: "place" });
    expect(placesIn(text)).toEqual([at(48.5, -5.25)]);
  });

  it("a locator, by the centre of its square", () => {
    expect(placesIn("IN78ij")).toEqual([at(48.395_833, -5.291_667)]);
  });

  it.each([
    ["33 52S 151 12.6E", -33.866_667, 151.21],
    ["34°S 18°E", -34, 18],
    ["南纬34度 东经18度", -34, 18],
    ["0 0", 0, 0],
    ["90N 180E", 90, 180],
    ["17 58.5N 192 39.4E", 17.975, -167.343_333],
    ['12°30"N 5°W', 12.008_333, -5],
  ])("%s at %d, %d", (text, latitude, longitude) => {
    expect(placesIn(text)).toEqual([at(latitude, longitude)]);
    expect(readPosition(text).kind).toBe("place");
  });
});

describe("the letter O", () => {
  const text = "48°30'N 5°15'O";
  it.each<[string, string[], number]>([
    [text, ["fr", "en"], -5.25],
    [text, ["es-MX", "en"], -5.25],
    [text, ["pt-BR", "en"], -5.25],
    [text, ["de-CH", "en"], 5.25],
    ["Breite 48,5 N; Länge 5,25 O", ["fr"], 5.25],
    ["latitud 48,5 N; longitud 5,25 O", ["de"], -5.25],
  ])(
    "of %s is west or east by its words, else by the reader's languages %j",
    (written, languages, longitude) => {
      expect(placesIn(written, languages)).toEqual([at(48.5, longitude)]);
    },
  );
  it.each([[[]], [["en", "ja"]], [["de", "fr"]]])("is asked about with the languages %j", (languages) => {
    expect(readPosition(text, languages)).toMatchObject({ kind: "unclear", reason: "letter-o" });
    expect(placesIn(text, languages)).toEqual([at(48.5, -5.25), at(48.5, 5.25)]);
  });
});

it.each([
  ["48,5,-5,25", "comma", [at(48.5, -5.25), at(48.083_333, -5.416_667)]],
  ["48,5", "comma", [at(48, 5)]],
  ["48,30,N,5,15,W", "comma", [at(48.3, -5.15), at(48.5, -5.25)]],
  ["48.5 - 5.25", "hyphen", [at(48.5, -5.25), at(48.5, 5.25)]],
  ["48 30N 5 15", "no-letter", [at(48.5, 5.25), at(48.5, -5.25)]],
  ["48 30 W5 15", "no-letter", [at(48.5, -5.25), at(-48.5, -5.25)]],
  ["-122.4, 37.8", "order", [at(37.8, -122.4)]],
] as const)("asks what %s means", (text, reason, places) => {
  expect(readPosition(text)).toMatchObject({ kind: "unclear", reason });
  expect(placesIn(text)).toEqual(places);
});

it.each([
  ["", "empty"],
  ["Brest", "name"],
  ["48 30N", "half"],
  ["91,-190", "latitude-range"],
  ["0,361", "longitude-range"],
  ["10N 190W", "longitude-range"],
  ["48 61N 5 0W", "minutes"],
  ["48.5 30N 5W", "numbers"],
  ["48N 5N", "twice"],
  ["lat 48W lon 5", "twice"],
  ["1 2 3", "numbers"],
  ["48N -5W", "sign-and-letter"],
  ["48 30N Brest 5 10W", "words"],
  ["48°°30 5", "numbers"],
  ["N W 48 5", "missing-number"],
  [`${"1".repeat(300)} 5`, "words"],
] as const)("takes %j for no position: %s", (text, reason) => {
  expect(readPosition(text)).toEqual({ kind: "invalid", reason });
});

/** All notations of a position, each with its step in degrees. */
const angles = (value: number, digits: number, [positive, negative]: readonly [string, string]) => {
  const seconds = Math.round(Math.abs(value) * 36_000) / 10;
  const letter = value < 0 ? negative : positive;
  const pad = (number: number, width: number, decimals: number) =>
    number.toFixed(decimals).padStart(width + (decimals && decimals + 1), "0");
  const [d, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return {
    letter,
    decimal: (seconds / 3600).toFixed(7),
    sign: value < 0 ? "-" : "",
    plus: value < 0 ? "-" : "+",
    d: pad(d, digits, 0),
    dm: pad((seconds / 60) % 60, 2, 5),
    m: pad(m, 2, 0),
    s: pad(s, 2, 1),
  };
};
type Angle = ReturnType<typeof angles>;
const comma = (text: string) => text.replaceAll(".", ",");
const formats: Record<string, (lat: Angle, lon: Angle) => string> = {
  decimal: (a, o) => `${a.sign}${a.decimal}, ${o.sign}${o.decimal}`,
  "decimal commas": (a, o) => comma(`${a.sign}${a.decimal}; ${o.sign}${o.decimal}`),
  "letters after": (a, o) => `${a.decimal}${a.letter} ${o.decimal}${o.letter}`,
  "letters first, longitude first": (a, o) => `${o.letter}${o.decimal} ${a.letter}${a.decimal}`,
  minutes: (a, o) => `${a.d}°${a.dm}′${a.letter} ${o.d}°${o.dm}′${o.letter}`,
  "minutes with decimal commas": (a, o) => comma(`${a.d} ${a.dm} ${a.letter}; ${o.d} ${o.dm} ${o.letter}`),
  "signed minutes": (a, o) => `${a.sign}${a.d} ${a.dm}, ${o.sign}${o.d} ${o.dm}`,
  seconds: (a, o) => `${a.d}º${a.m}'${a.s}"${a.letter}, ${o.d}º${o.m}'${o.s}"${o.letter}`,
  hyphens: (a, o) => `${a.d}-${a.m}-${a.s}${a.letter} ${o.d}-${o.m}-${o.s}${o.letter}`,
  compact: (a, o) => `${a.d}${a.m}${a.s}${a.letter}${o.d}${o.m}${o.s}${o.letter}`,
  "compact minutes": (a, o) => `${a.d}${a.dm},${a.letter},${o.d}${o.dm},${o.letter}`,
  "ISO 6709": (a, o) => `${a.plus}${a.d}${a.dm}${o.plus}${o.d}${o.dm}/`,
  labels: (a, o) => `lon=${o.sign}${o.decimal}, lat=${a.sign}${a.decimal}`,
  Japanese: (a, o) =>
    `${a.sign ? "南緯" : "北緯"}${a.d}度${a.dm}分${o.sign ? "西経" : "東経"}${o.d}度${o.dm}分`,
  German: (a, o) =>
    comma(`${a.d}° ${a.dm}' ${a.sign ? "Süd" : "Nord"}, ${o.d}° ${o.dm}' ${o.sign ? "West" : "Ost"}`),
};

it.each(Object.entries(formats))("reads what is written: %s", (_name, write) => {
  const random = seeded(16);
  for (let round = 0; round < 200; round++) {
    const [latitude, longitude] = [180 * random() - 90, 360 * random() - 180];
    const text = write(angles(latitude, 2, ["N", "S"]), angles(longitude, 3, ["E", "W"]));
    const [place, ...others] = placesIn(text);
    expect(others, text).toEqual([]);
    expect(Math.abs((place?.latitude ?? Number.NaN) - latitude), text).toBeLessThan(2e-5);
    expect(Math.abs((place?.longitude ?? Number.NaN) - longitude), text).toBeLessThan(2e-5);
  }
});

it("reads what the page writes, and its places are in range whatever is written", () => {
  const random = seeded(17);
  const signs = [..."0123456789 .,;-+°'\"NSEWO/lat北西度\t"];
  for (let round = 0; round < 5000; round++) {
    const text = Array.from({ length: 3 + 17 * random() }, () => signs[Math.floor(random() * signs.length)]);
    for (const { latitude, longitude } of placesIn(text.join(""))) {
      expect(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180, text.join("")).toBe(true);
      const [again] = placesIn(positionText(latitude, longitude));
      expect(again?.latitude).toBeCloseTo(latitude, 2);
    }
  }
});

it.each([
  ["48.5", "latitude", 48.5],
  ["48,5", "latitude", 48.5],
  ["48°30.0′N", "latitude", 48.5],
  ["-48 30", "latitude", -48.5],
  ["48-30-00S", "latitude", -48.5],
  ["4830N", "latitude", 48.5],
  ["北緯48度30分", "latitude", 48.5],
  ["005 15W", "longitude", -5.25],
  ["5°15'00\"W", "longitude", -5.25],
  ["354.75", "longitude", -5.25],
] as const)("reads %s as a %s", (text, axis, degrees) => {
  expect(readAngle(text, axis)).toBe(degrees);
});

it("takes the letter of another column, and the meaning of O from the reader's language", () => {
  expect(readAngle("4830.0", "latitude", "S")).toBe(-48.5);
  expect(readAngle("5,25", "longitude", "O", ["fr"])).toBe(-5.25);
  expect(readAngle("5,25 O", "longitude", "", ["de"])).toBe(5.25);
  expect(readAngle("5,25 O", "longitude", "", ["en"])).toBeNaN();
});

it.each([
  ["", "latitude"],
  ["91", "latitude"],
  ["4830", "latitude"],
  ["48N", "longitude"],
  ["361", "longitude"],
  ["48 61", "latitude"],
  ["-48N", "latitude"],
  ["Infinity", "latitude"],
] as const)("takes %j for no %s", (text, axis) => {
  expect(readAngle(text, axis)).toBeNaN();
});

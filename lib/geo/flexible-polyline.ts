import type { Place } from "./sphere.ts";

/**
 * HERE's Flexible Polyline encoding, version 1 (github.com/heremaps/flexible-polyline): places as differences of whole
 * numbers in characters that need no escape in an address.
 */
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

const VERSION = 1;

/** Number of decimals of a degree; five decimals are 1.1 m. */
const PRECISION = 5;

const values = new Map([...ALPHABET].map((character, value) => [character, value]));

/** Encodes places to five decimals of a degree. */
export function encodePolyline(places: readonly Place[]): string {
  let text = unsigned(VERSION) + unsigned(PRECISION);
  let [latitude, longitude] = [0, 0];
  for (const place of places) {
    const [north, east] = [scaled(place.latitude), scaled(place.longitude)];
    text += signed(north - latitude) + signed(east - longitude);
    [latitude, longitude] = [north, east];
  }
  return text;
}

/**
 * The places of a polyline of any precision; a third dimension is left out.
 *
 * @returns undefined for a text that is not a polyline.
 */
export function decodePolyline(text: string): Place[] | undefined {
  const numbers = numbersOf(text);
  const [version, header] = numbers ?? [];
  if (!numbers || version !== VERSION || header === undefined) return undefined;
  const scale = 10 ** (header & 15);
  const dimensions = (header >> 4) & 7 ? 3 : 2;
  const differences = numbers.slice(2);
  if (differences.length % dimensions !== 0) return undefined;
  const places: Place[] = [];
  let [latitude, longitude] = [0, 0];
  for (let at = 0; at < differences.length; at += dimensions) {
    latitude += unfolded(differences[at]!);
    longitude += unfolded(differences[at + 1]!);
    places.push({ latitude: latitude / scale, longitude: longitude / scale });
  }
  return places;
}

function scaled(degrees: number): number {
  return Math.round(degrees * 10 ** PRECISION);
}

/** The sign goes into the lowest bit. */
function signed(value: number): string {
  return unsigned(value < 0 ? -2 * value - 1 : 2 * value);
}

function unfolded(value: number): number {
  return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
}

/** Each character holds five bits, lowest first; the sixth bit says that more follow. */
function unsigned(value: number): string {
  let text = "";
  let rest = value;
  for (; rest >= 32; rest = Math.floor(rest / 32)) text += ALPHABET[32 + (rest % 32)];
  return text + ALPHABET[rest];
}

/** Most characters of a number; with more, sums would no longer be exact. */
const MAX_CHARACTERS = 9;

function numbersOf(text: string): number[] | undefined {
  const numbers: number[] = [];
  let [number, characters] = [0, 0];
  for (const character of text) {
    const value = values.get(character);
    if (value === undefined || characters === MAX_CHARACTERS) return undefined;
    number += (value % 32) * 32 ** characters;
    characters++;
    if (value >= 32) continue;
    numbers.push(number);
    [number, characters] = [0, 0];
  }
  return characters === 0 ? numbers : undefined;
}

import { createParser, parseAsFloat, parseAsStringLiteral, useQueryStates } from "nuqs";
import { drawnVariables } from "#lib/catalog/colours.ts";
import { formatInstant, parseInstant } from "#lib/time.ts";
import { speedUnits } from "#lib/units.ts";

export interface Place {
  latitude: number;
  longitude: number;
}

/** `48.5,-5.17` → place; what is no place is ignored. */
const place = (decimals: number) =>
  createParser<Place>({
    parse: (text) => {
      const [latitude = Number.NaN, longitude = Number.NaN, ...rest] = text.split(",").map(Number);
      const valid = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && rest.length === 0;
      return valid ? { latitude, longitude } : null;
    },
    serialize: ({ latitude, longitude }) => `${rounded(latitude, decimals)},${rounded(longitude, decimals)}`,
    eq: (one, other) => one.latitude === other.latitude && one.longitude === other.longitude,
  });

/** `2025-09-15T06:00:00Z` → Unix seconds. */
const instant = createParser<number>({
  parse: (text) => {
    const seconds = parseInstant(text);
    return Number.isNaN(seconds) ? null : seconds;
  },
  serialize: formatInstant,
});

/** Decimals kept of a sampled position: 11 m. */
const SAMPLE_DECIMALS = 4;

/** What of the view a link carries. The API key is never part of it. */
const viewParsers = {
  /** Centre of the map. */
  c: place(3).withDefault({ latitude: 30, longitude: -30 }),
  z: parseAsFloat.withDefault(2),
  /** Layer. */
  l: parseAsStringLiteral(drawnVariables).withDefault("wind"),
  t: instant,
  /** Sampled point. */
  p: place(SAMPLE_DECIMALS),
  /** Unit of speeds. */
  u: parseAsStringLiteral(speedUnits).withDefault("kn"),
};

/** The view, kept in the URL. */
export function useView() {
  return useQueryStates(viewParsers, { history: "replace", clearOnDefault: true });
}

/** The place as the URL keeps it, so that a link samples exactly what was sampled. */
export function sampledPlace(latitude: number, longitude: number): Place {
  const wrapped = ((((longitude + 180) % 360) + 360) % 360) - 180;
  return { latitude: rounded(latitude, SAMPLE_DECIMALS), longitude: rounded(wrapped, SAMPLE_DECIMALS) };
}

function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}

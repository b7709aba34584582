import {
  createParser,
  parseAsBoolean,
  parseAsFloat,
  parseAsString,
  parseAsStringLiteral,
  useQueryStates,
} from "nuqs";
import { drawnVariables } from "#lib/catalog/colours.ts";
import { stormProviders } from "#lib/contract/storm-providers.ts";
import { normaliseLongitude } from "#lib/field/grid.ts";
import type { Place } from "#lib/geo/sphere.ts";
import { dangerMethods } from "#lib/storms/danger-methods.ts";
import { defaultUnits } from "#lib/units.ts";
import { layerNames } from "./layers.ts";
import { defaultOverlays, overlayNames } from "./overlays.ts";
import { parseShownTime, writeShownTime } from "./shown-time.ts";
import { themes } from "./themes.ts";
import { parseUnits, writeUnits } from "./units-url.ts";
import { zones } from "./zone.ts";

export type { Place };

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

/** Decimals kept of a sampled position: 11 m. */
const SAMPLE_DECIMALS = 4;

/** What of the view a link carries; other keys are left alone. The API key is never part of it. */
const viewParsers = {
  /** Centre of the map. */
  c: place(3).withDefault({ latitude: 30, longitude: -30 }),
  z: parseAsFloat.withDefault(2),
  /** Layer. */
  l: parseAsStringLiteral(layerNames).withDefault(drawnVariables[0]),
  /** What is drawn on top of the layer. */
  o: createParser({
    parse: (text) => {
      const asked = text.split(",");
      return overlayNames.filter((name) => asked.includes(name));
    },
    serialize: (shown) => shown.join(","),
    eq: (one, other) => one.join() === other.join(),
  }).withDefault(defaultOverlays),
  /** Time of the map. */
  t: createParser({ parse: parseShownTime, serialize: writeShownTime, eq: sameJson }),
  /** Sampled point. */
  p: place(SAMPLE_DECIMALS),
  /** Units that differ from the usual ones. */
  u: createParser({ parse: parseUnits, serialize: writeUnits, eq: sameJson }).withDefault(defaultUnits),
  /** Clock that times are written in. */
  tz: parseAsStringLiteral(zones).withDefault("utc"),
  /** Theme; without, the one that was chosen here or that the system asks for. */
  th: parseAsStringLiteral(themes),
  proj: parseAsStringLiteral(["mercator", "globe"]).withDefault("mercator"),
  /** Storm whose details are shown. */
  storm: parseAsString,
  /** Whose storms are shown: the two are never mixed. */
  sp: parseAsStringLiteral(stormProviders).withDefault("jtwc"),
  /** Areas of interest that are no depressions yet. */
  inv: parseAsBoolean.withDefault(true),
  /** Danger area of the storm, by its method. */
  danger: parseAsStringLiteral(dangerMethods),
};

/** The view, kept in the URL. */
export function useView() {
  return useQueryStates(viewParsers, { history: "replace", clearOnDefault: true });
}

export type View = ReturnType<typeof useView>[0];

/** Changes some of the view; null takes a key out of the URL. */
export type ChangeView = (change: { [K in keyof View]?: View[K] | null }) => void;

/** The place as the URL keeps it, so that a link samples exactly what was sampled. */
export function sampledPlace(latitude: number, longitude: number): Place {
  const wrapped = normaliseLongitude(longitude);
  return { latitude: rounded(latitude, SAMPLE_DECIMALS), longitude: rounded(wrapped, SAMPLE_DECIMALS) };
}

function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}

function sameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

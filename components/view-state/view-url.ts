import {
  createLoader,
  createParser,
  parseAsBoolean,
  parseAsString,
  parseAsStringLiteral,
  useQueryStates,
} from "nuqs";
import { drawnVariables } from "#lib/catalog/colours.ts";
import type { viewParameters } from "#lib/contract/page-query.ts";
import { dangerMethods, stormProviders } from "#lib/contract/storm-providers.ts";
import { readDecimal } from "#lib/decimal.ts";
import { normaliseLongitude } from "#lib/field/grid.ts";
import type { Place } from "#lib/geo/sphere.ts";
import { defaultUnits } from "#lib/units.ts";
import { zones } from "./civil.ts";
import { parseCompared, writeCompared } from "./compared.ts";
import { themes } from "./map-colours.ts";
import { defaultOverlays, layerNames, overlayNames } from "./overlays.ts";
import { parseShip, writeShip } from "./ship-store.ts";
import { parseShownTime, writeShownTime } from "./timeline.ts";
import { parsePlace, parseUnits, writeUnits } from "./view-text.ts";

export type { Place };

const place = (decimals: number) =>
  createParser<Place>({
    parse: parsePlace,
    serialize: ({ latitude, longitude }) => `${rounded(latitude, decimals)},${rounded(longitude, decimals)}`,
    eq: (one, other) => one.latitude === other.latitude && one.longitude === other.longitude,
  });

const detailsTabs = ["point", "storms", "ship", "passage", "download", "tide"] as const;

export type DetailsTab = (typeof detailsTabs)[number];

/** Decimals of a sampled position: 11 m. */
const SAMPLE_DECIMALS = 4;

/** Search parameters of the view; others are left alone. The API key is never part of it. */
const viewParsers = {
  c: place(3).withDefault({ latitude: 30, longitude: -30 }),
  z: createParser({
    parse: (text) => {
      const zoom = readDecimal(text);
      return Number.isNaN(zoom) ? null : zoom;
    },
    serialize: String,
  }).withDefault(2),
  l: parseAsStringLiteral(layerNames).withDefault(drawnVariables[0]),
  /** Overlays drawn on top of the layer. */
  o: createParser({
    parse: (text) => {
      const requested = text.split(",");
      return overlayNames.filter((name) => requested.includes(name));
    },
    serialize: (shown) => shown.join(","),
    eq: (one, other) => one.join() === other.join(),
  }).withDefault(defaultOverlays),
  /** What the map is compared with, side by side. */
  cmp: createParser({ parse: parseCompared, serialize: writeCompared, eq: sameJson }),
  t: createParser({ parse: parseShownTime, serialize: writeShownTime, eq: sameJson }),
  p: place(SAMPLE_DECIMALS),
  /** Whether the last runs are drawn behind the newest at the point. */
  runs: parseAsBoolean.withDefault(false),
  /** Units that differ from the usual ones. */
  u: createParser({ parse: parseUnits, serialize: writeUnits, eq: sameJson }).withDefault(defaultUnits),
  /** Clock that times are written in. */
  tz: parseAsStringLiteral(zones).withDefault("utc"),
  /** Theme; null: the one saved in this browser, or that of the system. */
  th: parseAsStringLiteral(themes),
  proj: parseAsStringLiteral(["mercator", "globe"]).withDefault("mercator"),
  storm: parseAsString,
  /** Id of the station whose tide or stream is shown. */
  tide: parseAsString,
  /** Level that its heights are above; null: its chart datum. */
  datum: parseAsString,
  /** Time of the film of the storm, Unix seconds; null: no film is open. */
  film: createParser({
    parse: (text) => {
      const time = parseShownTime(text);
      return typeof time === "number" ? time : null;
    },
    serialize: writeShownTime,
  }),
  /** Provider of the storms: the two are never mixed. */
  sp: parseAsStringLiteral(stormProviders).withDefault("jtwc"),
  /** Whether areas of interest that are not yet depressions are shown. */
  inv: parseAsBoolean.withDefault(true),
  /** Method of the danger area that is drawn. */
  danger: parseAsStringLiteral(dangerMethods),
  /** A ship that a link brings. It is taken out of the address at once: other links are without it. */
  ship: createParser({ parse: (text) => parseShip(text) ?? null, serialize: writeShip, eq: sameJson }),
  /** A plan that a link brings, as it is written (lib/passage/plan-link.ts). It is taken out of the address at once. */
  plan: parseAsString,
  /** Tab of the panel, where it is not the one that a point, storm or station of the link opens. */
  tab: parseAsStringLiteral(detailsTabs),
  task: parseAsString,
} satisfies Record<(typeof viewParameters)[number], unknown>;

export function useViewUrl() {
  return useQueryStates(viewParsers, { history: "replace", clearOnDefault: true });
}

export type View = ReturnType<typeof useViewUrl>[0];

export const readView = createLoader(viewParsers);

/**
 * Changes parts of the view; null removes a parameter from the URL.
 *
 * @param history `push` where the user went somewhere, as to the card of a storm: the browser's Back returns from it. Moving
 * the map, stepping in time and choosing how things are drawn replace the entry, which is the default.
 */
export type ChangeView = (
  change: { [K in keyof View]?: View[K] | null },
  history?: "push" | "replace",
) => void;

/** The place rounded as in the URL, so that a link samples exactly the same place. */
export function sampledPlace(latitude: number, longitude: number): Place {
  return {
    latitude: rounded(latitude, SAMPLE_DECIMALS),
    longitude: rounded(normaliseLongitude(longitude), SAMPLE_DECIMALS),
  };
}

function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}

function sameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

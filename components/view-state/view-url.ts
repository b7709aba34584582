import { normaliseLongitude } from "@open-metocean/geo/grid";
import type { Place } from "@open-metocean/geo/sphere";
import { dangerMethods, stormProviders } from "@open-metocean/storms/providers";
import {
  createLoader,
  createParser,
  parseAsArrayOf,
  parseAsBoolean,
  parseAsString,
  parseAsStringLiteral,
  useQueryStates,
} from "nuqs";
import { drawnVariables } from "#lib/catalog/colours.ts";
import { BEST } from "#lib/catalog/source-order.ts";
import type { viewParameters } from "#lib/contract/page-query.ts";
import { readDecimal } from "#lib/decimal.ts";
import { defaultUnits } from "#lib/units.ts";
import { zones } from "./civil.ts";
import { parseCompared, parseModel, writeCompared } from "./compared.ts";
import { themes } from "./map-colours.ts";
import { layerNames, type Overlay, overlayNames } from "./overlays.ts";
import { parseOwnPort, writeOwnPort } from "./own-ports.ts";
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

/** Decimals of a sampled position, to 11 m. */
const SAMPLE_DECIMALS = 4;

/** Search parameters of the view; others are left unchanged. The API key is never one of them. */
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
  /** Model that the map shows alone; null means the source that stands first for each layer. */
  model: createParser({ parse: (text) => (text === BEST ? null : parseModel(text)), serialize: String }),
  /** Overlays drawn on top of the layer; null means those that are drawn by default at the zoom. */
  o: createParser({
    parse: (text) => {
      const requested = text.split(",");
      return overlayNames.filter((name) => requested.includes(name));
    },
    serialize: (shown) => shown.join(","),
  }),
  /** Ids of the tiles of other services that are drawn, lowest first. */
  x: parseAsArrayOf(parseAsString).withDefault([]),
  /** The second picture, shown side by side. */
  cmp: createParser({ parse: parseCompared, serialize: writeCompared, eq: sameJson }),
  t: createParser({ parse: parseShownTime, serialize: writeShownTime, eq: sameJson }),
  p: place(SAMPLE_DECIMALS),
  /** Whether the last runs are drawn behind the newest at the point. */
  runs: parseAsBoolean.withDefault(false),
  /** Whether all models are compared at the point. */
  models: parseAsBoolean.withDefault(false),
  /** Units that differ from the defaults. */
  u: createParser({ parse: parseUnits, serialize: writeUnits, eq: sameJson }).withDefault(defaultUnits),
  /** Time zone in which times are written. */
  tz: parseAsStringLiteral(zones).withDefault("utc"),
  /** Theme; null means the one saved in this browser, or that of the system. */
  th: parseAsStringLiteral(themes),
  proj: parseAsStringLiteral(["mercator", "globe"]).withDefault("mercator"),
  storm: parseAsString,
  /** Id of the tide station that is shown. */
  tide: parseAsString,
  /** Datum of its heights; null means its chart datum. */
  datum: parseAsString,
  /**
   * The user's own secondary port, by differences from that station; null means the one that this device
   * stores, or none.
   */
  port: createParser({ parse: parseOwnPort, serialize: writeOwnPort, eq: sameJson }),
  /** Time of the storm's film, Unix seconds; null if no film is open. */
  film: createParser({
    parse: (text) => {
      const time = parseShownTime(text);
      return typeof time === "number" ? time : null;
    },
    serialize: writeShownTime,
  }),
  /** Provider of the storms; the two are never mixed. */
  sp: parseAsStringLiteral(stormProviders).withDefault("jtwc"),
  /** Whether areas of interest that are not yet depressions are shown. */
  inv: parseAsBoolean.withDefault(true),
  /** Method of the drawn danger area. */
  danger: parseAsStringLiteral(dangerMethods),
  /**
   * The ship of a link. It is removed from the address immediately, so that later links do not contain it.
   */
  ship: createParser({ parse: (text) => parseShip(text) ?? null, serialize: writeShip, eq: sameJson }),
  /**
   * The plan of a link, encoded as in lib/passage/plan-link.ts. It is removed from the address immediately.
   */
  plan: parseAsString,
  /** Tab of the panel, if it is not the one that the link's point, storm or station opens. */
  tab: parseAsStringLiteral(detailsTabs),
  task: parseAsString,
} satisfies Record<(typeof viewParameters)[number], unknown>;

export function useViewUrl() {
  return useQueryStates(viewParsers, { history: "replace", clearOnDefault: true });
}

type LinkedView = ReturnType<typeof useViewUrl>[0];

export type View = Omit<LinkedView, "o"> & { o: Overlay[] };

export const readView = createLoader(viewParsers);

/**
 * Changes parts of the view; null removes a parameter from the URL.
 *
 * @param history `push` if the user navigates, for example to the card of a storm, so that the browser's Back
 * returns. Moving the map, stepping in time and choosing how things are drawn use the default, which replaces
 * the entry.
 */
export type ChangeView = (
  change: { [K in keyof View]?: View[K] | null },
  history?: "push" | "replace",
) => void;

/** Rounds a place as in the URL, so that a link samples exactly the same place. */
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

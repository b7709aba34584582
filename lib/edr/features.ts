import { type Box, inBox } from "@open-metocean/geo/box";
import type { StormEntry } from "@open-metocean/storms/schema";
import { notice } from "#lib/storm-answers/provenance.ts";
import { aboutOf, heightOf, type Origin, type Points } from "#lib/table/table.ts";
import { formatInstant } from "#lib/time.ts";
import type { PointParameter } from "./coverage-json.ts";

const FEATURES_A_PIECE = 1024;

const utf8 = new TextEncoder();

/**
 * Writes places and times as EDR GeoJSON: one Feature each, whose properties have the values by parameter,
 * null for missing. The collection describes the parameters; editions of the standard disagree on the form of
 * that here, so only units and heights are repeated.
 *
 * @param collection Address of the collection.
 * @param endpoint Address of the query that answers at such places.
 */
export function* featurePieces(
  { rows, latitude, longitude, timestamp }: Pick<Points, "rows" | "latitude" | "longitude" | "timestamp">,
  parameters: readonly PointParameter[],
  { collection, endpoint }: { collection: string; endpoint: string },
  origin: Origin,
): Generator<Uint8Array, void, undefined> {
  const heights = parameters.flatMap(({ output: { point } }) => {
    const height = heightOf(point, origin);
    return height === undefined ? [] : [[point, height] as const];
  });
  const head = JSON.stringify({
    type: "FeatureCollection",
    ...aboutOf(origin),
    units: Object.fromEntries(parameters.map(({ output }) => [output.point, output.unit])),
    heights_m: Object.fromEntries(heights),
    links: [{ href: collection, rel: "collection", type: "application/json", title: "The collection" }],
    numberReturned: rows,
  });
  yield utf8.encode(`${head.slice(0, -1)},"features":[`);
  const names = parameters.map(({ output }) => output.point);
  for (let from = 0; from < rows; from += FEATURES_A_PIECE) {
    let text = "";
    for (let row = from; row < Math.min(rows, from + FEATURES_A_PIECE); row++) {
      // JSON has no NaN; missing values become null.
      const values = Object.fromEntries(parameters.map(({ output, value }) => [output.point, value(row)]));
      const properties = {
        datetime: timestamp(row),
        label: `${latitude(row)} ${longitude(row)}`,
        "parameter-name": names,
        edrqueryendpoint: endpoint,
        ...values,
      };
      const geometry = { type: "Point", coordinates: [longitude(row), latitude(row)] };
      text += `${row === 0 ? "\n" : ",\n"}${JSON.stringify({ type: "Feature", id: String(row), geometry, properties })}`;
    }
    yield utf8.encode(text);
  }
  yield utf8.encode("\n]}\n");
}

/** The collection whose items are the storms tracked now. */
export const ACTIVE_STORMS = "active-storms";

/** Describes the collection of storms. @param base Address of the service. */
export function stormCollection(base: string) {
  const href = `${base}/edr/collections/${ACTIVE_STORMS}`;
  const items = `${href}/items`;
  return {
    id: ACTIVE_STORMS,
    title: "Active storms",
    description:
      "Tropical storms and areas of interest as their centres track them, at their newest position; the same storm may be an item of each centre.",
    // Clients of OGC API – Features find readable collections by this property.
    itemType: "feature" as const,
    links: [
      { href, rel: "self", type: "application/json", title: "This document" },
      { href: items, rel: "items", type: "application/geo+json", title: "Storms" },
      { href: items, rel: "data", type: "application/geo+json", title: "Storms" },
      { href, rel: "collection", type: "application/json", title: "The collection" },
    ],
    extent: {
      spatial: { bbox: [[-180, -90, 180, 90]], crs: "http://www.opengis.net/def/crs/OGC/1.3/CRS84" },
    },
    data_queries: {
      items: {
        link: {
          href: items,
          rel: "items",
          type: "application/geo+json",
          variables: { title: "Items query", query_type: "items" },
        },
      },
    },
    crs: ["CRS84"],
    output_formats: ["GeoJSON"],
    parameter_names: {},
  };
}

/**
 * Links of a reply with items: to itself, to the next page if there is one, and to the collection.
 *
 * @param base Address of the service.
 * @param query Parameters of the request.
 * @param next Offset of the next page.
 */
export function stormItemLinks(base: string, query: URLSearchParams, next: number | undefined) {
  const collection = `${base}/edr/collections/${ACTIVE_STORMS}`;
  const type = "application/geo+json";
  const items = (parameters: URLSearchParams) =>
    `${collection}/items${parameters.size > 0 ? `?${parameters}` : ""}`;
  const further = new URLSearchParams(query);
  if (next !== undefined) further.set("offset", String(next));
  return [
    { href: items(query), rel: "self", type, title: "This document" },
    ...(next === undefined ? [] : [{ href: items(further), rel: "next", type, title: "The next items" }]),
    { href: collection, rel: "collection", type: "application/json", title: "The collection" },
  ];
}

/** Storms with their newest positions, as EDR features. @param base Address of the service. */
export function stormFeatures(base: string, entries: readonly StormEntry[]) {
  return entries.flatMap((entry) => {
    const newest = entry.tracks.observed.at(-1) ?? entry.tracks.forecast?.points[0];
    if (!newest || !entry.is_active) return [];
    const id = `${entry.provider}-${entry.id}`;
    return [
      {
        type: "Feature" as const,
        id,
        geometry: { type: "Point" as const, coordinates: [newest.lon, newest.lat] },
        properties: {
          datetime: formatInstant(newest.time),
          label: entry.name ?? entry.id,
          "parameter-name": [] as string[],
          edrqueryendpoint: `${base}/edr/collections/${ACTIVE_STORMS}/items/${id}`,
          storm: entry.id,
          provider: entry.provider,
          basin: entry.basin,
          is_invest: entry.is_invest,
          type: newest.type,
          category: newest.category,
          vmax_kt: newest.vmax_kt,
          mslp_hpa: newest.mslp_hpa,
          heading_deg: newest.heading_deg,
          speed_kmh: newest.speed_kmh,
          notice,
        },
      },
    ];
  });
}

export type StormItem = ReturnType<typeof stormFeatures>[number];

/** Whether a storm's newest position is in a box. */
export function isStormIn({ geometry: { coordinates } }: StormItem, box: Box): boolean {
  const [longitude = 0, latitude = 0] = coordinates;
  return inBox(box, { latitude, longitude });
}

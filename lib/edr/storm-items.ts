import type { StormEntry } from "#lib/contract/storm-form.ts";
import { type Box, inBox } from "#lib/geo/box.ts";
import { notice } from "#lib/storms/provenance.ts";
import { formatInstant } from "#lib/time.ts";

/** The collection of storms that are tracked now, as items. */
export const ACTIVE_STORMS = "active-storms";

/** @param base Address of the service. */
export function stormCollection(base: string) {
  const href = `${base}/edr/collections/${ACTIVE_STORMS}`;
  const items = `${href}/items`;
  return {
    id: ACTIVE_STORMS,
    title: "Active storms",
    description:
      "Tropical storms and areas of interest as their centres track them, at their newest position; the same storm may be an item of each centre.",
    // By which clients of OGC API – Features find what they can read.
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

/** Links of a reply with items: to itself, to the next where there are more, and to the collection. @param base Address of the service. @param query Its parameters. @param next Offset of the next items */
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

import type { StormOutlook } from "#lib/contract/storm-outlook.ts";
import { areaOf, type Geometry } from "./geojson-geometry.ts";
import { notice } from "./provenance.ts";
import { ofWire } from "./wire.ts";

/** An area of interest as GeoJSON; without a geometry where neither a polygon nor a place is published. */
export interface AreaFeature {
  type: "Feature";
  id: string;
  properties: Record<string, unknown>;
  geometry: Geometry | null;
}

/** Areas of interest as GeoJSON (RFC 7946): the polygon of each, else its place. */
export function outlooksGeojson(outlooks: readonly StormOutlook[]): {
  type: "FeatureCollection";
  features: AreaFeature[];
} {
  const features = outlooks.flatMap(({ product, agency, issued_at, valid_until, areas }) =>
    areas.map(({ id, polygon, place, winds_kt, ...properties }): AreaFeature => {
      const point: Geometry | null = place ? { type: "Point", coordinates: [place.lon, place.lat] } : null;
      return {
        type: "Feature",
        id: `${agency}-${id}`,
        properties: {
          kind: "area-of-interest",
          product,
          agency,
          issued_at,
          valid_until,
          ...properties,
          winds_min_kt: winds_kt?.min ?? null,
          winds_max_kt: winds_kt?.max ?? null,
          notice,
        },
        geometry: polygon ? areaOf(polygon.map(ofWire)) : point,
      };
    }),
  );
  return { type: "FeatureCollection", features };
}

import type { Feature, FeatureCollection, MultiLineString, MultiPolygon, Position } from "geojson";
import type { LayerSpecification, StyleSpecification } from "maplibre-gl";

/** Colours of the basemap, from the theme's CSS variables. */
export interface BasemapColours {
  land: string;
  coast: string;
  border: string;
  sea: string;
  graticule: string;
  sample: string;
}

/** Reads the theme that is in force on an element. */
export function basemapColours(element: Element): BasemapColours {
  const style = getComputedStyle(element);
  const token = (name: string) => style.getPropertyValue(`--map-${name}`).trim();
  return {
    land: token("land"),
    coast: token("coast"),
    border: token("border"),
    sea: token("sea"),
    graticule: token("graticule"),
    sample: token("sample"),
  };
}

/** The layer that fields are drawn under: land covers them, so that the coast is as sharp as its outline. */
export const LAND_LAYER = "land";

const empty: FeatureCollection = { type: "FeatureCollection", features: [] };

/** A style without tiles and without glyphs: land, coast, borders, graticule and the sampled point. */
export function basemapStyle(colours: BasemapColours): StyleSpecification {
  const line = (id: string, source: string, colour: string, width: number): LayerSpecification => ({
    id,
    type: "line",
    source,
    paint: { "line-color": colour, "line-width": width },
  });
  return {
    version: 8,
    sources: {
      land: { type: "geojson", data: empty, tolerance: 0.2 },
      coast: { type: "geojson", data: empty, tolerance: 0.2 },
      borders: { type: "geojson", data: empty, tolerance: 0.2 },
      coarse: { type: "geojson", data: graticule(30) },
      fine: { type: "geojson", data: graticule(10) },
      finest: { type: "geojson", data: graticule(2) },
      sample: { type: "geojson", data: empty },
    },
    layers: [
      { id: "sea", type: "background", paint: { "background-color": colours.sea } },
      {
        id: LAND_LAYER,
        type: "fill",
        source: "land",
        paint: { "fill-color": colours.land, "fill-antialias": false },
      },
      { ...line("borders", "borders", colours.border, 0.6), minzoom: 3 } as LayerSpecification,
      line("coast", "coast", colours.coast, 0.8),
      { ...line("graticule-30", "coarse", colours.graticule, 0.5), maxzoom: 3 } as LayerSpecification,
      {
        ...line("graticule-10", "fine", colours.graticule, 0.5),
        minzoom: 3,
        maxzoom: 5.5,
      } as LayerSpecification,
      { ...line("graticule-2", "finest", colours.graticule, 0.5), minzoom: 5.5 } as LayerSpecification,
      {
        id: "sample",
        type: "circle",
        source: "sample",
        paint: {
          "circle-radius": 6,
          "circle-color": "rgba(255, 255, 255, 0.85)",
          "circle-stroke-color": colours.sample,
          "circle-stroke-width": 3,
        },
      },
    ],
  };
}

/**
 * Coastlines of land polygons. Edges along the antimeridian and the south pole, where the polygons were cut, are no
 * coast.
 */
export function coastOf(land: MultiPolygon): MultiLineString {
  const coordinates: Position[][] = [];
  for (const ring of land.coordinates.flat()) {
    let line: Position[] = [];
    ring.forEach((point, index) => {
      const last = ring[index - 1];
      if (last && isCut(last, point)) {
        if (line.length > 1) coordinates.push(line);
        line = [];
      }
      line.push(point);
    });
    if (line.length > 1) coordinates.push(line);
  }
  return { type: "MultiLineString", coordinates };
}

const CUT_AT = 179.99;

function isCut([x0 = 0, y0 = 0]: Position, [x1 = 0, y1 = 0]: Position): boolean {
  return (Math.abs(x0) >= CUT_AT && Math.abs(x1) >= CUT_AT) || (y0 <= -89.9 && y1 <= -89.9);
}

/** Meridians and parallels every `step` degrees. */
export function graticule(step: number): Feature<MultiLineString> {
  const coordinates: Position[][] = [];
  for (let longitude = -180; longitude < 180; longitude += step) {
    coordinates.push([
      [longitude, -85],
      [longitude, 85],
    ]);
  }
  for (let latitude = -90 + step; latitude < 90; latitude += step) {
    // In four legs: on the globe each is drawn along its parallel, not straight through the earth.
    coordinates.push([-180, -90, 0, 90, 180].map((longitude) => [longitude, latitude]));
  }
  return { type: "Feature", properties: {}, geometry: { type: "MultiLineString", coordinates } };
}

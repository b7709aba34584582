import type { TidePrediction, TideStation } from "#lib/contract/tides.ts";
import { formatInstant, parseInstant } from "#lib/time.ts";
import { CRS84 } from "./metadata.ts";

/** The collection of tide heights at stations, as locations. */
export const TIDES = "tides";

/** Name of the only parameter of the collection. */
export const TIDE_HEIGHT = "Tide_Height";

const GEOJSON = "application/geo+json";

/** The parameter. @param label Adds a language where texts need one, as in coverages. */
const parameter = <Label>(label: (text: string) => Label) => ({
  type: "Parameter" as const,
  id: TIDE_HEIGHT,
  description: label("Astronomical height of the tide above the chart datum of the station"),
  unit: { label: { en: "m" }, symbol: { value: "m", type: "http://www.opengis.net/def/uom/UCUM/" } },
  observedProperty: {
    id: "http://vocab.nerc.ac.uk/standard_name/tidal_sea_surface_height_above_lowest_astronomical_tide/",
    label: label("Height of the tide"),
  },
});

/**
 * Describes the collection of tide stations. @param base Address of the service. @param first First predicted
 * instant; the last one follows it.
 */
export function tideCollection(base: string, [first, last]: readonly [string, string]) {
  const href = `${base}/edr/collections/${TIDES}`;
  const locations = `${href}/locations`;
  return {
    id: TIDES,
    title: "Tides at stations",
    // Clients of OGC API – Features (GDAL) recognise by this property that there are no items to list.
    layerDataType: "Coverage" as const,
    description:
      "Astronomical heights of the tide, each above the chart datum of its station. Wind, air pressure and rivers are not in them.",
    links: [
      { href, rel: "self", type: "application/json", title: "This document" },
      { href: locations, rel: "data", type: GEOJSON, title: "Stations" },
      { href, rel: "collection", type: "application/json", title: "The collection" },
    ],
    extent: {
      spatial: { bbox: [[-180, -90, 180, 90]], crs: CRS84 },
      temporal: {
        interval: [[first, last]],
        trs: 'TIMECRS["DateTime",TDATUM["Gregorian Calendar"],CS[TemporalDateTime,1],AXIS["Time (T)",future]]',
      },
    },
    data_queries: {
      locations: {
        link: {
          href: locations,
          rel: "data",
          type: GEOJSON,
          variables: {
            title: "Locations query",
            query_type: "locations",
            output_formats: ["CoverageJSON"],
            default_output_format: "CoverageJSON",
          },
        },
      },
    },
    crs: ["CRS84"],
    output_formats: ["CoverageJSON", "GeoJSON"],
    parameter_names: { [TIDE_HEIGHT]: { ...parameter((text) => text), "data-type": "float" } },
  };
}

/** Stations as locations. @param base Address of the service. */
export function tideLocations(base: string, stations: readonly TideStation[]) {
  return stations.map(({ id, name, longitude, latitude, country, datum }) => ({
    type: "Feature" as const,
    id,
    geometry: { type: "Point" as const, coordinates: [longitude, latitude] },
    properties: {
      // The standard's schema requires this property.
      datetime: "1900-01-01T00:00:00Z/2100-12-31T23:59:59Z",
      label: name,
      "parameter-name": [TIDE_HEIGHT],
      edrqueryendpoint: `${base}/edr/collections/${TIDES}/locations/${id}`,
      country,
      datum,
    },
  }));
}

/** A curve as a CoverageJSON PointSeries, or as a Point if it has a single value. */
export function tideCoverage({ station, curve, from, datum, notice, attribution }: TidePrediction): object {
  const first = parseInstant(from);
  const heights = curve?.heights_m ?? [];
  const times = heights.map((_, at) => formatInstant(first + at * 60 * curve!.step_minutes));
  return {
    type: "Coverage",
    notice,
    attribution,
    datum,
    domain: {
      type: "Domain",
      domainType: times.length === 1 ? "Point" : "PointSeries",
      axes: { x: { values: [station.longitude] }, y: { values: [station.latitude] }, t: { values: times } },
      referencing: [
        { coordinates: ["x", "y"], system: { type: "GeographicCRS", id: CRS84 } },
        { coordinates: ["t"], system: { type: "TemporalRS", calendar: "Gregorian" } },
      ],
    },
    parameters: { [TIDE_HEIGHT]: parameter((text) => ({ en: text })) },
    ranges: {
      [TIDE_HEIGHT]: {
        type: "NdArray",
        dataType: "float",
        axisNames: ["t", "y", "x"],
        shape: [times.length, 1, 1],
        values: heights,
      },
    },
  };
}

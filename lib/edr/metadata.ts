import type { z } from "zod";
import { type VariableName, variable } from "#lib/catalog/variables.ts";
import {
  distanceUnits,
  type EdrQueryName,
  type edrCollection,
  type edrConformance,
  edrFormats,
  type edrLanding,
  formatsOfQuery,
} from "#lib/contract/edr.ts";
import type { Box } from "#lib/geo/box.ts";
import { SERVICE_NAME } from "#lib/service-name.ts";
import { NOT_FOR_NAVIGATION } from "#lib/table/table.ts";
import { formatInstant } from "#lib/time.ts";
import { type EdrCollection, parametersOf } from "./collections.ts";
import { collectionParameter } from "./parameters.ts";
import { timeSteps } from "./time-steps.ts";

export const CRS84 = "http://www.opengis.net/def/crs/OGC/1.3/CRS84";

/** The same in WKT, as clients of EDR read it. */
const CRS84_WKT =
  'GEOGCS["WGS 84 (CRS84)",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],' +
  'UNIT["degree",0.0174532925199433],AXIS["Longitude",EAST],AXIS["Latitude",NORTH],AUTHORITY["OGC","CRS84"]]';

const GREGORIAN =
  'TIMECRS["DateTime",TDATUM["Gregorian Calendar"],CS[TemporalDateTime,1],AXIS["Time (T)",future]]';

const HEIGHT =
  'VERTCRS["Height above the surface",VDATUM["Surface of the earth"],CS[vertical,1],AXIS["Height (h)",up],LENGTHUNIT["metre",1]]';

/** Names of longitude and latitude that the parameter `crs` takes. */
export const crs84Names = ["CRS84", "CRS:84", "OGC:CRS84", CRS84];

export const EPSG4326 = "http://www.opengis.net/def/crs/EPSG/0/4326";

const EPSG4326_WKT =
  'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],' +
  'UNIT["degree",0.0174532925199433],AXIS["Latitude",NORTH],AXIS["Longitude",EAST],AUTHORITY["EPSG","4326"]]';

/** Media type of the OpenAPI document. */
export const OPENAPI_3_0 = "application/vnd.oai.openapi+json;version=3.0";

const classes = ["core", "collections", "json", "geojson", "covjson", "queries", "instances", "oas30"];

export function conformance(): z.infer<typeof edrConformance> {
  return {
    conformsTo: [
      "http://www.opengis.net/spec/ogcapi-common-1/1.0/conf/core",
      "http://www.opengis.net/spec/ogcapi-common-2/1.0/conf/collections",
      ...classes.map((name) => `http://www.opengis.net/spec/ogcapi-edr-1/1.1/conf/${name}`),
      "http://www.opengis.net/spec/ogcapi-edr-1/1.0/conf/core",
    ],
  };
}

const json = (href: string, rel: string, title: string) => ({ href, rel, type: "application/json", title });

/** @param base Address of the service, without a slash at its end. */
export function landingPage(base: string): z.infer<typeof edrLanding> {
  const edr = `${base}/edr`;
  return {
    title: `${SERVICE_NAME}: Environmental Data Retrieval`,
    description: `Weather and ocean conditions at positions, along trajectories, in boxes and areas. ${NOT_FOR_NAVIGATION}.`,
    links: [
      json(edr, "self", "This document"),
      { href: `${edr}/api`, rel: "service-desc", type: OPENAPI_3_0, title: "OpenAPI 3.0 document" },
      { href: `${base}/docs`, rel: "service-doc", type: "text/html", title: "Documentation" },
      json(`${edr}/conformance`, "conformance", "Conformance classes"),
      json(`${edr}/collections`, "data", "Collections"),
    ],
  };
}

export const collectionLinks = (base: string) => [json(`${base}/edr/collections`, "self", "This document")];

/** What of the archive a collection or one of its instances has. */
export interface Extent {
  box: Box;
  /** First and last time, Unix seconds; undefined where there is none. */
  times?: { first: number; last: number };
  /** Those at which there are values, Unix seconds, ascending; none where nothing changes with time. */
  steps: readonly number[];
  variables: readonly VariableName[];
}

/**
 * A collection, or one of its instances.
 *
 * @param base Address of the service.
 * @param instance Identifier and title of the instance.
 */
export function describeCollection(
  base: string,
  { id, title, description }: EdrCollection,
  { box, times, steps, variables }: Extent,
  instance?: { id: string; title: string },
): z.infer<typeof edrCollection> {
  const collection = `${base}/edr/collections/${id}`;
  const self = instance ? `${collection}/instances/${instance.id}` : collection;
  const queries = Object.keys(formatsOfQuery) as EdrQueryName[];
  return {
    id: instance?.id ?? id,
    title: instance?.title ?? title,
    description,
    // By which clients of OGC API – Features (GDAL) know that there are no items to list.
    layerDataType: "Coverage",
    links: [
      json(self, "self", "This document"),
      ...(instance
        ? [json(collection, "collection", title)]
        : [json(`${collection}/instances`, "data", "Its runs")]),
      ...queries.map((name) => ({
        href: `${self}/${name}`,
        rel: "data",
        type: edrFormats.CoverageJSON,
        title: name,
      })),
      { href: `${base}/docs`, rel: "service-doc", type: "text/html", title: "Documentation" },
    ],
    extent: {
      spatial: { bbox: [[box.west, box.south, box.east, box.north]], crs: CRS84_WKT },
      ...(times && {
        temporal: {
          interval: [[formatInstant(times.first), formatInstant(times.last)]],
          ...(steps.length > 0 && { values: timeSteps(steps) }),
          trs: GREGORIAN,
        },
      }),
      // Those that z chooses from.
      ...(variables.some((name) => variable(name).atHeights) && {
        vertical: { interval: [["10", "100"]], values: ["10/100"], vrs: HEIGHT },
      }),
    },
    data_queries: {
      ...Object.fromEntries(queries.map((name) => [name, { link: queryLink(`${self}/${name}`, name) }])),
      ...(!instance && { instances: { link: instancesLink(`${collection}/instances`) } }),
    },
    crs: ["CRS84", "EPSG:4326"],
    output_formats: Object.keys(edrFormats),
    parameter_names: Object.fromEntries(
      parametersOf(variables).map(({ output }) => [output.point, collectionParameter(output)]),
    ),
  };
}

const unitNames = Object.keys(distanceUnits);
const unitsOf: Partial<Record<EdrQueryName, object>> = {
  cube: { height_units: ["m"] },
  radius: { within_units: unitNames },
  corridor: { width_units: unitNames, height_units: ["m"] },
};

function queryLink(href: string, name: EdrQueryName) {
  const [first] = formatsOfQuery[name];
  return {
    href,
    rel: "data",
    type: edrFormats[first],
    variables: {
      title: `${name.charAt(0).toUpperCase()}${name.slice(1)} query`,
      query_type: name,
      output_formats: [...formatsOfQuery[name]],
      default_output_format: first,
      crs_details: [
        { crs: "CRS84", wkt: CRS84_WKT },
        { crs: "EPSG:4326", wkt: EPSG4326_WKT },
      ],
      ...unitsOf[name],
    },
  };
}

const instancesLink = (href: string) => ({
  href,
  rel: "data",
  type: "application/json",
  variables: { title: "Instances", query_type: "instances" },
});

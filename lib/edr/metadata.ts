import type { Box } from "@open-metocean/geo/box";
import type { z } from "zod";
import {
  acceptedTimes,
  type DatasetName,
  datasetAges,
  FORECAST_ARCHIVE_MONTHS,
  timeWindow,
} from "#lib/catalog/datasets.ts";
import { ensembleQuantities, storedPercentiles } from "#lib/catalog/ensemble.ts";
import { type Output, type VariableName, variable, variableNames } from "#lib/catalog/variables.ts";
import {
  distanceUnits,
  type EdrQueryName,
  type edrCollection,
  type edrConformance,
  edrFormats,
  type edrLanding,
  formatsOfQuery,
} from "#lib/contract/edr.ts";
import { SERVICE_NAME } from "#lib/service-name.ts";
import { type Figure, figuresOf } from "#lib/table/ensemble-table.ts";
import { standardName } from "#lib/table/netcdf.ts";
import { heightOf, NOT_FOR_NAVIGATION, type Origin } from "#lib/table/table.ts";
import { DAY_S, formatInstant, HOUR_S } from "#lib/time.ts";

export const CRS84 = "http://www.opengis.net/def/crs/OGC/1.3/CRS84";

/** CRS84 in WKT, for clients of EDR that read that form. */
const CRS84_WKT =
  'GEOGCS["WGS 84 (CRS84)",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],' +
  'UNIT["degree",0.0174532925199433],AXIS["Longitude",EAST],AXIS["Latitude",NORTH],AUTHORITY["OGC","CRS84"]]';

const GREGORIAN =
  'TIMECRS["DateTime",TDATUM["Gregorian Calendar"],CS[TemporalDateTime,1],AXIS["Time (T)",future]]';

const HEIGHT =
  'VERTCRS["Height above the surface",VDATUM["Surface of the earth"],CS[vertical,1],AXIS["Height (h)",up],LENGTHUNIT["metre",1]]';

/** Names of the longitude/latitude system that the parameter `crs` accepts. */
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

/** The part of the archive that a collection or one of its instances covers. */
interface Extent {
  box: Box;
  /** First and last time, Unix seconds; undefined where there is none. */
  times?: { first: number; last: number };
  /** Times that have values, Unix seconds, ascending; empty if nothing changes with time. */
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
  { id, title, description, ensemble }: EdrCollection,
  { box, times, steps, variables }: Extent,
  instance?: { id: string; title: string },
): z.infer<typeof edrCollection> {
  const collection = `${base}/edr/collections/${id}`;
  const self = instance ? `${collection}/instances/${instance.id}` : collection;
  const keepsMembers = ensemble === undefined || ensemble.members.length > 0;
  const queries = (Object.keys(formatsOfQuery) as EdrQueryName[]).filter(
    (name) => keepsMembers || name === "position",
  );
  return {
    id: instance?.id ?? id,
    title: instance?.title ?? title,
    description: ensemble
      ? `${description} ${statisticsText(ensemble, instance !== undefined)}`.trim()
      : description,
    // Clients of OGC API – Features (GDAL) recognise by this property that there are no items to list.
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
      // The heights from which `z` chooses.
      ...(variables.some((name) => variable(name).atHeights) && {
        vertical: { interval: [["10", "100"]], values: ["10/100"], vrs: HEIGHT },
      }),
      ...(ensemble && keepsMembers && { custom: [realizationOf(ensemble)] }),
    },
    data_queries: {
      ...Object.fromEntries(queries.map((name) => [name, { link: queryLink(`${self}/${name}`, name) }])),
      ...(!instance && { instances: { link: instancesLink(`${collection}/instances`) } }),
    },
    crs: ["CRS84", "EPSG:4326"],
    output_formats: Object.keys(edrFormats),
    parameter_names: Object.fromEntries(
      [
        ...parametersOf(ensemble?.variables ?? variables),
        ...(ensemble && !instance ? ensembleParametersOf(variables, ensemble) : []),
      ].map(({ output }) => [output.point, collectionParameter(output)]),
    ),
  };
}

/** Describes the statistics over the members, which are answered by the collection of an ensemble and not by its runs. */
function statisticsText({ name, members }: EdrEnsemble, isRun: boolean): string {
  if (members.length > 0)
    return isRun
      ? ""
      : "Position also has statistics over the members, which are not calibrated probabilities.";
  return isRun
    ? "This run keeps statistics over the members alone, which the collection answers."
    : `Position has statistics over the members of the ensemble ${name}, which are not calibrated probabilities; the members are not kept.`;
}

/** The members as a dimension of the collection. */
const realizationOf = ({ members }: EdrEnsemble) => ({
  id: "realization",
  interval: [[members[0]!, members.at(-1)!]],
  values: [...members],
  reference: "http://vocab.nerc.ac.uk/standard_name/realization/",
});

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

/** A collection that `edr/collections/{id}` serves. */
export interface EdrCollection {
  id: string;
  title: string;
  description: string;
  variables: readonly VariableName[];
  /** Datasets whose runs are the instances of the collection. */
  datasets: readonly DatasetName[];
  /** Name of the model that answers alone; undefined where each value comes from the source that stands first. */
  model?: string;
  /** The ensemble whose members answer, each alone; undefined for others. */
  ensemble?: EdrEnsemble;
}

/** An ensemble in a collection. */
export interface EdrEnsemble {
  name: string;
  /** Realization numbers of the members that are kept, ascending; the dimension of the collection. */
  members: readonly number[];
  /** Variables of which members are kept; of others there are the stored statistics alone. */
  variables: readonly VariableName[];
  /** Names of statistics that are stored. */
  stored: ReadonlySet<string>;
}

const moving = variableNames.filter((name) => !variable(name).static);
const forecast = ["Forecast"] as const;
const waves: readonly VariableName[] = ["wave", "extra_wave"];
const currents: readonly VariableName[] = ["current", "sst"];
/** Outputs without a hindcast, by their names at points. */
const archiveOnly = moving
  .filter((name) => variable(name).archiveOnly)
  .flatMap((name) => variable(name).outputs.map(({ point }) => point));

export const edrCollections: readonly EdrCollection[] = [
  {
    id: "forecast",
    title: "Weather forecast",
    description: "Wind, gusts and weather, from 5 days back to 10 days ahead; the newest run answers.",
    // Variables of no other collection, which includes new ones.
    variables: moving.filter((name) => !waves.includes(name) && !currents.includes(name)),
    datasets: forecast,
  },
  {
    id: "waves",
    title: "Wave forecast",
    description: "The whole sea, swell and wind waves, from 5 days back to 10 days ahead.",
    variables: waves,
    datasets: forecast,
  },
  {
    id: "currents",
    title: "Currents and sea temperature",
    description: "Currents and tides, and the temperature of the sea, from 5 days back to 10 days ahead.",
    variables: currents,
    datasets: forecast,
  },
  {
    id: "hindcast",
    title: "Hindcast",
    description: `What was, from ${timeWindow.yearsBack} years to ${datasetAges.Forecast} days back. ${new Intl.ListFormat("en").format(archiveOnly)} reach ${FORECAST_ARCHIVE_MONTHS} months back, and are null before.`,
    variables: moving,
    datasets: ["Hindcast-3M", "Hindcast-3Y"],
  },
  {
    id: "static",
    title: "Depth of the sea",
    description: "What does not change with time.",
    variables: variableNames.filter((name) => variable(name).static),
    datasets: ["Static"],
  },
];

/** Separates a collection from the model that answers alone in it, as in `forecast.gfs`. No other id contains it. */
export const MODEL_SEPARATOR = ".";

/**
 * A collection in which one model answers alone.
 *
 * @param title Name of the model for people.
 * @param variables Variables of the collection that the model has.
 */
export function collectionOfModel(
  collection: EdrCollection,
  model: string,
  title: string,
  variables: readonly VariableName[],
): EdrCollection {
  return {
    ...collection,
    id: `${collection.id}${MODEL_SEPARATOR}${model}`,
    title: `${collection.title}: ${title}`,
    description: `${collection.description} The model ${model} answers alone: values that it does not have are null.`,
    variables,
    model,
  };
}

/** A collection of an ensemble: its members, each alone, and their statistics. @param title Name of the ensemble for people. */
export function collectionOfEnsemble(
  collection: EdrCollection,
  ensemble: EdrEnsemble,
  title: string,
  variables: readonly VariableName[],
): EdrCollection {
  return {
    ...collectionOfModel(collection, ensemble.name, title, variables),
    description:
      ensemble.members.length > 0
        ? `${collection.description} A member of the ensemble ${ensemble.name} answers alone, which the dimension realization chooses: 0 is the control.`
        : collection.description,
    model: undefined,
    ensemble,
  };
}

/** Statistics over members that collections of ensembles have as parameters of position queries. */
const ensembleFigures = (output: Output) =>
  figuresOf(output, { percentiles: [...storedPercentiles], thresholds: [] });

/** A parameter that is a statistic over the members of an ensemble. */
export interface EnsembleParameter {
  name: VariableName;
  /** The output whose statistic it is. */
  of: Output;
  figure: Figure;
  /** The statistic as an output of its own. */
  output: Output;
}

/** The statistics of variables that an ensemble can answer, by names such as Winds_10m_Intensity_p90. */
export function ensembleParametersOf(
  names: readonly VariableName[],
  { variables, stored }: EdrEnsemble,
): EnsembleParameter[] {
  const isStored = ({ point }: Output, { suffix }: Figure) =>
    ensembleQuantities.some((one) => one.output.point === point && stored.has(`${one.name}_${suffix}`));
  return parametersOf(names).flatMap(({ name, output }) => {
    const figures = ensembleFigures(output).filter(
      (figure) => variables.includes(name) || isStored(output, figure),
    );
    return figures.map((figure) => {
      const { suffix, title, unit = output.unit, decimals = output.decimals, is } = figure;
      const own = {
        ...output,
        point: `${output.point}_${suffix}`,
        unit,
        decimals,
        title: `${output.title}, ${title}`,
        standardName: standardName(output),
        // The number of members with a direction is not itself a direction.
        ...(is === "members" && { is: "value" }),
      };
      return { name, of: output, figure, output: own as Output };
    });
  });
}

export const isStatic = ({ datasets }: EdrCollection): boolean => datasets[0] === "Static";

/** Times that a collection accepts, Unix seconds, both included. @param now Weather clock, Unix seconds. */
export function timesOfCollection(collection: EdrCollection, now: number): { first: number; last: number } {
  const { first, last } = acceptedTimes(now);
  if (isStatic(collection)) return { first, last };
  const change = now - datasetAges.Forecast * DAY_S;
  return collection.datasets[0] === "Forecast" ? { first: change, last } : { first, last: change };
}

/** The parameters of variables, by their names at points. */
export function parametersOf(names: readonly VariableName[]): { name: VariableName; output: Output }[] {
  return names.flatMap((name) => variable(name).outputs.map((output) => ({ name, output })));
}

/** UCUM case-sensitive codes of units that UCUM writes differently. */
const ucum: Readonly<Record<string, string>> = { "°": "deg", "°C": "Cel", "": "1" };

const unitOf = ({ unit }: Output) => ({
  value: ucum[unit] ?? unit,
  type: "http://www.opengis.net/def/uom/UCUM/",
});

const propertyOf = (output: Output) => `http://vocab.nerc.ac.uk/standard_name/${standardName(output)}/`;

/** A parameter in the form that collections use. */
function collectionParameter(output: Output) {
  return {
    type: "Parameter",
    id: output.point,
    "data-type": "float",
    description: `${senseOf(output)}${collectionHeight(output)}`,
    unit: { label: { en: output.unit }, symbol: unitOf(output) },
    observedProperty: { id: propertyOf(output), label: output.title },
  };
}

function collectionHeight({ height }: Output): string {
  if (height === undefined) return "";
  return height === "asked" ? ", at the height z" : `, at ${height} m above the surface`;
}

/** A parameter in the form that coverages use, in which texts have a language. */
export function coverageParameter(output: Output, origin: Origin) {
  const height = heightOf(output.point, origin);
  const sense = `${senseOf(output)}${height === undefined ? "" : `, at ${height} m above the surface`}`;
  return {
    type: "Parameter",
    id: output.point,
    description: { en: sense },
    unit: { label: { en: output.unit }, symbol: unitOf(output) },
    observedProperty: { id: propertyOf(output), label: { en: output.title } },
  };
}

function senseOf({ is, title }: Output): string {
  if (is === "bearingTo") return `${title}: degrees clockwise from true north, TO`;
  return is === "value" || is === "speed" ? title : `${title}: degrees clockwise from true north, FROM`;
}

/**
 * Times in the form of `extent.temporal.values`: `R81/2026-01-01T00:00:00Z/PT3H` for three or more at equal
 * intervals, otherwise one by one.
 *
 * @param times Unix seconds, ascending.
 */
export function timeSteps(times: readonly number[]): string[] {
  const values: string[] = [];
  for (let at = 0; at < times.length; ) {
    const step = times[at + 1]! - times[at]!;
    let end = at + 1;
    while (times[end]! - times[end - 1]! === step) end++;
    const count = end - at;
    if (count < 3) values.push(formatInstant(times[at++]!));
    else {
      values.push(`R${count}/${formatInstant(times[at]!)}/${durationOf(step)}`);
      at = end;
    }
  }
  return values;
}

const durationOf = (seconds: number) => (seconds % HOUR_S === 0 ? `PT${seconds / HOUR_S}H` : `PT${seconds}S`);

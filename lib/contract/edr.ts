import { z } from "zod";
import { formatNames } from "./media-types.ts";
import { queryNumber } from "./point.ts";

/** Formats of EDR queries, by the names that `f` and `output_formats` use, with their media types. */
export const edrFormats = {
  CoverageJSON: "application/prs.coverage+json",
  GeoJSON: formatNames.geojson,
  CSV: formatNames.csv,
  NetCDF: formatNames.netcdf,
  GRIB2: formatNames.grib2,
} as const;

export type EdrFormat = keyof typeof edrFormats;

/** Formats of each query, the default first. Grids have no GeoJSON, which describes features only. */
export const formatsOfQuery = {
  position: ["CoverageJSON", "GeoJSON", "CSV", "NetCDF"],
  trajectory: ["CoverageJSON", "GeoJSON", "CSV", "NetCDF"],
  cube: ["CoverageJSON", "CSV", "NetCDF", "GRIB2"],
  area: ["CoverageJSON", "CSV", "NetCDF", "GRIB2"],
  radius: ["CoverageJSON", "CSV", "NetCDF", "GRIB2"],
  corridor: ["CoverageJSON", "CSV", "NetCDF", "GRIB2"],
} as const satisfies Record<string, readonly EdrFormat[]>;

export type EdrQueryName = keyof typeof formatsOfQuery;

const text = (description: string, example?: string) =>
  z
    .string()
    .max(MAX_QUERY)
    .meta({ description, ...(example !== undefined && { example }) });

/** Longest value of a query parameter, characters; longer ones do not fit into an address. */
const MAX_QUERY = 16_384;

const shared = {
  datetime: text(
    "A UTC time, a day such as 2026-01-01, or a range, with .. for an open end, such as 2026-01-01T00:00:00Z/..; default: all times of the collection",
  ).optional(),
  "parameter-name": text(
    "Parameters of the collection, separated by commas; default: all",
    "Winds_10m_Intensity",
  ).optional(),
  z: text("Height of the wind, metres above the surface, from 10 to 100; default: 10", "10").optional(),
  realization: text(
    "Member of the ensemble, in collections of an ensemble only: 0 (default) is the control",
  ).optional(),
  crs: text(
    "Coordinate reference system of coords and bbox: CRS84 (default) has the longitude first, EPSG:4326 the latitude",
    "CRS84",
  ).optional(),
  f: text(
    "Format of the answer, one of output_formats; takes precedence over the header Accept. json is CoverageJSON",
    "CoverageJSON",
  ).optional(),
};

/** The description documents a list of four numbers; the query itself parses one text. */
const bbox = (description: string) =>
  z.string().meta({
    description,
    type: "array",
    items: { type: "number" },
    minItems: 4,
    maxItems: 4,
    example: [-6, 48, -5, 49],
  });

const coords = (forms: string, example: string) =>
  text(`${forms} as Well Known Text, in degrees, longitude before latitude`, example);

/** Parameters of position queries. Unknown parameters are refused. */
export const positionQuery = z.strictObject({
  coords: coords("POINT or MULTIPOINT", "POINT(-5.2 48.5)"),
  ...shared,
});

export const trajectoryQuery = z.strictObject({
  coords: coords(
    "LINESTRINGM, whose third number is Unix seconds, or LINESTRING with a datetime,",
    "LINESTRING(-5.2 48.5, -6 48.5)",
  ),
  ...shared,
});

export const areaQuery = z.strictObject({
  coords: coords("POLYGON or MULTIPOLYGON", "POLYGON((-6 48, -5 48, -5 49, -6 48))"),
  ...shared,
});

export const cubeQuery = z.strictObject({
  bbox: bbox("west,south,east,north in degrees; west > east crosses the antimeridian"),
  ...shared,
});

/** Units of distances in queries, in km. */
export const distanceUnits = { m: 0.001, km: 1, nmi: 1.852, miles: 1.609344 } as const;

const unitNames = Object.keys(distanceUnits) as [keyof typeof distanceUnits];

const distance = (description: string, example: string) => text(`${description}, at least 0`, example);
const unit = (of: string) => z.enum(unitNames).describe(`Unit of ${of}`);

export const radiusQuery = z.strictObject({
  coords: coords("POINT", "POINT(-5.2 48.5)"),
  within: distance("Radius of the circle around coords", "50"),
  "within-units": unit("within"),
  ...shared,
});

export const corridorQuery = z.strictObject({
  coords: coords("LINESTRING, of rhumb lines,", "LINESTRING(-5.2 48.5, -6 48.5)"),
  "corridor-width": distance("Whole width of the corridor, with coords in its middle", "50"),
  "width-units": unit("corridor-width"),
  "corridor-height": text("Has no effect: values are those at the surface, or at the height z").optional(),
  "height-units": text("Has no effect").optional(),
  ...shared,
});

/** Query of the resources that describe the service, which exist only in JSON. */
export const metadataQuery = z.strictObject({
  f: z.enum(["json", "JSON", "application/json"]).optional().describe("JSON is the only format"),
});

/** Most items of a reply. */
const MAX_ITEMS = 1000;

/** `limit` and `offset` come from OGC API – Features, whose clients always send `limit`. */
export const itemsQuery = z.strictObject({
  bbox: bbox("west,south,east,north in degrees; only storms inside are returned").optional(),
  datetime: shared.datetime.describe(
    "A UTC time, a day or a range; only storms whose newest position is at these times are returned",
  ),
  limit: queryNumber(z.number().int().min(1))
    .transform((limit) => Math.min(limit, MAX_ITEMS))
    .default(MAX_ITEMS)
    .describe(`Most items in this reply; a number above ${MAX_ITEMS} counts as ${MAX_ITEMS}`),
  offset: queryNumber(z.number().int().min(0)).default(0).describe("Number of items to skip"),
  f: z.enum(["GeoJSON", "geojson", "json"]).optional().describe("GeoJSON is the only format"),
});

/** Query of tide stations as EDR locations. */
export const tideLocationsQuery = itemsQuery.omit({ datetime: true }).extend({
  bbox: bbox("west,south,east,north in degrees; only stations inside are returned").optional(),
});

export const tideLocationQuery = z.strictObject({
  datetime: shared.datetime.describe(
    "A UTC time, a day such as 2026-01-01, or a range of at most 366 days; default: two days from now on",
  ),
  "parameter-name": text("Tide_Height, the only parameter of the collection", "Tide_Height").optional(),
  crs: z.literal("CRS84").optional(),
  f: z.enum(["CoverageJSON", "coveragejson", "json"]).optional().describe("CoverageJSON is the only format"),
});

/** Body of POST …/trajectory, for lines that are too long for the query of an address. */
export const edrTrajectoryRequest = z.object({
  ...trajectoryQuery.shape,
  coords: z.string().describe("Well Known Text, as in the query"),
});

/** Body of every error below /edr. */
export const edrError = z.object({ code: z.string(), description: z.string() });

const link = z.object({
  href: z.string(),
  rel: z.string(),
  type: z.string().optional(),
  title: z.string().optional(),
});
const links = z.array(link);

export const edrLanding = z.object({ title: z.string(), description: z.string(), links });

export const edrConformance = z.object({ conformsTo: z.array(z.string()) });

export const edrCollection = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  itemType: z.literal("feature").optional(),
  layerDataType: z.literal("Coverage").optional(),
  links,
  extent: z.object({
    spatial: z.object({ bbox: z.array(z.array(z.number())), crs: z.string() }),
    temporal: z
      .object({
        interval: z.array(z.array(z.string().nullable())),
        values: z.array(z.string()).optional(),
        trs: z.string(),
      })
      .optional(),
    vertical: z
      .object({ interval: z.array(z.array(z.string())), values: z.array(z.string()), vrs: z.string() })
      .optional(),
    custom: z
      .array(
        z.object({
          id: z.string(),
          interval: z.array(z.array(z.int())),
          values: z.array(z.int()),
          reference: z.string(),
        }),
      )
      .optional(),
  }),
  data_queries: z.record(z.string(), z.object({ link: z.looseObject({}) })),
  crs: z.array(z.string()),
  output_formats: z.array(z.string()),
  parameter_names: z.record(z.string(), z.looseObject({ id: z.string() })),
});

export const edrCollections = z.object({ links, collections: z.array(edrCollection) });

export const edrInstances = z.object({ links, instances: z.array(edrCollection) });

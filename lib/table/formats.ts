import type { mapMediaTypes, pointMediaTypes } from "#lib/contract/media-types.ts";
import type { MapField } from "#lib/field/map-field.ts";
import { arrowPieces } from "./arrow.ts";
import { mapGrib2 } from "./grib2.ts";
import { mapNetcdf, pointNetcdf } from "./netcdf.ts";
import { mapTable, type Origin, type Table } from "./table.ts";
import { csvPieces, fieldFrames, geojsonPieces, ndjsonPieces } from "./text.ts";
import { xlsxPieces } from "./xlsx.ts";

type Pieces = Generator<Uint8Array, void, undefined>;

/** The formats of points besides JSON, by media type. */
export const pointFormats = {
  "text/csv": csvPieces,
  "application/x-ndjson": ndjsonPieces,
  "application/vnd.apache.arrow.stream": arrowPieces,
  "application/x-netcdf": pointNetcdf,
  "application/geo+json": geojsonPieces,
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": xlsxPieces,
} satisfies Record<(typeof pointMediaTypes)[number], (table: Table) => Pieces>;

/** The formats of 2D answers besides JSON, by media type. */
export const mapFormats: Readonly<
  Record<(typeof mapMediaTypes)[number], (field: MapField, origin: Origin) => Pieces>
> = {
  "text/csv": (field, origin) => csvPieces(mapTable(field, origin)),
  "application/x-ndjson": (field, origin) => ndjsonPieces(mapTable(field, origin)),
  "application/vnd.apache.arrow.stream": (field, origin) => arrowPieces(mapTable(field, origin)),
  "application/x-netcdf": mapNetcdf,
  "application/vnd.metocean.field+binary": (field) => fieldFrames(field),
  "application/x-grib2": (field, origin) => mapGrib2(field, origin, "simple"),
  "application/x-grib2-complex": (field, origin) => mapGrib2(field, origin, "complex"),
};

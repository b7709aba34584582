import { type ArrowTable, decodeArrow } from "./arrow.ts";
import type {
  EnsembleRequest,
  EnsembleResponse,
  MapMediaType,
  MapRequest,
  MapResponse,
  PointMediaType,
  PointRequest,
  PointResponse,
  PointRunsRequest,
  PointRunsResponse,
  Variable,
} from "./contract.ts";
import { type BoxField, decodeFields } from "./fields.ts";
import {
  bytesOf,
  type CallOptions,
  posted,
  read,
  readFile,
  type Service,
  textOf,
  withQuery,
} from "./request.ts";

export const ARROW_STREAM = "application/vnd.apache.arrow.stream";

/** One place and time. */
export interface PlaceQuery {
  /** Degrees north and east. */
  lat: number;
  lon: number;
  /** `YYYY-MM-DDThh:mm:ssZ`; if absent, the full hour nearest to now. */
  time?: string;
  /** If absent: wind, gust, wave, current, pressure, temp. */
  variables?: Variable[];
  /** Metres above the surface, 10..100; default 10. */
  wind_height?: number;
  /** Names of models, each of which answers alone, or `best`. */
  models?: string[];
}

/** Operations on conditions at points and times. */
export const pointOperations = (service: Service) => ({
  /** Conditions at one place, now or at a time: `GET /point`. */
  point: (query: PlaceQuery, options?: Pick<CallOptions, "signal">) =>
    read<PointResponse>(service, withQuery("/point", query), options),

  /** Conditions at one place in plain English words. */
  pointText: async (query: PlaceQuery, options?: Pick<CallOptions, "signal">): Promise<string> =>
    textOf(await readFile(service, withQuery("/point", query), "text/plain", options)),

  /** Conditions at up to 10,000 points in the order of the request: `POST /MetOcean`. */
  points: (body: PointRequest, options?: CallOptions) =>
    read<PointResponse>(service, "/MetOcean", posted(body, options)),

  /**
   * Conditions as columns: latitude, longitude, timestamp and one column per field, with one row per point. With
   * `models` there is a row per model and point, and `texts.model` names the model of each.
   */
  pointsTable: async (body: PointRequest, options?: CallOptions): Promise<ArrowTable> =>
    tableOf(await readFile(service, "/MetOcean", ARROW_STREAM, posted(body, options))),

  /** Conditions at points as a file. */
  pointsFile: (body: PointRequest, type: PointMediaType, options?: CallOptions): Promise<Response> =>
    readFile(service, "/MetOcean", type, posted(body, options)),

  /** Conditions at the same points from the last forecast runs: `POST /MetOcean/runs`. */
  pointRuns: (body: PointRunsRequest, options?: CallOptions) =>
    read<PointRunsResponse>(service, "/MetOcean/runs", posted(body, options)),

  /**
   * Control, mean, spread, percentiles, shares over thresholds and members of an ensemble at points:
   * `POST /MetOcean/ensemble`.
   */
  ensemble: (body: EnsembleRequest, options?: CallOptions) =>
    read<EnsembleResponse>(service, "/MetOcean/ensemble", posted(body, options)),
});

/** Reads an Arrow answer. */
export async function tableOf(reply: Response): Promise<ArrowTable> {
  return decodeArrow(await bytesOf(reply));
}

export const FIELD_BINARY = "application/vnd.metocean.field+binary";

/** A box small enough for a direct answer; a larger one must be a task. */
export type BoxRequest = Omit<MapRequest, "async">;

const PATH = "/2DMetOcean";

/** Operations on conditions on the grid of a box: `POST /2DMetOcean`. */
export const boxOperations = (service: Service) => ({
  /** Conditions of a box, up to 8 million values. */
  box: (body: BoxRequest, options?: CallOptions) => read<MapResponse>(service, PATH, posted(body, options)),

  /**
   * Conditions of a box as typed arrays, one field per step: an eighth of the bytes of JSON, and faster to
   * read.
   */
  boxFields: async (body: BoxRequest, options?: CallOptions): Promise<BoxField[]> =>
    fieldsOf(await readFile(service, PATH, FIELD_BINARY, posted(body, options))),

  /** Conditions of a box as columns, one row per node and step. */
  boxTable: async (body: BoxRequest, options?: CallOptions): Promise<ArrowTable> =>
    tableOf(await readFile(service, PATH, ARROW_STREAM, posted(body, options))),

  /** Conditions of a box as a file. */
  boxFile: (body: BoxRequest, type: MapMediaType, options?: CallOptions): Promise<Response> =>
    readFile(service, PATH, type, posted(body, options)),
});

/** Reads a binary answer. */
export async function fieldsOf(reply: Response): Promise<BoxField[]> {
  return decodeFields(await bytesOf(reply));
}

import { type ArrowTable, decodeArrow } from "./arrow.ts";
import type { PointMediaType } from "./contract/media-types.ts";
import type {
  PointRequest,
  PointResponse,
  PointRunsRequest,
  PointRunsResponse,
  Variable,
} from "./contract/points.ts";
import { bytesOf, textOf } from "./reply-body.ts";
import { type CallOptions, posted, read, readFile, type Service, withQuery } from "./request.ts";

export const ARROW_STREAM = "application/vnd.apache.arrow.stream";

/** One place and time. */
export interface PlaceQuery {
  /** Degrees north and east. */
  lat: number;
  lon: number;
  /** `YYYY-MM-DDThh:mm:ssZ`; the nearest full hour to now where left out. */
  time?: string;
  /** Those of every day where left out: wind, gust, wave, current, pressure, temp. */
  variables?: Variable[];
  /** Metres above the surface, 10..100; default 10. */
  wind_height?: number;
}

/** Conditions at points and times. */
export const pointOperations = (service: Service) => ({
  /** One place, now or at a time: `GET /point`. */
  point: (query: PlaceQuery, options?: Pick<CallOptions, "signal">) =>
    read<PointResponse>(service, withQuery("/point", query), options),

  /** The same in plain words, in English. */
  pointText: async (query: PlaceQuery, options?: Pick<CallOptions, "signal">): Promise<string> =>
    textOf(await readFile(service, withQuery("/point", query), "text/plain", options)),

  /** Up to 10,000 points at once, in the order of the request: `POST /MetOcean`. */
  points: (body: PointRequest, options?: CallOptions) =>
    read<PointResponse>(service, "/MetOcean", posted(body, options)),

  /** The same numbers as columns: latitude, longitude, timestamp and a column for each field, a row for each point. */
  pointsTable: async (body: PointRequest, options?: CallOptions): Promise<ArrowTable> =>
    tableOf(await readFile(service, "/MetOcean", ARROW_STREAM, posted(body, options))),

  /** The same numbers as a file. */
  pointsFile: (body: PointRequest, type: PointMediaType, options?: CallOptions): Promise<Response> =>
    readFile(service, "/MetOcean", type, posted(body, options)),

  /** What the last runs of the forecast say of the same points: `POST /MetOcean/runs`. */
  pointRuns: (body: PointRunsRequest, options?: CallOptions) =>
    read<PointRunsResponse>(service, "/MetOcean/runs", posted(body, options)),
});

/** Reads an Arrow answer. */
export async function tableOf(reply: Response): Promise<ArrowTable> {
  return decodeArrow(await bytesOf(reply));
}

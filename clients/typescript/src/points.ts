import { type ArrowTable, decodeArrow } from "./arrow.ts";
import type { PointMediaType } from "./contract/media-types.ts";
import type { PointRequest, PointResponse, PointRunsRequest, PointRunsResponse } from "./contract/points.ts";
import { type CallOptions, posted, read, readFile, type Service } from "./request.ts";

export const ARROW_STREAM = "application/vnd.apache.arrow.stream";

/** Conditions at points and times. */
export const pointOperations = (service: Service) => ({
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
  return decodeArrow(new Uint8Array(await reply.arrayBuffer()));
}

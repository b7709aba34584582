import type { ArrowTable } from "./arrow.ts";
import type { MapRequest, MapResponse } from "./contract/boxes.ts";
import type { MapMediaType } from "./contract/media-types.ts";
import { type BoxField, decodeFields } from "./fields.ts";
import { ARROW_STREAM, tableOf } from "./points.ts";
import { bytesOf } from "./reply-body.ts";
import { type CallOptions, posted, read, readFile, type Service } from "./request.ts";

export const FIELD_BINARY = "application/vnd.metocean.field+binary";

/** A box that is answered at once; one that is larger is a task. */
export type BoxRequest = Omit<MapRequest, "async">;

const PATH = "/2DMetOcean";

/** Conditions on the grid of a box: `POST /2DMetOcean`. */
export const boxOperations = (service: Service) => ({
  /** Up to 8 million values at once. */
  box: (body: BoxRequest, options?: CallOptions) => read<MapResponse>(service, PATH, posted(body, options)),

  /** The same numbers as typed arrays, a field for each step: an eighth of the bytes of JSON, and faster to read. */
  boxFields: async (body: BoxRequest, options?: CallOptions): Promise<BoxField[]> =>
    fieldsOf(await readFile(service, PATH, FIELD_BINARY, posted(body, options))),

  /** The same numbers as columns, a row for each node and step. */
  boxTable: async (body: BoxRequest, options?: CallOptions): Promise<ArrowTable> =>
    tableOf(await readFile(service, PATH, ARROW_STREAM, posted(body, options))),

  /** The same numbers as a file. */
  boxFile: (body: BoxRequest, type: MapMediaType, options?: CallOptions): Promise<Response> =>
    readFile(service, PATH, type, posted(body, options)),
});

/** Reads a binary answer. */
export async function fieldsOf(reply: Response): Promise<BoxField[]> {
  return decodeFields(await bytesOf(reply));
}

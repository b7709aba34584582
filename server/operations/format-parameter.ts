import { formatNames } from "#lib/contract/media-types.ts";
import type { ApiRequest } from "#server/http/api-request.ts";
import { invalid } from "#server/http/reply.ts";

/** Describes the query parameter in documents. */
export const formatParameter = {
  name: "f",
  in: "query",
  schema: { enum: Object.keys(formatNames) },
  description: "Format of the answer; takes precedence over the header Accept",
};

/**
 * Returns the request as if `Accept` named the format of `?f=`.
 *
 * @throws HttpError of 422 for a name that no format has.
 */
export function withFormat(request: ApiRequest): ApiRequest {
  const name = request.query.get("f");
  if (name === null) return request;
  const type = Object.entries(formatNames).find(([known]) => known === name)?.[1];
  if (type === undefined) {
    const expected = Object.keys(formatNames)
      .map((known) => `'${known}'`)
      .join(", ");
    throw invalid({
      type: "enum",
      loc: ["query", "f"],
      msg: `Input should be one of ${expected}`,
      ctx: { expected },
    });
  }
  return withAccept(request, type);
}

/** Returns the request with another `Accept`. */
export function withAccept(request: ApiRequest, type: string): ApiRequest {
  const { method, path, segments, route, params, query, address, sender, id, aborter, signal, replyHeaders } =
    request;
  return {
    ...{ method, path, segments, route, params, query, address, sender, id, aborter, signal, replyHeaders },
    header: (name) => (name === "accept" ? type : request.header(name)),
    get arrived() {
      return request.arrived;
    },
    body: (limit) => request.body(limit),
  };
}

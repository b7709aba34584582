import { setImmediate as nextTurn } from "node:timers/promises";
import { mapFormats, pointFormats } from "#lib/table/formats.ts";
import { preferredType } from "#server/http/accept.ts";
import type { ApiRequest } from "#server/http/exchange.ts";
import type { MapAnswer } from "#server/metocean/map2d.ts";
import type { PointAnswer } from "#server/metocean/point.ts";

const originOf = ({ meta, synthetic }: Pick<PointAnswer | MapAnswer, "meta" | "synthetic">) => ({
  provenance: meta?.provenance,
  synthetic,
});

/** Formats of `POST /MetOcean` by media type, written while they are sent. */
export const pointAnswerFormats = Object.fromEntries(
  Object.entries(pointFormats).map(([type, write]) => [
    type,
    (answer: PointAnswer) => inTurns(write(answer.results, originOf(answer))),
  ]),
);

/** Formats of `POST /2DMetOcean` by media type, written while they are sent. */
export const mapAnswerFormats = Object.fromEntries(
  Object.entries(mapFormats).map(([type, write]) => [
    type,
    (answer: MapAnswer) => inTurns(write(answer.field, originOf(answer))),
  ]),
);

/** A body, with the meta that a file tells its provenance from where another format than JSON is asked for. */
export function withProvenance<Body extends { include_meta: boolean }>(
  body: Body,
  request: Pick<ApiRequest, "header">,
  formats: object,
): Body {
  const type = preferredType(request.header("accept"), ["application/json", ...Object.keys(formats)]);
  return type === "application/json" ? body : { ...body, include_meta: true };
}

/** Others get their turn after each piece, also while the client reads as fast as it is written. */
async function* inTurns(pieces: Iterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  for (const piece of pieces) {
    yield piece;
    await nextTurn();
  }
}

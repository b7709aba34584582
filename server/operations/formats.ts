import { type PassageAnswer, passageFormats } from "#lib/passage/files.ts";
import { mapFormats, pointFormats } from "#lib/table/formats.ts";
import { pointsOf, pointTable } from "#lib/table/table.ts";
import type { MapAnswer } from "#server/metocean/box.ts";
import type { PointAnswer } from "#server/metocean/points.ts";
import { preferredType } from "#server/platform/negotiation.ts";
import type { RequestJob } from "./definition.ts";
import { yielding } from "./held-body.ts";

/** Where the numbers of an answer come from. */
export const originOf = ({ meta, synthetic }: Pick<PointAnswer | MapAnswer, "meta" | "synthetic">) => ({
  provenance: meta?.provenance,
  synthetic,
});

/** Formats of `POST /MetOcean` by media type, written while they are sent. */
export const pointAnswerFormats = Object.fromEntries(
  Object.entries(pointFormats).map(([type, write]) => [
    type,
    (answer: PointAnswer) => yielding(write(pointTable(pointsOf(answer.results), originOf(answer)))),
  ]),
);

/** Formats of `POST /2DMetOcean` by media type, written while they are sent. */
export const mapAnswerFormats = Object.fromEntries(
  Object.entries(mapFormats).map(([type, write]) => [
    type,
    (answer: MapAnswer) => yielding(write(answer.field, originOf(answer))),
  ]),
);

/** Formats of `POST /passages/evaluate` by media type, written while they are sent. */
export const passageAnswerFormats = Object.fromEntries(
  Object.entries(passageFormats).map(([type, write]) => [
    type,
    (answer: PassageAnswer) => yielding(write(answer)),
  ]),
);

/**
 * The body, with meta included where a format other than JSON is requested, or may be under an Idempotency-Key: files
 * state their provenance from it.
 */
export function withProvenance<Body extends { include_meta: boolean }>(
  { body, request, idempotency }: Pick<RequestJob<Body>, "body" | "request" | "idempotency">,
  formats: object,
): Body {
  if (idempotency) return { ...body, include_meta: true };
  const type = preferredType(request.header("accept"), ["application/json", ...Object.keys(formats)]);
  return type === "application/json" ? body : { ...body, include_meta: true };
}

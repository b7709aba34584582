import { type PassageAnswer, passageFormats } from "#lib/passage/files.ts";
import { mapFormats, pointFormats } from "#lib/table/formats.ts";
import { type Origin, pointsOf, pointTable } from "#lib/table/table.ts";
import type { MapAnswer } from "#server/metocean/box.ts";
import type { PointAnswer } from "#server/metocean/points.ts";
import { repeatable, yielding } from "./streamed-body.ts";

/** Returns where the numbers of an answer come from. */
export const originOf = ({
  meta,
  synthetic,
}: Pick<PointAnswer | MapAnswer, "meta" | "synthetic">): Origin => ({
  provenance: meta?.provenance,
  synthetic,
  ...(meta && "caution" in meta && { caution: meta.caution }),
});

/** Formats of `POST /MetOcean` by media type, written while they are sent. */
export const pointAnswerFormats = Object.fromEntries(
  Object.entries(pointFormats).map(([type, write]) => [
    type,
    (answer: PointAnswer) => repeatable(() => write(pointTable(pointsOf(answer.results), originOf(answer)))),
  ]),
);

/** Formats of `POST /2DMetOcean` by media type, written while they are sent. */
export const mapAnswerFormats = Object.fromEntries(
  Object.entries(mapFormats).map(([type, write]) => [
    type,
    (answer: MapAnswer) => repeatable(() => write(answer.field, originOf(answer))),
  ]),
);

/** Formats of `POST /passages/evaluate` by media type, written while they are sent. */
export const passageAnswerFormats = Object.fromEntries(
  Object.entries(passageFormats).map(([type, write]) => [
    type,
    (answer: PassageAnswer) => yielding(write(answer)),
  ]),
);

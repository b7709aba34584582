import "#components/api-client/without-eval.ts";
import { type Edges, numbersOf } from "#components/fields/box-edges.ts";
import { contractResolver } from "#components/fields/contract-resolver.ts";
import { variable } from "#lib/catalog/variables.ts";
import { type Map2dVariable, mapLimits, mapRequest } from "#lib/contract/map2d.ts";
import type { WordsWith } from "#lib/messages/words.ts";
import { readInstant } from "#lib/points/point-list.ts";
import { DAY_S, formatInstant, HOUR_S } from "#lib/time.ts";
import { boxValues, type CommonDraft, commonBody, commonDraft } from "./task-form.tsx";
import type { TaskBody } from "./task-requests.ts";

export type BoxBody = Extract<TaskBody, { kind: "2DMetOcean" }>["body"];

/** The fields of a task for a box of the map. */
export interface BoxDraft extends CommonDraft {
  variable: Map2dVariable;
  edges: Edges;
  /** Unix seconds; NaN while the text is no time. */
  from: number;
  to: number;
}

/** @param given The task that is repeated. @param now Weather clock, Unix seconds. */
export function boxDraft(given: BoxBody | undefined, now: number): BoxDraft {
  const { latitude, longitude, timestamp } = given?.bounding_boxes[0] ?? {};
  const [from, to] = typeof timestamp === "string" ? [timestamp, timestamp] : (timestamp ?? []);
  return {
    ...commonDraft(given),
    variable: given?.variable ?? "wind",
    edges: {
      south: String(latitude?.[0] ?? 40),
      north: String(latitude?.[1] ?? 60),
      west: String(longitude?.[0] ?? -30),
      east: String(longitude?.[1] ?? 0),
    },
    from: from === undefined ? now : readInstant(from),
    to: to === undefined ? now + DAY_S : readInstant(to),
  };
}

export function boxBody(draft: BoxDraft): BoxBody {
  const { south, north, west, east } = numbersOf(draft.edges);
  // The schema refuses an empty text.
  const [from = "", to = ""] = [draft.from, draft.to].map((time) =>
    Number.isNaN(time) ? "" : formatInstant(time),
  );
  return {
    ...commonBody(draft),
    variable: draft.variable,
    bounding_boxes: [
      {
        latitude: [south, north],
        longitude: [west, east],
        timestamp: from === to ? from : [from, to],
      },
    ],
  };
}

/** Estimated number of values of the answer; NaN while a field cannot be read. */
export function valuesOf({ variable: name, bounding_boxes: [box] }: BoxBody): number {
  const { latitude = [], longitude = [], timestamp = "" } = box ?? {};
  const [from = "", to = from] = typeof timestamp === "string" ? [timestamp] : timestamp;
  const hours = (readInstant(to) - readInstant(from)) / HOUR_S;
  const [south = 0, north = 0] = latitude;
  const [west = 0, east = 0] = longitude;
  return boxValues([south, north], [west, east], hours, variable(name).outputs.length);
}

/** Checks a draft by the contract, and its size by the limit of tasks. */
export function boxCheck({ tasks: { box: text } }: WordsWith<"tasks">) {
  return contractResolver({
    schema: mapRequest.refine((body) => !(valuesOf(body) > mapLimits.async)),
    bodyOf: boxBody,
    fieldOf: ({ path: [, , part] }) => (part === "timestamp" ? "to" : "edges"),
    textOf: ({ path: [part, , inner] }, draft) => {
      if (part === undefined) return text.tooMany({ count: valuesOf(boxBody(draft)), most: mapLimits.async });
      if (inner === "latitude") return text.wrongLatitudes;
      if (inner === "longitude") return text.wrongLongitudes;
      return draft.from <= draft.to ? text.tooLong({ days: mapLimits.rangeDays }) : text.wrongTimes;
    },
  });
}

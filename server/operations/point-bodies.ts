import { timeRule } from "#lib/catalog/datasets.ts";
import { type PointRequest, pointLimits, pointRequest } from "#lib/contract/point.ts";
import { parseInstant } from "#lib/time.ts";
import { entryChecker } from "#server/http/hardened-schema.ts";
import { parseInParts } from "#server/http/parse-in-parts.ts";
import { HttpError, type ValidationIssue } from "#server/http/reply.ts";
import { bodyCounter, bodyReader, checkerOf } from "#server/http/validation.ts";

/** Bodies of POST /MetOcean. */
export const readPoints = bodyReader(pointRequest(pointLimits.sync), pointIssues);

/** What a task may ask for. */
export const manyPoints = pointRequest(pointLimits.async);
const readMany = bodyReader(manyPoints, pointIssues);

type RequestedPoints = PointRequest["points"];

const countMany = bodyCounter(manyPoints);
const checkMany = checkerOf(manyPoints, "body");
const checkPoints = entryChecker<RequestedPoints[number]>(manyPoints, "points");

/**
 * Reads a large request part by part, so that it never takes more memory than its points do.
 *
 * @param take Gets the points in order. Returns false where one of them is not valid.
 * @returns What it asks for, without points; undefined where it has to be read as a whole: then it is not valid, or unusual.
 */
export async function readPointsInParts(
  bytes: Uint8Array,
  take: (points: RequestedPoints) => boolean,
): Promise<Omit<PointRequest, "points"> | undefined> {
  let size = 0;
  let first: RequestedPoints[number] | undefined;
  const rest = await parseInParts(bytes, "points", (entries) => {
    const points = checkPoints(entries);
    first ??= points?.[0];
    size += entries.length;
    return points !== undefined && take(points);
  });
  if (!rest || !first) return undefined;
  try {
    // The points are checked, their number is not: any valid point stands for each of them.
    const { points, ...request } = checkMany(
      { ...rest, points: new Array(size).fill(first) },
      new Set([first]),
    );
    return request;
  } catch (error) {
    if (error instanceof HttpError) return undefined;
    throw error;
  }
}

/** What accepting a task needs of its body; the points are read again by the thread that computes them. */
export interface TaskPoints extends Pick<PointRequest, "task_name" | "receive_mail"> {
  size: number;
}

/** Shorter bodies take little in any case. */
const MIN_BYTES_IN_PARTS = 256 * 1024;

/** Bodies of POST /MetOcean/async. */
export async function readTaskPoints(bytes: Uint8Array, now: number): Promise<TaskPoints> {
  if (bytes.length >= MIN_BYTES_IN_PARTS) {
    await countMany(bytes);
    let size = 0;
    const request = await readPointsInParts(bytes, (points) => {
      size += points.length;
      return pointIssues({ points }, now).length === 0;
    });
    if (request) return { size, task_name: request.task_name, receive_mail: request.receive_mail };
  }
  const { points, task_name, receive_mail } = await readMany(bytes, now);
  return { size: points.length, task_name, receive_mail };
}

/** Rules of a point request that need the clock. @param now Weather clock, Unix seconds. */
export function pointIssues(request: Pick<PointRequest, "points">, now: number): ValidationIssue[] {
  const rule = timeRule(now);
  return request.points.flatMap(({ timestamp }, index) => {
    const msg = rule(parseInstant(timestamp));
    return msg ? [{ type: "value_error", loc: ["body", "points", index, "timestamp"], msg }] : [];
  });
}

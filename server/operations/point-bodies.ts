import { type PointRequest, pointLimits, pointRequest } from "#lib/contract/point.ts";
import type { ValidationIssue } from "#server/http/reply.ts";
import { bodyReader } from "#server/http/validation.ts";
import { timeIssues } from "#server/metocean/points.ts";

/** Bodies of POST /MetOcean. */
export const readPoints = bodyReader(pointRequest(pointLimits.sync), pointIssues);

const readMany = bodyReader(pointRequest(pointLimits.async), pointIssues);

/** What accepting a task needs of its body; the points are read again by the thread that computes them. */
export interface TaskPoints extends Pick<PointRequest, "task_name" | "receive_mail"> {
  size: number;
}

/** Bodies of POST /MetOcean/async. */
export async function readTaskPoints(bytes: Uint8Array, now: number): Promise<TaskPoints> {
  const { points, task_name, receive_mail } = await readMany(bytes, now);
  return { size: points.length, task_name, receive_mail };
}

/** Rules of a point request that need the clock. @param now Weather clock, Unix seconds. */
function pointIssues(request: PointRequest, now: number): ValidationIssue[] {
  return timeIssues(request, now).map(({ index, message }) => ({
    type: "value_error",
    loc: ["body", "points", index, "timestamp"],
    msg: message,
  }));
}

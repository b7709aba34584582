import { timeRule } from "#lib/catalog/datasets.ts";
import type { PointRequest } from "#lib/contract/point.ts";
import { requests } from "#lib/contract/wire-schemas.ts";
import { parseInstant } from "#lib/time.ts";
import type { ValidationIssue } from "#server/http/reply.ts";
import { type BodyReader, bodyReader } from "#server/http/validation.ts";

/** Bodies of POST /MetOcean. */
export const readPoints = bodyReader(requests.PointRequest, pointIssues);

/** What accepting a task needs of its body; the points are read again by the thread that computes them. */
export interface TaskPoints extends Pick<PointRequest, "task_name" | "receive_mail"> {
  size: number;
}

const manyPoints = bodyReader(requests.ManyPointsRequest, pointIssues);

/** Bodies of POST /MetOcean/async. */
export const taskPoints: BodyReader<TaskPoints> = {
  read(bytes, now) {
    const { points, task_name, receive_mail } = manyPoints.read(bytes, now);
    return { size: points.length, task_name, receive_mail };
  },
  ensureRules: (body) => body,
};

/** Rules of a point request that need the clock. @param now Weather clock, Unix seconds. */
export function pointIssues(request: Pick<PointRequest, "points">, now: number): ValidationIssue[] {
  const rule = timeRule(now);
  return request.points.flatMap(({ timestamp }, index) => {
    const msg = rule(parseInstant(timestamp));
    return msg ? [{ type: "value_error", loc: ["body", "points", index, "timestamp"], msg }] : [];
  });
}

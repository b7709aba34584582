import { z } from "zod";
import { detailError, rateLimitError, validationError } from "./errors.ts";
import { mapRequest, mapResponse } from "./map2d.ts";
import { failureResponse, pointLimits, pointRequest, pointResponse } from "./point.ts";
import { stormApproachRequest, stormApproachResponse } from "./storm-approach.ts";
import { stormDanger } from "./storm-danger.ts";
import { stormHistoryResponse, stormsResponse } from "./storms.ts";
import { finishedTask, pendingTask, taskCreated, taskList } from "./task.ts";

/** Schemas of requests by their names in the OpenAPI document. */
const requests = {
  PointRequest: pointRequest(pointLimits.sync),
  MapRequest: mapRequest,
  StormApproachRequest: stormApproachRequest,
};

/** Schemas of replies by their names in the OpenAPI document. */
const replies = {
  PointResponse: pointResponse,
  MapResponse: mapResponse,
  Failure: failureResponse,
  TaskCreated: taskCreated,
  PendingTask: pendingTask,
  FinishedTask: finishedTask,
  TaskList: taskList,
  StormsResponse: stormsResponse,
  StormHistory: stormHistoryResponse,
  StormDanger: stormDanger,
  StormApproach: stormApproachResponse,
  DetailError: detailError,
  ValidationError: validationError,
  RateLimitError: rateLimitError,
};

export type RequestName = keyof typeof requests;
export type ReplyName = keyof typeof replies;

/** The components of the OpenAPI document. */
export function jsonSchemas(): Record<string, unknown> {
  return { ...schemasOf(requests, "input"), ...schemasOf(replies, "output") };
}

function schemasOf(schemas: Record<string, z.ZodType>, io: "input" | "output"): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { io, target: "draft-2020-12" });
      return [name, json];
    }),
  );
}

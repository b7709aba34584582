import { stormOutlooks } from "@open-metocean/storms/schema";
import { z } from "zod";
import {
  calendarAddress,
  channelCreated,
  channelList,
  channelRequest,
  channelSecret,
  channelTest,
} from "./channels.ts";
import {
  edrCollection,
  edrCollections,
  edrConformance,
  edrError,
  edrInstances,
  edrLanding,
  edrTrajectoryRequest,
} from "./edr.ts";
import { ensembleRequest, ensembleResponse } from "./ensemble.ts";
import { feedsResponse } from "./feeds.ts";
import { fileEstimate, fileRequest, fileResponse } from "./files.ts";
import { rateLimitText } from "./limits.ts";
import { mapRequest, mapResponse } from "./map2d.ts";
import { optimiseRequest, passageRequest } from "./passage.ts";
import { passageResponse } from "./passage-reply.ts";
import {
  failureResponse,
  pointLimits,
  pointRequest,
  pointResponse,
  pointRunsRequest,
  pointRunsResponse,
} from "./point.ts";
import { stormApproachRequest, stormApproachResponse } from "./storm-approach.ts";
import { stormDanger, stormHistoryResponse, stormsResponse } from "./storms.ts";
import { finishedTask, pendingTask, taskCreated, taskList } from "./task.ts";
import { streamPrediction, tidePrediction, tideStations, tidesNow } from "./tides.ts";
import { alert, alertList, alertSent, alertsRead, watch, watchList, watchRequest } from "./watch.ts";
import { workabilityRequest, workabilityResponse } from "./workability.ts";

/** Body of 401, 403, 404, 405, 413, 415 and 503. */
const detailError = z.object({ detail: z.string() });

/** Body of 422, in the form of FastAPI and pydantic v2. */
const validationError = z.object({
  detail: z
    .array(
      z.object({
        type: z.string().describe("Kind of the error, such as missing or less_than_equal"),
        loc: z
          .array(z.union([z.string(), z.int()]))
          .describe('Location of the error, such as ["body", "points", 0, "latitude"]'),
        msg: z.string(),
        ctx: z.record(z.string(), z.unknown()).optional().describe("Values of the rule that was broken"),
      }),
    )
    .max(50),
});

/** Body of 429. */
const rateLimitError = z.object({
  error: z.string().meta({ example: rateLimitText("10 per 1 minute") }),
});

/** Schemas of requests by their names in the OpenAPI document. */
export const requests = {
  PointRequest: pointRequest(pointLimits.sync),
  ManyPointsRequest: pointRequest(pointLimits.async),
  PointRunsRequest: pointRunsRequest,
  EnsembleRequest: ensembleRequest,
  MapRequest: mapRequest,
  FileRequest: fileRequest,
  StormApproachRequest: stormApproachRequest,
  PassageRequest: passageRequest,
  OptimiseRequest: optimiseRequest,
  WorkabilityRequest: workabilityRequest,
  ChannelRequest: channelRequest,
  WatchRequest: watchRequest,
  AlertsRead: alertsRead,
  EdrTrajectoryRequest: edrTrajectoryRequest,
};

/** Schemas of replies by their names in the OpenAPI document. */
const replies = {
  PointResponse: pointResponse,
  PointRunsResponse: pointRunsResponse,
  EnsembleResponse: ensembleResponse,
  MapResponse: mapResponse,
  FileEstimate: fileEstimate,
  PassageResponse: passageResponse,
  WorkabilityResponse: workabilityResponse,
  Failure: failureResponse,
  TaskCreated: taskCreated,
  PendingTask: pendingTask,
  FinishedPoints: pointResponse.extend(finishedTask.shape),
  FinishedMap: mapResponse.extend(finishedTask.shape),
  FinishedFile: fileResponse.extend(finishedTask.shape),
  FinishedPassage: passageResponse.extend(finishedTask.shape),
  FinishedWorkability: workabilityResponse.extend(finishedTask.shape),
  FailedTask: failureResponse.extend(finishedTask.shape),
  TaskList: taskList,
  StormsResponse: stormsResponse,
  StormHistory: stormHistoryResponse,
  StormOutlooks: stormOutlooks,
  StormDanger: stormDanger,
  StormApproach: stormApproachResponse,
  TideStations: tideStations,
  TidePrediction: tidePrediction,
  StreamPrediction: streamPrediction,
  TidesNow: tidesNow,
  ChannelList: channelList,
  ChannelCreated: channelCreated,
  ChannelSecret: channelSecret,
  ChannelTest: channelTest,
  CalendarAddress: calendarAddress,
  Watch: watch,
  WatchList: watchList,
  Alert: alert,
  AlertList: alertList,
  AlertSent: alertSent,
  Feeds: feedsResponse,
  EdrLanding: edrLanding,
  EdrConformance: edrConformance,
  EdrCollections: edrCollections,
  EdrCollection: edrCollection,
  EdrInstances: edrInstances,
  EdrError: edrError,
  DetailError: detailError,
  ValidationError: validationError,
  RateLimitError: rateLimitError,
};

export type RequestName = keyof typeof requests;
export type ReplyName = keyof typeof replies;

/** Schemas of what clients send: a field with a default may be left out. */
export const requestSchemas = () => schemasOf(requests, "input");

/** Schemas of what the service answers: a field with a default is always present. */
export const replySchemas = () => schemasOf(replies, "output");

function schemasOf(schemas: Record<string, z.ZodType>, io: "input" | "output"): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { io, target: "draft-2020-12" });
      return [name, json];
    }),
  );
}

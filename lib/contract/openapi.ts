import { z } from "zod";
import { bodyLimits } from "./bodies.ts";
import { detailError, rateLimitError, validationError } from "./errors.ts";
import { mapRequest, mapResponse } from "./map2d.ts";
import { mapMediaTypes, pointMediaTypes } from "./media-types.ts";
import { stormPaths } from "./openapi-storms.ts";
import { failureResponse, pointLimits, pointRequest, pointResponse } from "./point.ts";
import { stormApproachRequest, stormApproachResponse } from "./storm-approach.ts";
import { stormDanger } from "./storm-danger.ts";
import { stormHistoryResponse, stormsResponse } from "./storms.ts";
import { finishedTask, MAX_KEY_CHARACTERS, pendingTask, taskCreated, taskList, taskStates } from "./task.ts";

type Json = Record<string, unknown>;

/** The wire's schemas by the names they have in the document: what callers send, and what they get. */
const sent = {
  PointRequest: pointRequest(pointLimits.sync),
  MapRequest: mapRequest,
  StormApproachRequest: stormApproachRequest,
};
const received = {
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

type SchemaName = keyof typeof sent | keyof typeof received;

/**
 * The whole API as an OpenAPI 3.1 document, derived from the schemas that check it.
 *
 * @param version Version of the service.
 */
export function openapiDocument(version: string): Json {
  return {
    openapi: "3.1.0",
    info: {
      title: "Marine weather",
      version,
      description:
        "Weather and ocean conditions at points and times. Directions are degrees clockwise from true north: " +
        "wind and waves FROM, currents TO. null means that there is no value: land, ice, or outside the archive.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    security: [{ ApiKey: [] }],
    paths,
    components: {
      securitySchemes: { ApiKey: { type: "apiKey", in: "header", name: "x-api-key" } },
      headers: rateHeaders,
      schemas: { ...schemasOf(sent, "input"), ...schemasOf(received, "output") },
    },
  };
}

const reference = (name: SchemaName): Json => ({ $ref: `#/components/schemas/${name}` });

const rateHeaders = {
  "RateLimit-Policy": header('"data";q=10;w=60', "quota q in a window of w seconds"),
  RateLimit: header('"data";r=9;t=60', "what remains (r), and the seconds until it is whole again (t)"),
  "X-RateLimit-Limit": header("10", "requests in a window"),
  "X-RateLimit-Remaining": header("9", "requests left in this window"),
  "X-RateLimit-Reset": header("1767225660", "end of the window, Unix seconds"),
};

const withLimit = Object.fromEntries(
  Object.keys(rateHeaders).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);

const retryAfter = { "Retry-After": header("60", "seconds to wait") };

/** The replies that every operation with a key may give. */
const refusals = {
  "401": reply("Invalid API key", "DetailError"),
  "403": reply("The header x-api-key is missing", "DetailError"),
  "429": reply("Rate limit exceeded", "RateLimitError", { ...withLimit, ...retryAfter }),
  "503": reply("Our own outage or overload", "DetailError", { ...withLimit, ...retryAfter }),
};

/** Those of an operation that reads a body. */
const bodyRefusals = {
  ...refusals,
  "413": tooLarge(bodyLimits.sync),
  "415": reply("The body is not application/json in UTF-8, or compressed", "DetailError", withLimit),
  "422": reply("The body breaks a rule; every fault is listed, up to 50", "ValidationError", withLimit),
};

/** Those of an operation on one task. */
const taskRefusals = {
  ...refusals,
  "404": reply("No task of the caller's has this id", "DetailError", withLimit),
};

const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  description:
    "for 24 hours the same body under this key gets the same answer or task again; another body is 422",
  schema: { type: "string", maxLength: MAX_KEY_CHARACTERS },
};

const taskIdParameter = { name: "task_id", in: "path", required: true, schema: { type: "string" } };

const createdReply = {
  "202": reply("The task is accepted, and on disk", "TaskCreated", {
    ...withLimit,
    ...retryAfter,
    Location: header("/task/…", "where the task is read"),
  }),
};

const listReplies = {
  "200": reply("The caller's tasks, newest first", "TaskList", {
    ...withLimit,
    Link: header('</user/tasks?…>; rel="next"', "the next page, where there is one"),
  }),
  ...refusals,
  "422": reply("The query or the state breaks a rule", "ValidationError", withLimit),
};

const listParameters = [
  { name: "limit", in: "query", schema: { type: "integer", minimum: 1, maximum: 100, default: 100 } },
  {
    name: "cursor",
    in: "query",
    schema: { type: "string" },
    description: "from the Link of the page before",
  },
];

/** The operations on tasks. */
const taskPaths = {
  "/MetOcean/async": {
    post: {
      operationId: "postMetOceanAsync",
      summary: "Conditions at many points, as a task",
      description: `As /MetOcean, for up to ${pointLimits.async} points and ${bodyLimits.async} bytes.`,
      parameters: [idempotencyKey],
      requestBody: { required: true, content: { "application/json": { schema: reference("PointRequest") } } },
      responses: { ...createdReply, ...bodyRefusals, "413": tooLarge(bodyLimits.async) },
    },
  },
  "/task/{task_id}": {
    get: {
      operationId: "getTask",
      summary: "How far a task is, or what it ended with",
      description:
        "PENDING with progress and place in the queue, or the envelope of the answer with the keys of FinishedTask beside " +
        "result. A terminal state never changes. A result comes in the formats of the operation that it answers: GeoJSON for " +
        "points only, frames for 2D only.",
      parameters: [taskIdParameter],
      responses: {
        "200": {
          description: "The task",
          headers: withLimit,
          content: {
            "application/json": {
              schema: {
                oneOf: (["PendingTask", "PointResponse", "MapResponse", "Failure"] as const).map(reference),
              },
            },
            ...otherFormats(new Set([...pointMediaTypes, ...mapMediaTypes])),
          },
        },
        ...taskRefusals,
        "410": reply("The result has expired", "DetailError", withLimit),
      },
    },
    delete: {
      operationId: "deleteTask",
      summary: "Cancel a pending task, or remove an ended one with its result",
      parameters: [taskIdParameter],
      responses: {
        "200": reply("It was pending, and is cancelled", "Failure", withLimit),
        "204": { description: "It is gone" },
        ...taskRefusals,
      },
    },
  },
  "/task/{task_id}/request": {
    get: {
      operationId: "getTaskRequest",
      summary: "What a task was asked",
      description: "The body of the request that made the task, as it was sent, until its result expires.",
      parameters: [taskIdParameter],
      responses: {
        "200": {
          description: "The body",
          headers: withLimit,
          content: { "application/json": { schema: { type: "object" } } },
        },
        ...taskRefusals,
      },
    },
  },
  "/task/{task_id}/events": {
    get: {
      operationId: "getTaskEvents",
      summary: "How a task goes on, as it goes on",
      description:
        "Server-sent events: progress whenever something changes, end at the end; the data is an entry of TaskList. Read it " +
        "by fetch: EventSource cannot send the key.",
      parameters: [taskIdParameter],
      responses: {
        "200": {
          description: "The events",
          headers: withLimit,
          content: { "text/event-stream": { schema: { type: "string" } } },
        },
        ...taskRefusals,
      },
    },
  },
  "/cancel_task/{task_id}": {
    post: {
      operationId: "postCancelTask",
      summary: "Cancel a task",
      description: 'It becomes FAILURE with the error "Task cancelled by user"; again, the same.',
      parameters: [taskIdParameter],
      responses: {
        "200": reply("The task as it is now", "Failure", withLimit),
        ...taskRefusals,
        "409": reply("It has succeeded", "DetailError", withLimit),
      },
    },
  },
  "/user/tasks": {
    get: {
      operationId: "getUserTasks",
      summary: "The caller's tasks",
      parameters: listParameters,
      responses: listReplies,
    },
  },
  "/user/tasks/{state}": {
    get: {
      operationId: "getUserTasksInState",
      summary: "The caller's tasks in one state",
      parameters: [
        { name: "state", in: "path", required: true, schema: { enum: taskStates } },
        ...listParameters,
      ],
      responses: listReplies,
    },
  },
};

const paths = {
  ...taskPaths,
  "/MetOcean": {
    post: {
      operationId: "postMetOcean",
      summary: "Conditions at points",
      description:
        "Each point has its own place and time. Values are bilinear in space and linear in time. Answered at once.",
      parameters: [idempotencyKey],
      requestBody: { required: true, content: { "application/json": { schema: reference("PointRequest") } } },
      responses: {
        "200": {
          description: "The answer, or why the request could not be processed",
          headers: withLimit,
          content: {
            "application/json": { schema: { oneOf: [reference("PointResponse"), reference("Failure")] } },
            ...otherFormats(pointMediaTypes),
          },
        },
        ...bodyRefusals,
      },
    },
  },
  "/2DMetOcean": {
    post: {
      operationId: "post2DMetOcean",
      summary: "Conditions on a grid",
      description:
        "All grid nodes inside one box, at one instant (interpolated to exactly that instant) or over a range (the native " +
        "steps inside it). A minimum longitude greater than the maximum crosses the antimeridian. Answered at once, or by a " +
        "task where async is true.",
      parameters: [idempotencyKey],
      requestBody: { required: true, content: { "application/json": { schema: reference("MapRequest") } } },
      responses: {
        "200": {
          description: "The answer, or why the request could not be processed",
          headers: withLimit,
          content: {
            "application/json": { schema: { oneOf: [reference("MapResponse"), reference("Failure")] } },
            ...otherFormats(mapMediaTypes),
          },
        },
        ...createdReply,
        ...bodyRefusals,
      },
    },
  },
  ...stormPaths({ reference, reply, refusals, bodyRefusals, withLimit }),
  "/limits": open("getLimits", "Every limit in force"),
  "/openapi.json": open("getOpenapi", "This document"),
  "/healthz": open("getHealth", "The process answers"),
  "/readyz": {
    get: {
      ...open("getReadiness", "Requests can be answered").get,
      responses: {
        "200": { description: "Everything works", content: anyJson() },
        "503": { description: "What does not work, by name", headers: retryAfter, content: anyJson() },
      },
    },
  },
};

function tooLarge(bytes: number): Json {
  return reply(`The body is larger than ${bytes} bytes`, "DetailError", withLimit);
}

/** Formats that `Accept` may ask for. */
function otherFormats(types: Iterable<string>): Json {
  const schema = {
    type: "string",
    description: "The same numbers; JSON where Accept asks for anything else",
  };
  return Object.fromEntries(Array.from(types, (type) => [type, { schema }]));
}

/** A GET without a key. */
function open(operationId: string, summary: string) {
  return {
    get: {
      operationId,
      summary,
      security: [],
      responses: { "200": { description: summary, content: anyJson() } },
    },
  };
}

function anyJson(): Json {
  return { "application/json": { schema: { type: "object" } } };
}

function reply(description: string, schema: SchemaName, headers?: Json): Json {
  return {
    description,
    ...(headers ? { headers } : {}),
    content: { "application/json": { schema: reference(schema) } },
  };
}

function header(example: string, description: string): Json {
  return { description, schema: { type: "string" }, example };
}

function schemasOf(schemas: Record<string, z.ZodType>, io: "input" | "output"): Json {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { io, target: "draft-2020-12" });
      return [name, json];
    }),
  );
}

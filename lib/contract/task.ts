import { z } from "zod";
import { queryNumber } from "./point.ts";

export const taskStates = ["PENDING", "SUCCESS", "FAILURE"] as const;

/** Kind of a task: the path to which its request was sent. */
export const taskKinds = [
  "MetOcean",
  "2DMetOcean",
  "files",
  "passages/evaluate",
  "passages/optimise",
  "workability",
] as const;

export type TaskKind = (typeof taskKinds)[number];

const instant = z.string().meta({ format: "date-time", example: "2026-01-01T00:00:00.000Z" });

const taskId = z.string().meta({ format: "uuid" });

/** 202 reply: the task is stored. */
export const taskCreated = z.object({ task_id: taskId, status: z.literal("PENDING") });

const known = {
  task_id: taskId,
  task_name: z.string().nullable(),
  kind: z.enum(taskKinds),
  created_at: instant,
  started_at: instant
    .nullable()
    .describe(
      "Time at which the task was started; it does not change when the task continues after an interruption",
    ),
  progress: z.number().min(0).max(1),
  queue_position: z
    .int()
    .nullable()
    .describe("Position in the queue: 1 is next; null for a task that is running or has ended"),
};

/** GET /task/{task_id} of a task that has not ended. */
export const pendingTask = z.object({ ...known, status: z.literal("PENDING") });

export type PendingTask = z.infer<typeof pendingTask>;

/** Fields that the envelope of a task has in addition to those of a synchronous answer. */
export const finishedTask = z.object({
  task_name: z.string().nullable(),
  created_at: instant,
  finished_at: instant,
  expires_at: instant.describe("Time from which on the result can no longer be read"),
});

export type FinishedTask = z.infer<typeof finishedTask>;

/** A task in a list. */
export const listedTask = z.object({
  ...known,
  status: z.enum(taskStates),
  size: z.int().describe("Size of the request: points, values of a box or a series, or places of passages"),
  finished_at: instant.nullable(),
  expires_at: instant.nullable(),
  error: z.string().nullable(),
  result_bytes: z.int().nullable().describe("Size of the stored result, compressed, bytes"),
  receive_mail: z.boolean(),
  notification: z
    .literal("not-configured")
    .nullable()
    .describe("Reason why the requested e-mail is not sent"),
});

export type ListedTask = z.infer<typeof listedTask>;

export const taskList = z.object({ results: z.array(listedTask) });

/** Query of a list of tasks. */
export const listQuery = z.object({
  limit: queryNumber(z.number().int().min(1).max(100)).default(100),
  cursor: z.string().max(200).optional().describe("Cursor from the Link header of the previous page"),
});

/** Most characters of an Idempotency-Key. */
export const MAX_KEY_CHARACTERS = 255;

/** The Idempotency-Key of a request, and the request that it identifies. */
export interface Idempotency {
  key: string;
  /** SHA-256 of path and body, hexadecimal. */
  hash: string;
}

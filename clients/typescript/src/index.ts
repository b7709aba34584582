export { type ArrowColumn, type ArrowTable, decodeArrow } from "./arrow.ts";
export { type Client, createClient } from "./client.ts";
export type { ClientOptions, RetryPolicy, Sleep } from "./connect.ts";
export type * from "./contract.ts";
export * from "./errors.ts";
export { type BoxField, decodeFields, type FieldBand } from "./fields.ts";
export type {
  DangerQuery,
  EvaluateNow,
  FeatureCollection,
  FileNow,
  OptimiseNow,
  StormsQuery,
  WorkabilityNow,
} from "./operations.ts";
export type { BoxRequest, PlaceQuery } from "./points.ts";
export type { CallOptions, PageQuery, ResultPage } from "./request.ts";
export type { TaskProgress } from "./task-events.ts";
export type { Task, TaskState, TasksQuery, Waiting } from "./tasks.ts";

// Generated from the contract by scripts/client-types.ts. Do not edit.
import type { PointResult } from "./points.ts";
import type { MapMeta, MapResult } from "./boxes.ts";
import type { PassageResult } from "./plans.ts";

export interface TaskEntry {
  task_id: string;
  task_name: string | null;
  kind: TaskKind;
  created_at: string;
  /** When a worker took it last. */
  started_at: string | null;
  /** 0..1. */
  progress: number;
  /** 1 is the next to run; null for one that runs or has ended. */
  queue_position: number | null;
  status: "PENDING" | "SUCCESS" | "FAILURE";
  /** Points, values of a map, or places of passages. */
  size: number;
  finished_at: string | null;
  expires_at: string | null;
  error: string | null;
  /** Of the result, compressed. */
  result_bytes: number | null;
  receive_mail: boolean;
  /** Why no mail comes that was asked for. */
  notification: "not-configured" | null;
}

export type TaskKind = "MetOcean" | "2DMetOcean" | "files" | "passages/evaluate" | "passages/optimise";

export interface TaskCreated {
  task_id: string;
  status: "PENDING";
}

export interface PendingTask {
  task_id: string;
  task_name: string | null;
  kind: TaskKind;
  created_at: string;
  /** When a worker took it last. */
  started_at: string | null;
  /** 0..1. */
  progress: number;
  /** 1 is the next to run; null for one that runs or has ended. */
  queue_position: number | null;
  status: "PENDING";
}

export interface FinishedPoints {
  task_id: [string];
  status: "SUCCESS";
  result: PointResult;
  task_name: string | null;
  created_at: string;
  finished_at: string;
  /** When it can no longer be read. */
  expires_at: string;
}

export interface FinishedMap {
  task_id: string;
  status: "SUCCESS";
  result: MapResult;
  task_name: string | null;
  created_at: string;
  finished_at: string;
  /** When it can no longer be read. */
  expires_at: string;
}

export interface FinishedFile {
  task_id: string;
  status: "SUCCESS";
  result: {
    results: [{
      coordinates: {
        /** Ascending. */
        latitude: number[];
        /** West to east; −180..180 also where the box crosses 180. */
        longitude: number[];
        /** A list for a range. */
        timestamp: string | string[];
      };
      /** By field: [time][latitude][longitude]; for GRIB2 vectors are components. */
      conditions: Record<string, ((number | null)[][])[]>;
    }];
    execution_time: string;
    meta?: MapMeta;
  };
  task_name: string | null;
  created_at: string;
  finished_at: string;
  /** When it can no longer be read. */
  expires_at: string;
}

export interface FinishedPassage {
  task_id: string;
  status: "SUCCESS";
  result: PassageResult;
  task_name: string | null;
  created_at: string;
  finished_at: string;
  /** When it can no longer be read. */
  expires_at: string;
}

export interface FailedTask {
  task_id: string;
  status: "FAILURE";
  error: string;
  task_name: string | null;
  created_at: string;
  finished_at: string;
  /** When it can no longer be read. */
  expires_at: string;
}

export interface TaskList {
  results: TaskEntry[];
}

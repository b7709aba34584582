import type { StormEntry } from "#lib/contract/storm-form.ts";
import type { StormProvider } from "#lib/contract/storm-providers.ts";
import type { Manifest } from "#server/archive/run.ts";
import type { MapSource } from "#server/metocean/box-read.ts";
import type { DeflatedPart } from "#server/platform/gzip-parts.ts";

/** Published storms, by provider; without those of a provider that were never received. */
export type TaskStorms = Partial<Record<StormProvider, readonly StormEntry[]>>;

/** What a task handler may use. */
export interface TaskContext {
  archive: MapSource;
  /** The manifest from which the whole task is answered. */
  manifest: Manifest;
  /** Weather clock when the task was accepted, Unix seconds. */
  now: number;
  /** Storms with which the whole task is answered. */
  storms?: TaskStorms;
}

/** How one piece of a task is computed. */
export interface PieceContext {
  signal: AbortSignal;
  /** Asked between two parts of the work: whether the piece is to end. */
  isEnough(): boolean;
  /** @param share How much of the task is done, 0 to 1. */
  progress(share: number): void;
}

/** Consecutive work of a task. */
export interface ComputedPiece {
  /** Where the next piece begins. */
  to: number;
  columns: DeflatedPart[];
  meta?: unknown;
}

/** A request that is answered piece by piece. */
export interface OpenTask {
  /** Where the last piece ends. The first one begins at 0. */
  end: number;
  synthetic: boolean;
  /** Those storms that it needs. */
  storms?: TaskStorms | undefined;
  /** Computes from a position on, at least one part of the work. */
  compute(from: number, piece: PieceContext): Promise<ComputedPiece>;
  /**
   * The JSON of the results.
   *
   * @param column The texts of all pieces in order.
   */
  results(
    column: (index: number) => AsyncIterable<DeflatedPart>,
  ): AsyncGenerator<Uint8Array | DeflatedPart, void, undefined>;
  /** Joins the meta of the first pieces with that of the piece after them. @param from Where that one begins. */
  joinMeta(meta: unknown, more: unknown, from: number): unknown;
}

/** The form of one kind of request, and how it is answered. */
export interface TaskHandler<Body = unknown> {
  /** Reads a request that was accepted. */
  read(bytes: Uint8Array): Promise<Body>;
  taskIdAsList: boolean;
  open(body: Body, context: TaskContext): OpenTask;
}

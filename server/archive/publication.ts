import type { Clock } from "#server/platform/clock.ts";
import type { Run } from "./run.ts";

export interface WriterOptions {
  /** Waits for another writer to end instead of throwing `ArchiveBusyError`. */
  wait?: boolean;
  /** Aborts the wait. */
  signal?: AbortSignal;
  clock?: Clock;
}

/** How a run that is written becomes a published one. It begins with the right to write to the disk. */
export interface Publication {
  /**
   * Publishes what lies in a folder, for its dataset, source, reference time, grid and span: see `replaces`. Durable when it
   * returns. If the same content is already published and undamaged, nothing changes and that run is returned.
   *
   * @param run With the id of its content, and the path that follows from it; both may become others.
   */
  publish(folder: string, run: Run, signal?: AbortSignal): Promise<Run>;
  /** Returns the right to write. */
  end(): Promise<void>;
}

import type { Door } from "#server/http/door.ts";
import type { FrameCache, FrameSource } from "#server/metocean/frames.ts";
import type { PointSource } from "#server/metocean/point-source.ts";
import type { Metrics } from "#server/platform/metrics.ts";

/** The rooms of the house, joined. One a process. */
export interface Context extends Door {
  /** What must work for requests to be answered: name of the part → undefined, or why it does not. */
  ready(): Promise<Record<string, string | undefined>>;
  /** Version of the service, from package.json. */
  version: string;
  archive: PointSource & FrameSource;
  /** Map frames that were made already. */
  frames: FrameCache;
  metrics: Metrics;
  /** Whether /metrics is answered beside the API. */
  metricsArePublic: boolean;
  close(): Promise<void>;
}

import type { Cluster, ClusterOptions } from "../cluster.ts";

/** What is asked of a check by `npm run lab -- cluster --check`. */
export interface CheckOptions {
  seed: number;
  kills: number;
  seconds: number;
  rounds: number;
  streams: number;
}

export interface CheckResult {
  /** What was found, for people. */
  lines: string[];
  /** What must not be. */
  complaints: string[];
}

/** Something that is done to a cluster, and what must hold meanwhile. */
export interface Check {
  /** Options of the cluster that the check needs. */
  prepare?(): Promise<Partial<ClusterOptions>>;
  run(cluster: Cluster, given: CheckOptions): Promise<CheckResult>;
}

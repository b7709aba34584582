import type { Arguments } from "../arguments.ts";
import type { Cluster, ClusterOptions } from "../cluster.ts";

export interface CheckResult {
  /** What was found, for people. */
  lines: string[];
  /** What must not be. */
  complaints: string[];
}

/** Something that is done to a cluster, and what must hold meanwhile. */
export interface Check {
  /** Options of the cluster that the check needs. */
  prepare?(given: Arguments, say: (text: string) => void): Promise<Partial<ClusterOptions>>;
  run(cluster: Cluster, given: Arguments): Promise<CheckResult>;
}

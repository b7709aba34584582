import cluster from "node:cluster";
import type { Metrics } from "#server/platform/metrics.ts";

/** This process as one of several that share a port. */
export interface Member {
  /** Number from 1. The first process also computes tasks. */
  number: number;
  listening(port: number, key: string | undefined): void;
  /** Returns metrics whose text covers all processes. */
  shareMetrics(own: Metrics): Metrics;
}

/** Longest wait for the metrics of other processes, milliseconds. */
export const GATHER_MS = 3000;

/** Argument that carries the number of a process. */
export const NUMBER_ARGUMENT = "--process=";

/** @param onStop Called when all processes stop. @returns undefined for a process that serves alone. */
export function joinSupervisor(onStop: () => void): Member | undefined {
  if (!cluster.isWorker) return undefined;
  const number = Number(
    process.argv.find((text) => text.startsWith(NUMBER_ARGUMENT))?.slice(NUMBER_ARGUMENT.length),
  );
  const waiting = new Map<number, (text: string) => void>();
  let measure = async () => "";
  let asked = 0;
  // If the supervisor was killed, the channel is gone and this process ends too.
  const tell = (message: FromMember) => void process.send?.(message, undefined, undefined, () => {});
  process.on("message", (message: FromSupervisor) => {
    if (message.type === "stop") onStop();
    else if (message.type === "gathered") waiting.get(message.id)?.(message.text);
    else void measure().then((text) => tell({ type: "metrics", id: message.id, text }));
  });
  return {
    number,
    listening: (port, key) => tell({ type: "listening", port, key }),
    shareMetrics(own) {
      measure = async () => (await own.text()).body;
      return {
        ...own,
        async text() {
          const { type, body } = await own.text();
          const id = ++asked;
          const { promise, resolve } = Promise.withResolvers<string>();
          waiting.set(id, resolve);
          // The metrics of this process alone are better than none.
          const timer = setTimeout(() => resolve(body), GATHER_MS + 1000);
          tell({ type: "gather", id });
          const all = await promise;
          clearTimeout(timer);
          waiting.delete(id);
          return { type, body: all };
        },
      };
    },
  };
}

/** Messages from a process that answers requests to its supervisor. */
export type FromMember =
  | { type: "listening"; port: number; key?: string }
  /** Requests the metrics of all processes. */
  | { type: "gather"; id: number }
  | { type: "metrics"; id: number; text: string };

/** Messages from the supervisor to a process. */
export type FromSupervisor =
  | { type: "stop" }
  /** Requests the metrics of this process. */
  | { type: "measure"; id: number }
  | { type: "gathered"; id: number; text: string };

/** Joins the expositions of several processes: the description of each metric once, then the lines of all processes. */
export function joinExpositions(texts: readonly string[]): string {
  const heads = new Map<string, string[]>();
  const samples = new Map<string, string[]>();
  for (const text of texts) {
    let name = "";
    for (const line of text.split("\n")) {
      if (line.startsWith("# HELP ")) {
        name = line.split(" ")[2]!;
        if (!samples.has(name)) {
          samples.set(name, []);
          heads.set(name, []);
        }
      }
      if (line === "" || name === "") continue;
      const lines = line.startsWith("#") ? heads.get(name)! : samples.get(name)!;
      // HELP and TYPE are the same in every process and are written once.
      if (!line.startsWith("#") || !lines.includes(line)) lines.push(line);
    }
  }
  return [...heads].map(([name, head]) => `${[...head, ...samples.get(name)!].join("\n")}\n`).join("\n");
}

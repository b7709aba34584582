import cluster from "node:cluster";
import type { Metrics } from "#server/platform/metrics.ts";

/** This process among several that share a port. */
export interface Member {
  /** From 1. The first one also computes tasks. */
  number: number;
  listening(port: number, key: string | undefined): void;
  /** Metrics that are those of all processes. */
  shareMetrics(own: Metrics): Metrics;
}

/** How long others may take to tell their metrics. */
export const GATHER_MS = 3000;

/** How a process is told its number. */
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
  // Where the supervisor was killed, this process ends too.
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
          // Better one's own than none.
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

/** What a process that answers requests tells the one that supervises it. */
export type FromMember =
  | { type: "listening"; port: number; key?: string }
  /** Asks for the metrics of all. */
  | { type: "gather"; id: number }
  | { type: "metrics"; id: number; text: string };

/** What the supervisor tells a process. */
export type FromSupervisor =
  | { type: "stop" }
  /** Asks for its own metrics. */
  | { type: "measure"; id: number }
  | { type: "gathered"; id: number; text: string };

/** Expositions of several processes as one: what is said of a metric once, then its lines of all. */
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
      // HELP and TYPE are the same in each.
      if (!line.startsWith("#") || !lines.includes(line)) lines.push(line);
    }
  }
  return [...heads].map(([name, head]) => `${[...head, ...samples.get(name)!].join("\n")}\n`).join("\n");
}

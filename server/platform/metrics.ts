import { memoryUsage } from "node:process";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

export interface Metrics {
  /** Counts an answered request; `route` is a pattern, never a path. */
  served(request: { method: string; route: string; status: number; seconds: number }): void;
  /**
   * Adds a gauge that is read at each scrape. It is NaN while it cannot be read, as without the database, so that the
   * other metrics remain readable.
   */
  gauge(name: string, help: string, read: () => number | Promise<number>): void;
  /**
   * Adds a gauge with one value for each value of a label. Values that are no longer returned, or cannot be read,
   * disappear.
   */
  gauges(name: string, help: string, label: string, read: () => Promise<ReadonlyMap<string, number>>): void;
  text(): Promise<{ type: string; body: string }>;
}

/** Upper bounds of the histogram of durations, seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * Creates the metrics, including Node's own: memory, garbage collection and event loop lag.
 *
 * @param process Number of this process among several, which becomes a label of every metric.
 */
export function createMetrics(process?: number): Metrics {
  const registry = new Registry();
  if (process !== undefined) registry.setDefaultLabels({ process });
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: "http_requests_total",
    help: "Requests answered",
    labelNames: ["method", "route", "status"],
    registers: [registry],
  });
  const duration = new Histogram({
    name: "http_request_duration_seconds",
    help: "From the headers of a request to the last byte of its answer",
    labelNames: ["route"],
    buckets: BUCKETS,
    registers: [registry],
  });
  new Gauge({
    name: "array_buffers_bytes",
    help: "Memory of buffers and typed arrays, part of the external memory",
    registers: [registry],
    collect() {
      this.set(memoryUsage().arrayBuffers);
    },
  });
  return {
    served({ method, route, status, seconds }) {
      requests.inc({ method: methods.has(method) ? method : "other", route, status });
      duration.observe({ route }, seconds);
    },
    gauge(name, help, read) {
      new Gauge({
        name,
        help,
        registers: [registry],
        async collect() {
          this.set(await valueOr(read, Number.NaN));
        },
      });
    },
    gauges(name, help, label, read) {
      new Gauge({
        name,
        help,
        labelNames: [label],
        registers: [registry],
        async collect() {
          const values = await valueOr(read, new Map<string, number>());
          this.reset();
          for (const [of, value] of values) this.set({ [label]: of }, value);
        },
      });
    },
    text: async () => ({ type: registry.contentType, body: await registry.metrics() }),
  };
}

async function valueOr<Value>(read: () => Value | Promise<Value>, otherwise: Value): Promise<Value> {
  try {
    return await read();
  } catch {
    return otherwise;
  }
}

/**
 * Methods that get a series of their own. The method is the caller's text, and any text would otherwise create a
 * series.
 */
const methods = new Set(["GET", "HEAD", "POST", "DELETE", "OPTIONS"]);

export async function singleValue(rows: Promise<{ value: number | bigint }[]>): Promise<number> {
  return Number((await rows)[0]!.value);
}

import path from "node:path";
import { BUCKET } from "#test/s3/start-s3.ts";
import type { StoreFault } from "#test/s3/store-proxy.ts";

/** What the store does with each request. */
export interface StoreState {
  /** Added to each, milliseconds. */
  latencyMs: number;
  /** Met by each. */
  fault?: StoreFault;
}

/** By the names that people type. */
export const storeStates: Readonly<Record<string, StoreState>> = {
  ok: { latencyMs: 30 },
  down: { latencyMs: 0, fault: { kind: "refuse" } },
  slow: { latencyMs: 2000 },
  slowdown: { latencyMs: 30, fault: { kind: "slow-down" } },
  truncate: { latencyMs: 30, fault: { kind: "truncate", after: 100 } },
  stall: { latencyMs: 0, fault: { kind: "stall" } },
};

export const ARCHIVE_URL = `s3://${BUCKET}/archive`;
export const BLOB_URL = `s3://${BUCKET}/tasks`;

/** The environment by which the service reaches the store on a port. */
export function storeEnv(port: number): Record<string, string> {
  return {
    AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}`,
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: "S3RVER",
    AWS_SECRET_ACCESS_KEY: "S3RVER",
  };
}

/** How its process is started. */
export function storeCommand(folder: string, port: number, controlPort: number): [string, ...string[]] {
  const script = path.join(import.meta.dirname, "store-process.ts");
  return [process.execPath, script, folder, String(port), String(controlPort)];
}

/** @returns Requests that the store has had. */
export async function setStore(controlPort: number, state?: StoreState): Promise<number> {
  const reply = await fetch(`http://127.0.0.1:${controlPort}/`, {
    ...(state && { method: "POST", body: JSON.stringify(state) }),
  });
  return ((await reply.json()) as { requests: number }).requests;
}

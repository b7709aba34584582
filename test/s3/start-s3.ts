import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import S3rver from "s3rver";
import { type StoreProxy, startStoreProxy } from "./store-proxy.ts";

export const BUCKET = "metocean-test";

export interface TestStore {
  /** Before the store: latency, faults, and what was asked. */
  proxy: StoreProxy;
  /** What a process needs in its environment to reach it. */
  env: Record<string, string>;
  close(): Promise<void>;
}

/** An S3 store on loopback with one empty bucket, behind a proxy that makes its faults. */
export async function startS3(): Promise<TestStore> {
  const folder = await mkdtemp(path.join(tmpdir(), "metocean-s3-"));
  const server = new S3rver({
    address: "127.0.0.1",
    port: 0,
    silent: true,
    directory: folder,
    configureBuckets: [{ name: BUCKET, configs: [] }],
  });
  const { port } = await server.run();
  const proxy = await startStoreProxy(port);
  return {
    proxy,
    env: {
      AWS_ENDPOINT_URL_S3: proxy.url,
      AWS_REGION: "us-east-1",
      AWS_ACCESS_KEY_ID: "S3RVER",
      AWS_SECRET_ACCESS_KEY: "S3RVER",
    },
    async close() {
      await proxy.close();
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

import crypto from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import S3rver from "s3rver";
import { type StoreProxy, startStoreProxy } from "./store-proxy.ts";

export const BUCKET = "metocean-test";

export interface TestStore {
  /** Folder of its objects. */
  folder: string;
  /** Proxy in front of the store, which adds latency and faults and records requests. */
  proxy: StoreProxy;
  /** Environment that a process needs to reach it. */
  env: Record<string, string>;
  close(): Promise<void>;
}

/**
 * Repairs s3rver, which encrypts the token of a further page of a list by DES; OpenSSL 3 offers only triple DES, here
 * with one key.
 */
function repairTokens(): void {
  const { createCipheriv, createDecipheriv } = crypto;
  const thrice = (key: Uint8Array) => Buffer.concat([key, key, key]);
  crypto.createCipheriv = ((name: string, key: Uint8Array, iv: Uint8Array) =>
    name === "des"
      ? createCipheriv("des-ede3-cbc", thrice(key), iv)
      : createCipheriv(name, key, iv)) as typeof createCipheriv;
  crypto.createDecipheriv = ((name: string, key: Uint8Array, iv: Uint8Array) =>
    name === "des"
      ? createDecipheriv("des-ede3-cbc", thrice(key), iv)
      : createDecipheriv(name, key, iv)) as typeof createDecipheriv;
}
repairTokens();

/**
 * An S3 store on loopback with one bucket, behind a proxy that makes its faults.
 *
 * @param kept Folder of its objects, which stays, and port of the proxy; by default a temporary folder and any port.
 */
export async function startS3(kept?: { folder: string; port: number }): Promise<TestStore> {
  const folder = kept?.folder ?? (await mkdtemp(path.join(tmpdir(), "metocean-s3-")));
  const server = new S3rver({
    address: "127.0.0.1",
    port: 0,
    silent: true,
    directory: folder,
    configureBuckets: [{ name: BUCKET, configs: [] }],
  });
  const { port } = await server.run();
  const proxy = await startStoreProxy(port, kept?.port);
  return {
    folder,
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
      if (!kept) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Starts a store and sets the environment of this process to reach it, until it is closed. */
export async function startS3InEnv(): Promise<TestStore> {
  const store = await startS3();
  const before = { ...process.env };
  Object.assign(process.env, store.env);
  return {
    ...store,
    async close() {
      for (const name of Object.keys(store.env)) {
        if (before[name] === undefined) delete process.env[name];
        else process.env[name] = before[name];
      }
      await store.close();
    },
  };
}

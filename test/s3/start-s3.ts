import crypto from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import S3rver from "s3rver";
import { type StoreProxy, startStoreProxy } from "./store-proxy.ts";

export const BUCKET = "metocean-test";

export interface TestStore {
  /** Of its objects. */
  folder: string;
  /** Before the store: latency, faults, and what was asked. */
  proxy: StoreProxy;
  /** What a process needs in its environment to reach it. */
  env: Record<string, string>;
  close(): Promise<void>;
}

/** s3rver encrypts the token of a further page of a list by DES, which OpenSSL 3 only has as triple DES with one key. */
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
 * @param kept Folder of its objects, which stays, and port of the proxy; by default a folder that is removed, and any port.
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

/** As `startS3`; until it is closed, the environment of this process has what is needed to reach it. */
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

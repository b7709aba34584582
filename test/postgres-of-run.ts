import type { TestProject } from "vitest/node";
import { startPostgres, type TestServer, type TestServerAddress } from "./postgres.ts";

declare module "vitest" {
  export interface ProvidedContext {
    postgres: TestServerAddress;
  }
}

/** Projects share this module where Node loads it. */
let server: Promise<TestServer> | undefined;

/** Starts one PostgreSQL server for all test files of a run, which have databases of their own there. */
export async function setup(project: TestProject): Promise<void> {
  server ??= startPostgres();
  project.provide("postgres", (await server).address);
}

export async function teardown(): Promise<void> {
  const running = server;
  server = undefined;
  await (await running)?.stop();
}

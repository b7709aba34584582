import type { TestProject } from "vitest/node";
import { startPostgres, type TestServer, type TestServerAddress } from "./postgres.ts";

declare module "vitest" {
  export interface ProvidedContext {
    postgres: TestServerAddress;
  }
}

let server: TestServer;

/** One PostgreSQL server for all test files of a run, which have databases of their own there. */
export async function setup(project: TestProject): Promise<void> {
  server = await startPostgres();
  project.provide("postgres", server.address);
}

export function teardown(): Promise<void> {
  return server.stop();
}

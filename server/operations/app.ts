import type { Json } from "#lib/contract/described-api.ts";
import { type Context, openContext } from "#server/context.ts";
import { toRouteHandler } from "#server/http/route-handler.ts";
import type { Router } from "#server/http/router.ts";
import { readEnv, settleLibraries } from "#server/platform/env.ts";
import { createLogger, standardOutput } from "#server/platform/log.ts";
import { apiDocument, apiRouter } from "./operations.ts";

/** The app as the pages and route handlers of Next see it. */
export interface App {
  context: Context;
  router: Router;
  /** The router as a handler of web requests. */
  handle(request: Request): Promise<Response>;
  apiDocument(version: string, now?: number): Json;
}

/** Connects the operations to a context. */
export function createApp(context: Context): App {
  const router = apiRouter(context);
  return { context, router, handle: toRouteHandler((request) => router.answer(request)), apiDocument };
}

/**
 * Opens the app of a process that server/main.ts did not start, such as `next start`. Callers import it by its path.
 *
 * @public
 */
export async function openApp(): Promise<App> {
  const env = readEnv();
  settleLibraries(env);
  const secrets = env.bootstrapKeys.map(({ text }) => text);
  const log = createLogger(env.logLevel, secrets, standardOutput());
  const { context, keyToShow } = await openContext(env, log);
  if (keyToShow) process.stdout.write(`API key: ${keyToShow}\n`);
  if (env.role !== "web") await context.work();
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => {
      context.taskEvents.drain();
      void context.close();
    });
  }
  return createApp(context);
}

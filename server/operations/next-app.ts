import path from "node:path";
import { pathToFileURL } from "node:url";
import type { App } from "./app.ts";

/** Next bundles its own copy of every module, but shares `globalThis` with the process. */
const place = Symbol.for("metocean.app");

type Global = typeof globalThis & { [place]?: App | Promise<App> };

/** Makes an app the one that the pages and route handlers of Next use. */
export function shareApp(app: App): void {
  (globalThis as Global)[place] = app;
}

/** Returns the app of this process, which is opened on first use if server/main.ts has not done so. */
export async function sharedApp(): Promise<App> {
  const global = globalThis as Global;
  global[place] ??= openApp().catch((error: unknown) => {
    delete global[place];
    throw error;
  });
  return global[place];
}

/** Imports the app as Node does: a bundled copy would not find its worker threads. */
async function openApp(): Promise<App> {
  const file = path.join(process.cwd(), "server/operations/app.ts");
  const module = (await import(/* turbopackIgnore: true */ pathToFileURL(file).href)) as {
    openApp(): Promise<App>;
  };
  return module.openApp();
}

/**
 * Answers every API path as a Next route handler by the app's own router, so that wrong methods get the same answers
 * too.
 */
async function handle(request: Request): Promise<Response> {
  return (await sharedApp()).handle(request);
}

export {
  handle as DELETE,
  handle as GET,
  handle as HEAD,
  handle as OPTIONS,
  handle as PATCH,
  handle as POST,
  handle as PUT,
};

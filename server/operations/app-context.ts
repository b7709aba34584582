import type { Context } from "#server/context.ts";
import { endpointsOf } from "#server/http/endpoint.ts";

/** Where the one context of a process is kept: Next bundles a second copy of every module, but not of `globalThis`. */
const place = Symbol.for("metocean");

type Global = typeof globalThis & { [place]?: Context };

/** Makes the context the one of this process. */
export function setContext(context: Context): void {
  (globalThis as Global)[place] = context;
}

/** The context of this process. Throws before `moveIn`: operations are answered by server/main.ts alone. */
export function appContext(): Context {
  const context = (globalThis as Global)[place];
  if (!context) throw new Error("The server is not open: start it with server/main.ts");
  return context;
}

export const { taskEndpoint, bodyEndpoint, readEndpoint, countedEndpoint, openEndpoint } =
  endpointsOf(appContext);

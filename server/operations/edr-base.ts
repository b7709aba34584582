import type { Context } from "#server/context.ts";
import type { ApiRequest } from "#server/http/api-request.ts";

/** Characters of a host and its port, so that nothing else gets into an address. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** A shared cache may keep what names the address of the setting; not what names the host of one request, for all others. */
export function cachedLinks({ linkBase }: Pick<Context, "linkBase">): Record<string, string> {
  return { "cache-control": `${linkBase === undefined ? "private" : "public"}, max-age=300` };
}

/**
 * Address of the service in links, without a slash at its end: `PUBLIC_URL` where it is set, else the host that the request
 * names.
 */
export function baseOf(request: Pick<ApiRequest, "header">, { linkBase }: Pick<Context, "linkBase">): string {
  const host = request.header("host");
  return linkBase ?? (host !== undefined && HOST.test(host) ? `http://${host}` : "http://localhost");
}

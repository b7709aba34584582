import type { ApiRequest, Reply } from "./exchange.ts";

/**
 * A reply with its ETag; 304 when the client holds it already.
 *
 * @param etag With its quotes.
 * @param vary The headers of a request that the reply depends on.
 */
export async function conditionalReply(
  request: Pick<ApiRequest, "header">,
  etag: string,
  cacheControl: string,
  make: () => Reply | Promise<Reply>,
  vary = "X-API-Key",
): Promise<Reply> {
  const headers = { etag, "cache-control": cacheControl, vary };
  if (matchesEtag(request, etag)) return { status: 304, headers, body: null };
  const reply = await make();
  return { ...reply, headers: { ...headers, ...reply.headers } };
}

/** Whether the client holds what a tag names, in whichever encoding. */
export function matchesEtag(request: Pick<ApiRequest, "header">, etag: string): boolean {
  const held = request.header("if-none-match");
  if (held === undefined) return false;
  const strong = (tag: string) => tag.trim().replace(/^W\//, "");
  return held.split(",").some((tag) => [strong(etag), "*"].includes(strong(tag)));
}

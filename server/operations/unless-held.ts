import type { ApiRequest, Reply } from "#server/http/exchange.ts";

/**
 * A reply with its ETag; 304 when the client holds it already.
 *
 * @param etag With its quotes.
 */
export function unlessHeld(
  request: Pick<ApiRequest, "header">,
  etag: string,
  cacheControl: string,
  make: () => Reply,
): Reply {
  const headers = { etag, "cache-control": cacheControl, vary: "X-API-Key" };
  const held = request.header("if-none-match")?.split(",") ?? [];
  const isHeld = held.some((tag) => [etag, "*"].includes(tag.trim().replace(/^W\//, "")));
  if (isHeld) return { status: 304, headers, body: null };
  const reply = make();
  return { ...reply, headers: { ...headers, ...reply.headers } };
}

import type { ApiRequest, Reply } from "#server/http/exchange.ts";

/**
 * A reply with its ETag; 304 when the client holds it already.
 *
 * @param etag With its quotes.
 * @param vary The headers of a request that the reply depends on.
 */
export async function unlessHeld(
  request: Pick<ApiRequest, "header">,
  etag: string,
  cacheControl: string,
  make: () => Reply | Promise<Reply>,
  vary = "X-API-Key",
): Promise<Reply> {
  const headers = { etag, "cache-control": cacheControl, vary };
  const held = request.header("if-none-match")?.split(",") ?? [];
  const strong = (tag: string) => tag.trim().replace(/^W\//, "");
  const isHeld = held.some((tag) => [strong(etag), "*"].includes(strong(tag)));
  if (isHeld) return { status: 304, headers, body: null };
  const reply = await make();
  return { ...reply, headers: { ...headers, ...reply.headers } };
}

import { type CallOptions, type Service, withQuery } from "./request.ts";

/** Which part of a list. */
export interface PageQuery {
  /** 1..100 */
  limit?: number;
  /** `next` of the page before. */
  cursor?: string;
}

/** A part of a list. */
export interface ResultPage {
  /** Cursor of the next page; absent on the last one. */
  next?: string;
}

/** Reads a page, and the cursor of the next from its `Link` header. */
export async function pageOf<T extends object>(
  service: Service,
  path: string,
  query: PageQuery,
  options?: Pick<CallOptions, "signal">,
): Promise<T & ResultPage> {
  const reply = await service.send(withQuery(path, query), options);
  const [, link = ""] = /<([^>]*)>\s*;\s*rel="?next"?/.exec(reply.headers.get("link") ?? "") ?? [];
  const next = new URLSearchParams(link.slice(link.indexOf("?") + 1)).get("cursor");
  return { ...((await service.json(reply)) as T), ...(next !== null && { next }) };
}

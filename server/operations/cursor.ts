import { invalid } from "#server/http/reply.ts";

/** Where a page of a list ends, newest first. */
export interface ListPosition {
  createdAt: Date;
  id: string;
}

/** What the Link header of a page says of the next one. @param path Of the list. */
export function linkTo(path: string, limit: number, last: ListPosition): Record<string, string> {
  const cursor = Buffer.from(`${last.createdAt.getTime()}.${last.id}`).toString("base64url");
  return { link: `<${path}?${new URLSearchParams({ limit: String(limit), cursor })}>; rel="next"` };
}

/** @throws HttpError of 422. */
export function readCursor(cursor: string): ListPosition {
  const match = /^(\d{1,15})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(
    Buffer.from(cursor, "base64url").toString(),
  );
  if (match) return { createdAt: new Date(Number(match[1])), id: match[2]! };
  throw invalid({
    type: "value_error",
    loc: ["query", "cursor"],
    msg: "Value error, take the cursor from the Link header of the page before",
  });
}

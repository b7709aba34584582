import { gunzipSync } from "node:zlib";
import type { Reply } from "#server/http/exchange.ts";
import { router } from "#server/operations/table.ts";

/** What a test sends beyond its method and target. */
export interface Sent {
  /** Sent as JSON; none where left out. */
  body?: unknown;
  /** Beside a good key and the type of the body; an undefined one is not sent. */
  headers?: Record<string, string | undefined>;
  /** The client's. */
  address?: string;
}

/** Asks the operations as the server does after it has read a request's head. */
export async function ask(
  method: string,
  target: string,
  { body, headers, address = "127.0.0.1" }: Sent = {},
): Promise<Reply> {
  const [path = "", query = ""] = target.split("?");
  const all: Record<string, string | undefined> = {
    "x-api-key": "good-key",
    "content-type": "application/json",
    ...headers,
  };
  return router.answer({
    method,
    path: decodeURIComponent(path),
    params: {},
    query: new URLSearchParams(query),
    header: (name) => all[name],
    address,
    id: "test",
    body: async () => new TextEncoder().encode(body === undefined ? "" : JSON.stringify(body)),
    signal: new AbortController().signal,
  });
}

/** The bytes of a reply, unpacked. */
export async function bytesOf({ body, headers }: Pick<Reply, "body" | "headers">): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  const pieces = typeof body === "string" ? [Buffer.from(body)] : body instanceof Uint8Array ? [body] : body;
  for await (const chunk of pieces ?? []) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  return headers["content-encoding"] === "gzip" ? gunzipSync(bytes) : bytes;
}

export async function textOf(reply: Pick<Reply, "body" | "headers">): Promise<string> {
  return (await bytesOf(reply)).toString();
}

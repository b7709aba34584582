import type { IncomingMessage, ServerResponse } from "node:http";
import { finished } from "node:stream/promises";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { preferredEncoding } from "#server/platform/negotiation.ts";
import type { SharedFile } from "./shared-files.ts";
import { builtFileHeaders } from "./static-files.ts";

/** Sends a file of another build. @returns false for a type that pages do not load. */
export async function sendSharedFile(
  urlPath: string,
  { content, compressed }: SharedFile,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const headers = builtFileHeaders(urlPath, compressed);
  if (!headers) return false;
  const accepted = incoming.headers["accept-encoding"]?.toString();
  const isSentAsItIs = !compressed || preferredEncoding(accepted) === "br";
  const body = isSentAsItIs ? content : await promisify(brotliDecompress)(content);
  response.writeHead(200, {
    ...headers,
    "content-length": body.length,
    ...(compressed && isSentAsItIs && { "content-encoding": "br" }),
  });
  response.end(incoming.method === "HEAD" ? undefined : body);
  // A client that disconnects before the end counts as answered.
  await finished(response).catch(() => undefined);
  return true;
}

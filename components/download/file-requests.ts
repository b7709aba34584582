import "#components/api-client/without-eval.ts";
import { queryOptions } from "@tanstack/react-query";
import { retryPolicy } from "#components/api-client/api-fetch.ts";
import { type FileBody, fileService } from "#components/api-client/file-service.ts";
import { parseReply } from "#components/api-client/parse-reply.ts";
import { fileEstimate } from "#lib/contract/files.ts";

/** How large a file will be. */
export const estimateQuery = (key: string, body: FileBody) =>
  queryOptions({
    queryKey: ["file estimate", key, body],
    queryFn: async ({ signal }) =>
      parseReply(await fileService(key).estimate(body, { signal }), fileEstimate).estimate,
    staleTime: 60_000,
    ...retryPolicy,
  });

/**
 * Fetches a file.
 *
 * @param onReceived Called with the bytes that have come so far.
 * @throws ServiceError also where the service could not make it, or something in between has answered.
 */
export async function fetchFile(
  key: string,
  body: FileBody,
  signal: AbortSignal,
  onReceived: (bytes: number) => void,
): Promise<Blob> {
  const reply = await fileService(key).get(body, { signal });
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const reader = reply.body?.getReader();
  for (;;) {
    const part = await reader?.read();
    if (!part || part.done) break;
    parts.push(part.value);
    bytes += part.value.length;
    onReceived(bytes);
  }
  return new Blob(parts, { type: reply.headers.get("content-type") ?? "application/octet-stream" });
}

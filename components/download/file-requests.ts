import "#components/api-client/without-eval.ts";
import { queryOptions } from "@tanstack/react-query";
import { apiFetch, retryPolicy } from "#components/api-client/api-fetch.ts";
import { parseReply, readJson } from "#components/api-client/parse-reply.ts";
import { fileEstimate } from "#lib/contract/files.ts";
import { taskCreated } from "#lib/contract/task.ts";
import type { FileBody } from "./file-draft.ts";

const FILES = "/files";

/** How large a file will be. */
export const estimateQuery = (key: string, body: FileBody) =>
  queryOptions({
    queryKey: ["file estimate", key, body],
    queryFn: async ({ signal }) =>
      parseReply(
        await readJson(await apiFetch(FILES, { key, body: { ...body, estimate: true }, signal })),
        fileEstimate,
      ).estimate,
    staleTime: 60_000,
    ...retryPolicy,
  });

/**
 * Fetches a file.
 *
 * @param onReceived Called with the bytes that have come so far.
 */
export async function fetchFile(
  key: string,
  body: FileBody,
  signal: AbortSignal,
  onReceived: (bytes: number) => void,
): Promise<Blob> {
  const reply = await apiFetch(FILES, { key, body, signal });
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

/** Makes a task of a file. @returns Its id. */
export async function createFileTask(
  key: string,
  body: FileBody,
  name: string,
  signal: AbortSignal,
): Promise<string> {
  const request = { ...body, async: true, task_name: name };
  return parseReply(await readJson(await apiFetch(FILES, { key, body: request, signal })), taskCreated)
    .task_id;
}

import { useEffect, useRef, useState } from "react";
import { sendAsIs } from "#components/api-client/service.ts";
import type { PlainRequest } from "./request-form.ts";

/** More of a reply is not read, bytes. */
export const MAX_BYTES = 16 * 2 ** 20;

export interface ReceivedReply {
  status: number;
  statusText: string;
  /** Media type. */
  type: string;
  headers: readonly (readonly [name: string, value: string])[];
  /** From the request to the last byte so far, milliseconds. */
  ms: number;
  content: Uint8Array<ArrayBuffer>;
  /** It is longer than what was read. */
  isCut: boolean;
}

export type Sending =
  | { is: "idle" }
  | { is: "waiting"; reply?: ReceivedReply }
  | { is: "replied"; reply: ReceivedReply }
  | { is: "failed" };

/** Headers that say something of the answer; others are the connection's. */
const shownHeaders = [
  "content-type",
  "location",
  "link",
  "etag",
  "retry-after",
  "ratelimit-policy",
  "ratelimit",
  "idempotent-replayed",
  "x-data-provenance",
  "x-data-age",
  "x-notification",
  "x-request-id",
];

/** Sends requests one at a time; what was sent before is left. */
export function useSend() {
  const [state, setState] = useState<Sending>({ is: "idle" });
  const running = useRef<AbortController>(undefined);
  const stop = () => running.current?.abort();
  useEffect(() => () => running.current?.abort(), []);
  /** @returns The reply; undefined where there is none, or it was stopped. */
  const send = async (request: PlainRequest, key: string | undefined): Promise<ReceivedReply | undefined> => {
    stop();
    const sent = new AbortController();
    running.current = sent;
    setState({ is: "waiting" });
    let last: ReceivedReply | undefined;
    try {
      for await (const reply of received(request, key, sent.signal)) {
        if (sent.signal.aborted) return undefined;
        last = reply;
        setState({ is: "waiting", reply });
      }
    } catch {
      if (running.current !== sent) return undefined;
      if (!last) {
        setState(sent.signal.aborted ? { is: "idle" } : { is: "failed" });
        return undefined;
      }
    }
    if (last) setState({ is: "replied", reply: last });
    return last;
  };
  return { state, send, stop };
}

/** The reply as it arrives: events at once, others when they are whole. */
async function* received(
  { method, target, headers, body }: PlainRequest,
  key: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<ReceivedReply> {
  const begin = performance.now();
  const answer = await sendAsIs(target, { method, headers, body, key, signal });
  const type = (answer.headers.get("content-type") ?? "").split(";")[0]!.trim();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const replySoFar = (): ReceivedReply => ({
    status: answer.status,
    statusText: answer.statusText,
    type,
    headers: shownHeaders.flatMap((name) => {
      const value = answer.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    }),
    ms: performance.now() - begin,
    content: joined(chunks, size),
    isCut: size >= MAX_BYTES,
  });
  const reader = answer.body?.getReader();
  while (reader && size < MAX_BYTES) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value as Uint8Array<ArrayBuffer>);
    size += value.length;
    if (type === "text/event-stream") yield replySoFar();
  }
  if (size >= MAX_BYTES) await reader?.cancel();
  yield replySoFar();
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

/** One server-sent event. */
export interface ServerEvent {
  event: string;
  data: string;
}

interface StreamListener {
  /** Receives the milliseconds after which the server wants the stream to be opened again, should it end. */
  onRetry?(milliseconds: number): void;
  /** Something came, be it a comment that keeps the connection open. */
  onBytes?(): void;
}

/**
 * Server-sent events (WHATWG HTML 9.2) of a response body. `EventSource` cannot send the API key in a header, so the stream
 * is read from a fetch.
 */
export async function* serverEvents(
  body: ReadableStream<Uint8Array>,
  { onRetry, onBytes }: StreamListener = {},
): AsyncGenerator<ServerEvent, void, undefined> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let text = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onBytes?.();
      text += value;
      const blocks = text.split(/\r?\n\r?\n/);
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        const event = eventOf(block, onRetry);
        if (event) yield event;
      }
    }
  } finally {
    // Whoever reads no further leaves no connection open.
    await reader.cancel().catch(() => undefined);
  }
}

/** @returns undefined for what has no data: a comment, which only keeps the stream open. */
function eventOf(block: string, onRetry?: (milliseconds: number) => void): ServerEvent | undefined {
  let event = "message";
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const [, field, value] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    if (field === "event") event = value ?? "";
    else if (field === "data") data.push(value ?? "");
    else if (field === "retry" && /^\d+$/.test(value ?? "")) onRetry?.(Number(value));
  }
  return data.length > 0 ? { event, data: data.join("\n") } : undefined;
}

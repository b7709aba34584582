/** One server-sent event. */
export interface ServerEvent {
  event: string;
  data: string;
}

/**
 * Server-sent events (WHATWG HTML 9.2) of a response body. `EventSource` cannot send the API key in a header, so the stream
 * is read from a fetch.
 *
 * @param onRetry Receives the milliseconds after which the server wants the stream to be opened again, should it end.
 */
export async function* serverEvents(
  body: ReadableStream<Uint8Array>,
  onRetry?: (milliseconds: number) => void,
): AsyncGenerator<ServerEvent> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    const blocks = text.split(/\r?\n\r?\n/);
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const event = eventOf(block, onRetry);
      if (event) yield event;
    }
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

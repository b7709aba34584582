import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from "node:http";
import { Socket } from "node:net";

/** Answers a request, as Next's handler does. */
export type Handle = (incoming: IncomingMessage, response: ServerResponse) => Promise<void>;

/** What was answered. */
export interface Rendered {
  status: number;
  headers: OutgoingHttpHeaders;
  body: Buffer;
}

/**
 * Lets Next answer a request of ours: nothing that a client sends reaches it but what is named here.
 *
 * @param url Path and query.
 */
export async function render(
  handle: Handle,
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<Rendered> {
  const incoming = new IncomingMessage(new Socket());
  Object.assign(incoming, {
    method: "GET",
    url,
    headers: { host: "localhost", accept: "text/html", ...headers },
  });
  incoming.push(null);
  const response = new CollectedResponse(incoming);
  await Promise.all([handle(incoming, response), response.collected]);
  return {
    status: response.statusCode,
    headers: response.getHeaders(),
    body: Buffer.concat(response.chunks),
  };
}

type Chunk = string | Uint8Array;
type Callback = (error?: Error | null) => void;

/** A response without a connection. */
class CollectedResponse extends ServerResponse {
  readonly chunks: Uint8Array[] = [];
  readonly #ended = Promise.withResolvers<void>();

  get collected(): Promise<void> {
    return this.#ended.promise;
  }

  override write(chunk: Chunk, encoding?: BufferEncoding | Callback, callback?: Callback): boolean {
    this.chunks.push(
      typeof chunk === "string"
        ? Buffer.from(chunk, typeof encoding === "string" ? encoding : "utf8")
        : chunk,
    );
    (typeof encoding === "function" ? encoding : callback)?.();
    return true;
  }

  override end(
    chunk?: Chunk | (() => void),
    encoding?: BufferEncoding | (() => void),
    callback?: () => void,
  ) {
    if (typeof chunk === "string" || chunk instanceof Uint8Array)
      this.write(chunk, typeof encoding === "string" ? encoding : undefined);
    this.finished = true;
    [chunk, encoding, callback].find((given) => typeof given === "function")?.();
    this.emit("finish");
    this.emit("close");
    this.#ended.resolve();
    return this;
  }
}

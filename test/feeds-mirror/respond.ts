import { createHash, randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import type { ResponseFault } from "./faults.ts";
import type { Piece } from "./published.ts";

/** A complete object in its present state. */
export interface Content {
  pieces: readonly Piece[];
  /** Identifies the content; different for every other content. */
  identity: string;
  /** Unix seconds. */
  lastModified: number;
  contentType: string;
  /** Pause before each part of a slow answer, real milliseconds. */
  slowPauseMs: number;
  /** Called with the number of bytes that the connection accepted. */
  sent(bytes: number): void;
}

/** First and last byte, both included. */
interface Range {
  from: number;
  to: number;
}

const SLOW_PARTS = 20;
/** Most bytes that are written to the connection at once. */
const MAX_PIECE_BYTES = 64 * 1024;

const notFound = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>NoSuchKey</Code><Message>The specified key does not exist.</Message></Error>`;
const slowDown = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>`;
const botPage = "<html><body>Please prove that you are not a robot.</body></html>";

/** Answers with a status and a short text. */
export function respondWith(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): number {
  const isXml = body.startsWith("<?xml");
  response.writeHead(status, {
    "content-type": isXml ? "application/xml" : "text/html",
    "content-length": Buffer.byteLength(body),
    ...headers,
  });
  response.end(response.req.method === "HEAD" ? undefined : body);
  return status;
}

/** Answers a request for an object that does not exist, or not yet. */
export function respondAbsent(response: ServerResponse): number {
  return respondWith(response, 404, notFound);
}

/** Answers with a fault that leaves nothing of the object. @returns undefined if the fault is not of this kind. */
export function respondWithFault(
  response: ServerResponse,
  fault: ResponseFault | undefined,
): number | undefined {
  switch (fault) {
    case "bot-page":
      return respondWith(response, 302, botPage, { location: "/robots/challenge.html" });
    case "forbidden":
      return respondWith(response, 403, "<html><body>Forbidden</body></html>");
    case "missing":
      return respondAbsent(response);
    case "throttled":
      return respondWith(response, 429, "Too Many Requests", { "retry-after": "20" });
    case "error":
      return respondWith(response, 500, "Internal Server Error");
    case "slow-down":
      return respondWith(response, 503, slowDown);
    default:
      return undefined;
  }
}

/** Answers a GET or HEAD as S3 does: one range per request, conditions by ETag. @returns The status. */
export async function respondWithContent(
  request: IncomingMessage,
  response: ServerResponse,
  content: Content,
  fault: ResponseFault | undefined,
): Promise<number> {
  const etag = `"${createHash("md5").update(content.identity).digest("hex")}"`;
  const { "if-match": ifMatch, "if-none-match": ifNoneMatch } = request.headers;
  response.setHeader("etag", etag);
  response.setHeader("last-modified", new Date(content.lastModified * 1000).toUTCString());
  response.setHeader("accept-ranges", "bytes");
  if (ifMatch !== undefined && ifMatch !== "*" && !ifMatch.includes(etag)) {
    return respondWith(response, 412, "Precondition Failed");
  }
  if (ifNoneMatch?.includes(etag)) {
    response.writeHead(304).end();
    return 304;
  }
  const total = content.pieces.reduce((sum, piece) => sum + piece.length(), 0);
  const range = rangeOf(request.headers.range, total);
  if (range === "unsatisfiable") {
    return respondWith(response, 416, "Range Not Satisfiable", { "content-range": `bytes */${total}` });
  }
  const { from, to } = range ?? { from: 0, to: total - 1 };
  const status = range === undefined ? 200 : 206;
  const length = fault === "wrong-length" ? Math.max(0, to - from + 1 - 7) : to - from + 1;
  response.writeHead(status, {
    "content-type": content.contentType,
    "content-length": length,
    ...(range === undefined ? {} : { "content-range": `bytes ${from}-${to}/${total}` }),
  });
  if (request.method === "HEAD") response.end();
  else await send(response, content, { from, to: from + length - 1 }, fault);
  return status;
}

/** Parses a Range header. Several ranges are answered with the whole object. */
function rangeOf(header: string | undefined, total: number): Range | undefined | "unsatisfiable" {
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(header ?? "") ?? [];
  if (first === "" && last === "") return undefined;
  if (first === "") return { from: Math.max(0, total - Number(last)), to: total - 1 };
  const from = Number(first);
  if (from >= total) return "unsatisfiable";
  return { from, to: last === "" ? total - 1 : Math.min(Number(last), total - 1) };
}

async function send(
  response: ServerResponse,
  content: Content,
  { from, to }: Range,
  fault: ResponseFault | undefined,
): Promise<void> {
  const end = fault === "cut" ? from + Math.floor((to - from) / 2) : to;
  try {
    await pipeline(partsOf(content, { from, to: end }, fault), response, { end: fault !== "cut" });
  } catch (error) {
    // The client may leave when it has seen enough.
    if (!response.destroyed) throw error;
  }
  // The socket is closed where the middle of the answer is.
  if (fault === "cut") response.destroy();
}

async function* partsOf(
  { pieces, slowPauseMs, sent }: Content,
  { from, to }: Range,
  fault: ResponseFault | undefined,
) {
  let offset = 0;
  for (const piece of pieces) {
    const start = offset;
    offset += piece.length();
    if (offset <= from || start > to) continue;
    const wanted = piece.bytes().subarray(Math.max(0, from - start), Math.min(offset, to + 1) - start);
    const bytes = fault === "garbage" ? randomBytes(wanted.length) : wanted;
    const size = Math.min(MAX_PIECE_BYTES, Math.ceil(bytes.length / (fault === "slow" ? SLOW_PARTS : 1)));
    for (let at = 0; at < bytes.length; at += size) {
      if (fault === "slow") await pause(slowPauseMs);
      const part = bytes.subarray(at, at + size);
      yield part;
      // The socket asks for more when it has accepted this part.
      sent(part.length);
    }
    // A message takes many milliseconds to compute, so other requests are answered in between.
    await nextTurn();
  }
}

import type { Transform } from "node:stream";
import { promisify } from "node:util";
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
  gzipSync,
} from "node:zlib";

/** Shorter bodies gain nothing. */
export const MIN_BYTES = 1024;

/** Up to here compressing at once is cheaper than a trip to another thread. */
const MAX_BYTES_AT_ONCE = 16 * 1024;

const TEXT = /^(?:text\/|image\/svg\+xml|application\/(?:[\w.-]+\+)?(?:json|xml|x-ndjson|javascript))/;

export type Encoding = "br" | "gzip";

/** Whether a media type is worth compressing: numbers and images of ours are packed already. */
export function isCompressible(type: string | undefined): boolean {
  return type !== undefined && TEXT.test(type);
}

/**
 * What to compress with; brotli where the client likes both as well.
 *
 * @param atHand What the body is compressed with already: it goes before what the client likes better.
 */
export function chosenEncoding(acceptEncoding: string | undefined, atHand?: Encoding): Encoding | undefined {
  if (!acceptEncoding) return undefined;
  const qualities = new Map<string, number>();
  for (const part of acceptEncoding.toLowerCase().split(",")) {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim());
    const weight = parameters.find((parameter) => parameter.startsWith("q="));
    qualities.set(name, weight ? Number(weight.slice(2)) || 0 : 1);
  }
  const wish = (name: string) => qualities.get(name) ?? qualities.get("*") ?? 0;
  const [br, gz] = [wish("br"), Math.max(wish("gzip"), qualities.get("x-gzip") ?? 0)];
  if (br === 0 && gz === 0) return undefined;
  if (atHand && (atHand === "br" ? br : gz) > 0) return atHand;
  return br >= gz ? "br" : "gzip";
}

// The cheapest levels: level 6 takes eight seconds for a large grid, and gains little.
const gzipOptions = { level: 1 };
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };

const gzipLater = promisify<Uint8Array, object, Buffer>(gzip);
const brotliLater = promisify<Uint8Array, object, Buffer>(brotliCompress);

/** Compresses a whole body; a large one in another thread. */
export function compress(body: Uint8Array, encoding: Encoding): Buffer | Promise<Buffer> {
  if (body.length <= MAX_BYTES_AT_ONCE) {
    return encoding === "br" ? brotliCompressSync(body, brotliOptions) : gzipSync(body, gzipOptions);
  }
  return encoding === "br" ? brotliLater(body, brotliOptions) : gzipLater(body, gzipOptions);
}

export function compressor(encoding: Encoding): Transform {
  return encoding === "br" ? createBrotliCompress(brotliOptions) : createGzip(gzipOptions);
}

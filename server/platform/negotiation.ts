import { readDecimal } from "#lib/decimal.ts";

export type Encoding = "br" | "gzip";

/**
 * Chooses the media type of an answer (RFC 9110, 12.5.1).
 *
 * @param accept The Accept header.
 * @param offered Types that the operation can write, the default first. Of equally preferred types the first wins.
 * @returns The default where nothing fits: a request for an unknown type is answered, not refused.
 */
export function preferredType(accept: string | undefined, offered: readonly [string, ...string[]]): string {
  const fallback = offered[0];
  if (!accept || accept === "*/*" || offered.length === 1) return fallback;
  const qualities = qualitiesOf(accept);
  let best = { type: fallback, quality: 0 };
  for (const type of offered) {
    const family = `${type.slice(0, type.indexOf("/"))}/*`;
    // The most specific range counts.
    const quality = qualities.get(type) ?? qualities.get(family) ?? qualities.get("*/*") ?? 0;
    if (quality > best.quality) best = { type, quality };
  }
  return best.type;
}

/**
 * Chooses the content encoding of an answer; brotli where the client prefers none.
 *
 * @param acceptEncoding The Accept-Encoding header.
 * @param stored Encoding in which the body is stored. It is chosen whenever the client accepts it.
 * @returns undefined for an uncompressed body.
 */
export function preferredEncoding(
  acceptEncoding: string | undefined,
  stored?: Encoding,
): Encoding | undefined {
  if (!acceptEncoding) return undefined;
  const qualities = qualitiesOf(acceptEncoding);
  const qualityOf = (name: string) => qualities.get(name) ?? qualities.get("*") ?? 0;
  const br = qualityOf("br");
  const gzip = Math.max(qualityOf("gzip"), qualities.get("x-gzip") ?? 0);
  if (br === 0 && gzip === 0) return undefined;
  if (stored && (stored === "br" ? br : gzip) > 0) return stored;
  return br >= gzip ? "br" : "gzip";
}

/**
 * Whether an If-None-Match header names a representation. The comparison is weak, so the encoding does not matter.
 *
 * @param etag The ETag with its quotes.
 */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const opaque = (tag: string) => tag.trim().replace(/^W\//, "");
  return ifNoneMatch.split(",").some((tag) => [opaque(etag), "*"].includes(opaque(tag)));
}

/** Parses the ranges of an Accept header in lower case, with their qualities. An unreadable quality is 0. */
function qualitiesOf(header: string): Map<string, number> {
  const qualities = new Map<string, number>();
  for (const entry of header.toLowerCase().split(",")) {
    const [range = "", ...parameters] = entry.split(";").map((text) => text.trim());
    if (qualities.has(range)) continue;
    const weight = parameters.find((parameter) => parameter.startsWith("q="));
    const quality = weight ? readDecimal(weight.slice(2)) : 1;
    qualities.set(range, quality >= 0 && quality <= 1 ? quality : 0);
  }
  return qualities;
}

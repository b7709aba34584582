import type { ServerResponse } from "node:http";

/** Headers of every reply outside the API. */
const commonHeaders = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), payment=(), usb=()",
};

/** Policy of everything but a page: no inline script runs. */
export const strictPolicy = policyOf("script-src 'self'", "style-src 'self'");

/**
 * Policy for development: the bundler evaluates text, writes scripts and styles into the page, and keeps a socket open.
 */
export const developmentPolicy = (tileOrigins: readonly string[]) =>
  policyOf("script-src 'self' 'unsafe-inline' 'unsafe-eval'", "style-src 'self' 'unsafe-inline'", [
    "ws:",
    ...tileOrigins,
  ]);

/**
 * Policy of a page: only our own scripts and those with its nonce run, and no other host is contacted but those of tiles.
 *
 * @param tileOrigins Origins of the tiles that the operator has added to the map.
 */
export const policyWithNonce = (nonce: string, tileOrigins: readonly string[] = []) =>
  policyOf(`script-src 'self' 'nonce-${nonce}'`, `style-src 'self' 'nonce-${nonce}'`, tileOrigins);

/** @param connect Further sources of what scripts fetch; the map fetches tiles and decodes them itself. */
function policyOf(scripts: string, styles: string, connect: readonly string[] = []): string {
  return [
    "default-src 'self'",
    scripts,
    styles,
    // Libraries position elements by style attributes, which cannot load anything that the rest of the policy forbids.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    // The map reads the coast from a blob, which only the page itself can create.
    ["connect-src 'self' blob:", ...connect].join(" "),
    // The map starts its workers from blobs.
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

export function setHeaders(response: ServerResponse, contentSecurityPolicy: string): void {
  response.setHeader("content-security-policy", contentSecurityPolicy);
  for (const [name, value] of Object.entries(commonHeaders)) response.setHeader(name, value);
}

/** Sends a sentence in place of a page. */
export function sendText(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { ...headers, "content-type": "text/plain; charset=utf-8" }).end(`${text}\n`);
}

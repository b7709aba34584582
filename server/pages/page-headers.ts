import type { ServerResponse } from "node:http";

/** On every reply beside the API. */
const commonHeaders = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), payment=(), usb=()",
};

/** The policy of everything but a page: no script of its own runs. */
export const strictPolicy = policyOf("script-src 'self'", "style-src 'self'");

/** The development bundler evaluates text, writes scripts and styles into the page, and keeps a socket open. */
export const developmentPolicy = policyOf(
  "script-src 'self' 'unsafe-inline' 'unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  " ws:",
);

/** The policy of a page: only scripts of ours run, and those that are written into it with its nonce. No other host for anything. */
export const policyWithNonce = (nonce: string) =>
  policyOf(`script-src 'self' 'nonce-${nonce}'`, `style-src 'self' 'nonce-${nonce}'`);

function policyOf(scripts: string, styles: string, connect = ""): string {
  return [
    "default-src 'self'",
    scripts,
    styles,
    // Libraries position elements by style attributes, which can load nothing that the rest of the policy forbids.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    // The map reads the coast from a blob, which only the page itself can create.
    `connect-src 'self' blob:${connect}`,
    // The map starts its workers from blobs.
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** Sets what every reply beside the API has. */
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

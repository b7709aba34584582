import { randomBytes } from "node:crypto";

/** Headers of a page, and the policy from which Next reads the nonce for its own scripts. */
export interface PageHeaders {
  contentSecurityPolicy: string;
  others: Readonly<Record<string, string>>;
}

const others = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), payment=(), usb=()",
};

/**
 * The strict policy of one page: only our own scripts with this page's nonce, and no other host for anything.
 *
 * @param development The development bundler evaluates text and keeps a socket open.
 */
export function pageHeaders(development: boolean): PageHeaders {
  const nonce = randomBytes(16).toString("base64");
  const contentSecurityPolicy = [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'${development ? " 'unsafe-eval'" : ""}`,
    // Libraries position elements by style attributes, which can load nothing that the rest of the policy forbids.
    `style-src 'self' ${development ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    // The map reads the coast from a blob, which only the page itself can create.
    `connect-src 'self' blob:${development ? " ws:" : ""}`,
    // The map starts its workers from blobs.
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
  return { contentSecurityPolicy, others };
}

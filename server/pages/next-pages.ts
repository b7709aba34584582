import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import path from "node:path";
import { ConfigError } from "#server/platform/env.ts";
import { parseTarget } from "#server/platform/request-target.ts";
import { developmentPolicy, policyWithNonce, sendText, setHeaders, strictPolicy } from "./page-headers.ts";
import { servedFiles } from "./static-files.ts";

/** The pages, rendered by Next inside our own server. */
export interface Pages {
  answer(incoming: IncomingMessage, response: ServerResponse): Promise<void>;
  close(): Promise<void>;
}

/** Limits the page requests of each visitor. */
export interface Visitors {
  /** An address, or a group of addresses that count together. */
  nameOf(incoming: IncomingMessage): string;
  /** Counts a request for a page. @returns Seconds to wait, if this request is one too many. */
  secondsToWait(visitor: string): Promise<number | undefined>;
}

/** @throws ConfigError where the pages have not been built. */
export function refuseMissingBuild(folder: string): void {
  if (!existsSync(path.join(folder, ".next", "BUILD_ID")))
    throw new ConfigError(`The pages are not built in ${path.join(folder, ".next")}: npm start builds them.`);
}

/**
 * Opens the pages that `next build` has built.
 *
 * @param folder Root of the project.
 * @param keepsOffline Whether browsers keep the pages for use without a network (public/sw.js).
 * @param tileOrigins Other origins from which the map may read tiles.
 */
export async function openPages(
  folder: string,
  development: boolean,
  visitors: Visitors,
  keepsOffline: boolean,
  tileOrigins: readonly string[],
): Promise<Pages> {
  // Next reads NODE_ENV when it is loaded, so it is loaded after NODE_ENV is set.
  const { default: next } = await import("next");
  const app = next({ dev: development, dir: folder });
  await app.prepare();
  const handle = app.getRequestHandler();
  const close = () => app.close();
  if (development) {
    return {
      close,
      async answer(incoming, response) {
        setHeaders(response, developmentPolicy(tileOrigins));
        await handle(incoming, response);
      },
    };
  }
  const serveFile = servedFiles(path.join(folder, ".next", "served"));
  return {
    close,
    async answer(incoming, response) {
      setHeaders(response, strictPolicy);
      if (incoming.method !== "GET" && incoming.method !== "HEAD") {
        sendText(response, 405, "Pages are only read.", { allow: "GET, HEAD" });
        return;
      }
      const { path: asked } = parseTarget(incoming.url ?? "/");
      if (!keepsOffline && asked === SERVICE_WORKER) {
        response.writeHead(200, { "content-type": "text/javascript; charset=utf-8" }).end(serviceWorkerEnd);
        return;
      }
      if (await serveFile(incoming, response)) return;
      // Files of the build were served above. Next's other addresses below this path are not used.
      if (asked.startsWith("/_next/")) {
        sendText(response, 404, "Not Found");
        return;
      }
      const seconds = await visitors.secondsToWait(visitors.nameOf(incoming));
      if (seconds !== undefined) {
        sendText(response, 429, `Too many pages in a short time. Please try again in ${seconds} seconds.`, {
          "retry-after": String(seconds),
        });
        return;
      }
      await handle(withNonce(incoming, response, tileOrigins), response);
    },
  };
}

/**
 * Gives a page a nonce for the scripts that Next writes into it. Next reads it from the policy in the headers of the
 * request, app/layout.tsx from `x-nonce`. Values that a client sends in these headers are replaced.
 */
function withNonce(
  incoming: IncomingMessage,
  response: ServerResponse,
  tileOrigins: readonly string[],
): IncomingMessage {
  const nonce = randomBytes(16).toString("base64");
  const policy = policyWithNonce(nonce, tileOrigins);
  setHeaders(response, policy);
  response.setHeader("cache-control", "private, no-cache");
  response.setHeader("vary", "accept-language, cookie");
  Object.assign(incoming.headers, { "content-security-policy": policy, "x-nonce": nonce });
  return incoming;
}

/** How long a request for a page waits while the pages open, milliseconds; this takes seconds on a busy machine. */
const MAX_WAIT_MS = 4000;

/** Answers a request for a page, or replies 503 with a sentence if the pages take too long to open. */
export async function answerWhenOpen(
  opening: Promise<Pages>,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), MAX_WAIT_MS);
  });
  const pages = await Promise.race([opening, late]).finally(() => clearTimeout(timer));
  if (pages) return pages.answer(incoming, response);
  setHeaders(response, strictPolicy);
  const headers = { "cache-control": "no-store", "retry-after": "2" };
  sendText(response, 503, "The service has just started. Please load the page again.", headers);
}

/** Path of the service worker (public/sw.js). */
const SERVICE_WORKER = "/sw.js";

/**
 * Replaces the service worker of a browser that checks for a newer one: it deletes the pages that the old one stored
 * and unregisters itself.
 */
export const serviceWorkerEnd = `\
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) =>
  event.waitUntil(
    caches
      .keys()
      .then((names) => names.filter((name) => name.startsWith("metocean-shell-")))
      .then((kept) => Promise.all(kept.map((name) => caches.delete(name))))
      .then(() => self.registration.unregister()),
  ),
);
`;

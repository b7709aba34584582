import type { IncomingMessage, ServerResponse } from "node:http";
import path from "node:path";
import { pageHeaders } from "./page-headers.ts";
import { servedFiles } from "./static-files.ts";

/** The pages, rendered by Next inside our own server. */
export interface Pages {
  answer(incoming: IncomingMessage, response: ServerResponse): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the pages that `next build` has built.
 *
 * @param folder Root of the project.
 */
export async function openPages(folder: string, development: boolean): Promise<Pages> {
  // Next chooses its build by NODE_ENV when it is loaded, so that it is loaded after NODE_ENV is set.
  const { default: next } = await import("next");
  const app = next({ dev: development, dir: folder });
  await app.prepare();
  const handle = app.getRequestHandler();
  // In development files change.
  const serveFile = development ? undefined : servedFiles(path.join(folder, ".next", "served"));
  return {
    async answer(incoming, response) {
      const { contentSecurityPolicy, others } = pageHeaders(development);
      // Next reads the nonce of its scripts from the request's policy.
      incoming.headers["content-security-policy"] = contentSecurityPolicy;
      response.setHeader("content-security-policy", contentSecurityPolicy);
      for (const [name, value] of Object.entries(others)) response.setHeader(name, value);
      if (!development && incoming.method !== "GET" && incoming.method !== "HEAD") {
        response.writeHead(405, { allow: "GET, HEAD", "content-type": "text/plain" });
        response.end("Pages are only read.\n");
        return;
      }
      if (await serveFile?.(incoming, response)) return;
      await handle(incoming, response);
    },
    close: () => app.close(),
  };
}

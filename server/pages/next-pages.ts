import { existsSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import path from "node:path";
import { LANGUAGE_COOKIE } from "#lib/messages/language.ts";
import { monotonicMs } from "#server/platform/clock.ts";
import { ConfigError } from "#server/platform/env.ts";
import { parseTarget } from "#server/platform/request-target.ts";
import { firstScripts } from "./first-script.ts";
import { madePages, type Reader } from "./made-pages.ts";
import { developmentPolicy, strictPolicy } from "./page-headers.ts";
import { sendText, setHeaders } from "./page-replies.ts";
import { render } from "./render.ts";
import { SERVICE_WORKER, serviceWorkerEnd } from "./service-worker-end.ts";
import { sendSharedFile } from "./shared-file-reply.ts";
import type { SharedFiles } from "./shared-files.ts";
import { servedFiles } from "./static-files.ts";

/** Path of the map, the page with the first conditions. */
const MAP_PAGE = "/";

/** The pages, made by Next inside our own server. */
export interface Pages {
  answer(incoming: IncomingMessage, response: ServerResponse): Promise<void>;
  close(): Promise<void>;
}

/** Whom requests for pages count for. */
export interface Visitors {
  /** An address, or a group of them. */
  nameOf(incoming: IncomingMessage): string;
  /** Counts a request for a page. @returns Seconds until the next one is answered, if this one is too many. */
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
 * @param keepsOffline Whether browsers keep the pages (public/sw.js).
 * @param shared Files of other builds, and of this one for them.
 * @param operations The pages of operations there are: what `[operation]` in a path may be.
 */
export async function openPages(
  folder: string,
  development: boolean,
  visitors: Visitors,
  keepsOffline: boolean,
  shared: Pick<SharedFiles, "keep" | "find">,
  operations: readonly string[],
): Promise<Pages> {
  // Next chooses its build by NODE_ENV when it is loaded, so that it is loaded after NODE_ENV is set.
  const { default: next } = await import("next");
  const app = next({ dev: development, dir: folder });
  await app.prepare();
  const handle = app.getRequestHandler();
  const close = () => app.close();
  if (development) {
    return {
      close,
      async answer(incoming, response) {
        setHeaders(response, developmentPolicy);
        await handle(incoming, response);
      },
    };
  }
  const build = path.join(folder, ".next");
  const served = path.join(build, "served");
  // Before anybody is sent a page of this build, whose files another replica may be asked for.
  await shared.keep(served);
  const serveFile = servedFiles(served);
  const withFirstScript = firstScripts(build);
  const make = async (url: string, { language, theme }: Reader) => {
    const cookies = [`${LANGUAGE_COOKIE}=${language}`, ...(theme === undefined ? [] : [`theme=${theme}`])];
    // By this name Next puts the title into the head and not behind it: htmlLimitedBots of next.config.mjs.
    const page = await render(handle, url, { cookie: cookies.join("; "), "user-agent": "pages" });
    if (parseTarget(url).path !== MAP_PAGE || page.status !== 200) return page;
    return { ...page, body: Buffer.from(withFirstScript(page.body.toString(), language)) };
  };
  const answerPage = madePages({
    paths: pathsOf(build, operations),
    make,
    visitorOf: visitors.nameOf,
    elapsed: monotonicMs,
  });
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
      // Files of this build are served above; nothing else that Next has there is used.
      const isBuilt = asked.startsWith("/_next/");
      const seconds = await visitors.secondsToWait(visitors.nameOf(incoming));
      if (seconds !== undefined) {
        sendText(response, 429, `Too many pages in a short time. Please try again in ${seconds} seconds.`, {
          "retry-after": String(seconds),
        });
        return;
      }
      if (!isBuilt) return answerPage(incoming, response);
      const file = await shared.find(asked).catch(() => undefined);
      if (file && (await sendSharedFile(asked, file, incoming, response))) return;
      sendText(response, 404, "Not Found");
    },
  };
}

/** Paths of what was built: pages, and the files that Next makes. */
function pathsOf(build: string, operations: readonly string[]): Set<string> {
  const file = path.join(build, "app-path-routes-manifest.json");
  const routes: Record<string, string> = JSON.parse(readFileSync(file, "utf8"));
  const pages = Object.values(routes).filter((route) => !route.startsWith("/_"));
  // Any other path of this form is unknown: it is not made, and takes no place among the made pages.
  const own = (route: string) => operations.map((name) => route.replace("[operation]", name));
  return new Set(pages.flatMap((route) => (route.includes("[operation]") ? own(route) : route)));
}

import { existsSync, readFileSync } from "node:fs";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import path from "node:path";
import { LANGUAGE_COOKIE, type Language, languages } from "#lib/messages/language.ts";
import { monotonicMs } from "#server/platform/clock.ts";
import { ConfigError } from "#server/platform/env.ts";
import { parseTarget } from "#server/platform/request-target.ts";
import { madePages, type Reader, type Rendered } from "./made-pages.ts";
import { developmentPolicy, sendText, setHeaders, strictPolicy } from "./page-headers.ts";
import { type SharedFiles, sendSharedFile } from "./shared-files.ts";
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

/** How long a request for a page waits while the pages open, milliseconds: on a busy machine that takes seconds. */
const MAX_WAIT_MS = 4000;

/** Answers a request for a page; where the pages take long to open, with 503 and words instead. */
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

/**
 * Puts the script that shows the first conditions (scripts/first-number.mjs) into a page: at the start of its head, because
 * a script behind a style sheet waits for that. The page has its hash in its policy like those of its other scripts.
 *
 * @param build Folder of the build.
 */
export function firstScripts(build: string): (html: string, language: Language) => string {
  const read = (language: Language) =>
    [language, readFileSync(path.join(build, "first-number", `${language}.js`), "utf8")] as const;
  const scripts = new Map(languages.map(read));
  return (html, language) =>
    html.replace(
      "<head>",
      (head) => `${head}<meta charset="utf-8"/><script>${scripts.get(language)}</script>`,
    );
}

/** Answers a request, as Next's handler does. */
export type Handle = (incoming: IncomingMessage, response: ServerResponse) => Promise<void>;

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

/** Path of the service worker (public/sw.js). */
const SERVICE_WORKER = "/sw.js";

/**
 * Takes the place of the service worker that a browser has, when that asks for a newer one: it deletes the pages that were
 * kept, and itself.
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

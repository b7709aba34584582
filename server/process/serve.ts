import type { IncomingMessage, Server } from "node:http";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { originOf } from "#lib/contract/tile-overlay.ts";
import { formatInstant } from "#lib/time.ts";
import { openContext } from "#server/context.ts";
import { addressGroup, clientAddress } from "#server/http/client-address.ts";
import { Connections } from "#server/http/connections.ts";
import { guestsNow } from "#server/http/guests.ts";
import { httpServer, timeouts } from "#server/http/http-server.ts";
import { headersOf } from "#server/http/node-exchange.ts";
import { BodyMemory } from "#server/http/request-body.ts";
import { createApp } from "#server/operations/app.ts";
import { shareApp } from "#server/operations/next-app.ts";
import {
  answerWhenOpen,
  openPages,
  type Pages,
  refuseMissingBuild,
  type Visitors,
} from "#server/pages/next-pages.ts";
import { ConfigError, type Env, settleLibraries } from "#server/platform/env.ts";
import { CannotListenError, listen } from "#server/platform/listen.ts";
import { createLogger, type Logger, requestLog, standardOutput } from "#server/platform/log.ts";
import { storeCompileCache } from "#server/platform/process-settings.ts";
import { cannotBeUsed } from "#server/platform/usable-folder.ts";
import { checkedEnv, exitWithConfigError, fetchesFeeds } from "./checked-env.ts";
import { drain, GRACE_MS } from "./drain.ts";
import { startFeedsProcess } from "./feeds-process.ts";
import { joinSupervisor } from "./member.ts";
import { sideServer } from "./side-server.ts";
import { startupBanner } from "./startup-banner.ts";

/** Root of the project, where `.next` and package.json are. */
const root = path.resolve(import.meta.dirname, "../..");

/** Limit of one address for pages, without their files. */
const pageLimit = { count: 600, periodSeconds: 60, text: "600 per 1 minute" };

/**
 * Delay before the pages are opened, milliseconds. Opening them blocks the request thread for a few tenths of a second,
 * so the first requests after the start come first.
 */
const PAGES_MS = 500;

/** Longest time for closing after the requests in progress have ended, milliseconds. */
const CLOSE_MS = 15_000;

const env = checkedEnv();
const secrets = env.bootstrapKeys.map(({ text }) => text);
const member = joinSupervisor(() => void stop("SIGTERM").catch((error) => die(log, error, "closing failed")));
const pid = member && process.pid;
const output = standardOutput(member !== undefined);
const log = createLogger(env.logLevel, secrets, output, pid);
const accessLog = requestLog(env.logLevel, secrets, output, pid);
// This listener runs before that of the output, which writes what it has received until then.
process.prependListener("exit", accessLog.flush);

for (const event of ["uncaughtException", "unhandledRejection"] as const) {
  process.on(event, (error) => die(log, error, event));
}

const draining = new AbortController();
let stopping = false;
const started = start(env, log).catch((error: unknown) => {
  if (error instanceof ConfigError) exitWithConfigError(error);
  die(log, error, "the server could not start");
});
// The signals are also handled during the start, so that everything that was opened is closed.
for (const signal of ["SIGTERM", "SIGINT"] as const) {
  // A terminal sends SIGINT to all processes, but only the supervisor decides when they stop.
  if (member && signal === "SIGINT") process.on(signal, () => {});
  else process.on(signal, () => void stop(signal).catch((error) => die(log, error, "closing failed")));
}

/** @returns Closes what was opened. */
async function start(env: Env, log: Logger): Promise<() => Promise<void>> {
  settleLibraries(env);
  // Only the first of several processes logs retired settings.
  if ((member?.number ?? 1) === 1) for (const sentence of env.retired) log.warn({}, sentence);
  const fetches = fetchesFeeds(env);
  if (env.role === "ingest") {
    if (!fetches)
      throw new ConfigError(`ROLE=ingest fetches feeds, and FEEDS=${env.feeds.enabled} names none`);
    console.log("Open MetOcean fetches feeds and serves no requests.");
    const feeds = startFeedsProcess(log);
    return () => feeds.close();
  }
  const { context, keyToShow } = await openContext(env, log, {
    draining: draining.signal,
    number: member?.number,
  }).catch(nameDataDir);
  if (stopping) return () => context.close();
  if (member) context.metrics = member.shareMetrics(context.metrics);
  const app = createApp(context);
  shareApp(app);
  // Only the first of several processes computes tasks, in as many threads as a single process has.
  if (env.role !== "web" && (member?.number ?? 1) === 1) await context.work();
  const { trustedProxies } = env;
  const bodies = new BodyMemory(env.memory.bodyBytes.all, env.memory.bodyBytes.ofAddress);
  const connections = new Connections(env.connections);
  const common = {
    log,
    accessLog,
    observe: context.metrics.served,
    trustedProxies,
    bodies,
    connections,
    draining: draining.signal,
  };
  const servers: Server[] = [];
  if (typeof env.metricsPort === "number") {
    const side = sideServer(context, common);
    await listenOrExit(side, env.metricsPort);
    servers.push(side);
  }
  const takeOut = (drainSeconds: number) =>
    drain({
      draining,
      unnoticed: () => wait(1000 * drainSeconds),
      servers,
      tasks: context.tasks,
      streams: context.taskEvents,
    });
  if (env.role === "worker") {
    console.log("Open MetOcean computes tasks and serves no requests.");
    return async () => {
      // This process has no listening port, so no requests can arrive.
      await takeOut(0);
      await context.close();
    };
  }
  const visitors: Visitors = {
    nameOf: (incoming) => addressGroup(clientAddress(incoming, trustedProxies)),
    async secondsToWait(visitor) {
      const { allowed, resetSeconds } = await context.limiter.take(`pages:${visitor}`, pageLimit);
      return allowed ? undefined : resetSeconds;
    },
  };
  if (!env.development) refuseMissingBuild(root);
  let opening: Promise<Pages> | undefined;
  const openedPages = () => {
    opening ??= openPages(root, env.development, visitors, env.offlinePages, [
      ...new Set(context.tileOverlays.map(originOf)),
    ]);
    return opening;
  };
  // Next listens to the server's upgrade requests, so it opens before the server.
  if (env.development) await openedPages();
  context.metrics.gauge(
    "request_bodies_bytes",
    "Memory of large request bodies that arrive or are read, bytes",
    () => bodies.used,
  );
  const { gauge } = context.metrics;
  gauge("connections_open", "Open connections of clients", () => connections.open);
  gauge(
    "connections_refused",
    "Connections refused because of the limits, since the start",
    () => connections.refused,
  );
  gauge(
    "connections_cut",
    "Connections closed because their clients did not read, since the start",
    () => connections.cut,
  );
  const page: Pages["answer"] = async (incoming, response) => {
    const open = isForGuests(incoming) ? await guestsNow(context.guests) : undefined;
    const cookie = open?.mode === "map" && open.cookieFor(headersOf(incoming));
    if (cookie) response.setHeader("set-cookie", cookie);
    return answerWhenOpen(openedPages(), incoming, response);
  };
  // In development, Next reloads edited pages through a WebSocket.
  const server = httpServer({ ...common, router: app.router, page }, timeouts, env.development);
  servers.unshift(server);
  const port = await listenOrExit(server, env.port);

  /** Closes what was opened if the port cannot be used. */
  async function listenOrExit(each: Server, port: number): Promise<number> {
    try {
      return await listen(each, port, env.host);
    } catch (error) {
      if (!(error instanceof CannotListenError)) throw error;
      console.error(error.message);
      await context.close();
      process.exit(1);
    }
  }

  if (member) member.listening(port, keyToShow);
  else
    console.log(
      startupBanner({
        host: env.host,
        port,
        key: keyToShow,
        time: formatInstant(context.weather.now()),
        feeds: env.feeds.enabled,
        guests: env.guests,
      }),
    );
  log.info({ host: env.host, port }, "listening");
  // The API starts without the pages, which take half as long to open as everything else. A request for a page waits
  // for them.
  const openingPages = setTimeout(() => {
    openedPages().then(storeCompileCache, (error: unknown) => die(log, error, "the pages cannot be opened"));
  }, PAGES_MS);
  const feeds = fetches && !member ? startFeedsProcess(log) : undefined;

  return async () => {
    const feedsClosed = feeds?.close();
    const finished = await takeOut(env.drainSeconds);
    await feedsClosed;
    clearTimeout(openingPages);
    await opening?.then((pages) => pages.close());
    await context.close();
    log.info({ finished }, "closed");
  };
}

function isMapPage({ method, url }: IncomingMessage): boolean {
  return method === "GET" && (url === "/" || url?.startsWith("/?") === true);
}

/** Whether visitors may open the page without a key: the map and the status of the feeds. */
function isForGuests(incoming: IncomingMessage): boolean {
  return isMapPage(incoming) || /^\/status(\?|$)/.test(incoming.url ?? "");
}

/** Shuts down in order at the first signal, and at once at the second. */
async function stop(signal: string): Promise<void> {
  if (stopping && member) return;
  if (stopping) process.exit(130);
  stopping = true;
  log.info({ signal }, "closing");
  const longestMs = 1000 * env.drainSeconds + GRACE_MS + CLOSE_MS;
  const late = new Error(`this took more than ${longestMs / 1000} s`);
  // An operation that another machine never ends must not keep a stopping process alive.
  setTimeout(() => die(log, late, "closing was given up"), longestMs).unref();
  await (await started)();
  process.exit(0);
}

/**
 * Replaces the error of a file or folder inside DATA_DIR that belongs to another user or is of the wrong kind by one
 * that names DATA_DIR.
 */
async function nameDataDir(error: NodeJS.ErrnoException): Promise<never> {
  if (error.path && ["EACCES", "EEXIST", "ELOOP", "ENOTDIR", "EPERM", "EROFS"].includes(error.code ?? ""))
    throw await cannotBeUsed(env.dataDir, `DATA_DIR=${env.dataDir}`, error);
  throw error;
}

/** Ends a process whose state is unknown; its supervisor starts a new one. */
function die(log: Logger, error: unknown, what: string): never {
  log.fatal({ err: error }, what);
  console.error(`The server stops: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}

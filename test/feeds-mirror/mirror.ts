import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Fault, type FaultName, Faults, type ResponseFault } from "./faults.ts";
import { hosts } from "./hosts.ts";
import type { Planet } from "./planet.ts";
import type { Published } from "./published.ts";
import { respondAbsent, respondWith, respondWithContent, respondWithFault } from "./respond.ts";

export interface MirrorOptions {
  /** The mirror's clock, Unix seconds. Objects that are published later are absent. */
  now: () => number;
  planet?: Partial<Planet>;
  /** Pause before each of the twenty parts of a slow answer, real milliseconds. */
  slowPauseMs?: number;
  schedule?: (now: number) => readonly Fault[];
}

export interface Logged {
  /** Time by the mirror's clock, Unix seconds. */
  at: number;
  method: string;
  /** "/host/path?query". */
  url: string;
  range: string | undefined;
  /** Status; 0 until the answer is complete. */
  status: number;
  /** Bytes of its body that the connection accepted. */
  sent: number;
  /** Faults of the answer. */
  faults: readonly FaultName[];
}

export interface Mirror {
  /** Value for FEED_MIRROR. */
  url: string;
  faults: Faults;
  log: Logged[];
  close(): Promise<void>;
}

const SLOW_PAUSE_MS = 500;
const HOUR_S = 3600;
const CLOCK_SKEW_S = 26 * HOUR_S;
/** Number of requests that are recorded. */
const LONGEST_LOG = 100_000;
const LONGEST_BODY = 1 << 16;

/** Starts the mirror on loopback. @param port 0 for any free port. */
export async function startMirror(options: MirrorOptions, port = 0): Promise<Mirror> {
  const { slowPauseMs = SLOW_PAUSE_MS } = options;
  const planet: Planet = { resolution: 0.25, ...options.planet };
  const faults = new Faults();
  const log: Logged[] = [];
  let scheduled = Number.NEGATIVE_INFINITY;

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const now = options.now();
    const target = new URL(request.url ?? "/", "http://mirror");
    if (await control(request, response, target.pathname, { faults, log, now })) return;
    const hour = Math.floor(now / HOUR_S);
    if (hour !== scheduled) {
      scheduled = hour;
      for (const fault of options.schedule?.(now) ?? []) faults.add(fault);
    }
    const name = decodeURIComponent(target.pathname);
    const [, host = "", path = "/"] = /^\/([^/]+)(\/.*)?$/.exec(name) ?? [];
    const published = planet.objects
      ? givenObject(planet.objects.get(`${host}${path}`))
      : hosts[host]?.({ path, query: target.searchParams, now }, planet);
    const object = published?.indexOf === undefined ? name : `/${host}${published.indexOf}`;
    const fault = faults.forResponse(name, now);
    // An absent object cannot be damaged.
    const isThere = published !== undefined && now >= published.from && now < (published.until ?? now + 1);
    const lasting = isThere ? faults.namesOf(object, now) : [];
    const entry: Logged = {
      at: now,
      method: request.method ?? "GET",
      url: `${name}${target.search}`,
      range: request.headers.range,
      status: 0,
      sent: 0,
      faults: published === undefined ? [] : fault === undefined ? lasting : [fault, ...lasting],
    };
    log.push(entry);
    if (log.length > LONGEST_LOG) log.splice(0, LONGEST_LOG / 2);
    entry.status = await respond(
      request,
      response,
      { published, fault, now, name, object, slowPauseMs, entry },
      faults,
    );
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (!response.headersSent) respondWith(response, 500, String(error));
      else response.destroy();
      process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    log,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function givenObject(bytes: Uint8Array | undefined): Published | undefined {
  return bytes && { from: 0, pieces: () => [{ length: () => bytes.length, bytes: () => bytes }] };
}

interface Asked {
  published: Published | undefined;
  fault: ResponseFault | undefined;
  now: number;
  name: string;
  object: string;
  slowPauseMs: number;
  entry: Logged;
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  { published, fault, now, name, object, slowPauseMs, entry }: Asked,
  faults: Faults,
): Promise<number> {
  const skew = fault === "clock-skew" ? CLOCK_SKEW_S : 0;
  response.setHeader("date", new Date((now - skew) * 1000).toUTCString());
  const failed = respondWithFault(response, fault);
  if (failed !== undefined) return failed;
  if (published === undefined || now < published.from) return respondAbsent(response);
  if (published.until !== undefined && now >= published.until) {
    return published.statusGone === 403 ? respondWith(response, 403, "Forbidden") : respondAbsent(response);
  }
  const variant = faults.variantOf(object, now);
  const content = {
    pieces: published.pieces(variant),
    identity: JSON.stringify([name, published.version, variant]),
    lastModified:
      published.from + variant.revision - (published.isUpdated ? variant.hoursEarlier * HOUR_S : 0),
    contentType: published.contentType ?? "binary/octet-stream",
    slowPauseMs,
    sent(bytes: number) {
      entry.sent += bytes;
    },
  };
  if (request.method === "GET") faults.wasRead(object, now);
  return await respondWithContent(request, response, content, fault);
}

interface Controlled {
  faults: Faults;
  log: readonly Logged[];
  now: number;
}

/**
 * Control interface: `POST /faults {match, fault, times}`, `DELETE /faults`, `GET /faults`, `GET /requests`, `GET
 * /now`.
 */
async function control(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  { faults, log, now }: Controlled,
): Promise<boolean> {
  const json = (body: unknown, status = 200) =>
    respondWith(response, status, JSON.stringify(body), { "content-type": "application/json" });
  if (path === "/requests") json(log.slice(-1000));
  else if (path === "/now") json(new Date(now * 1000).toISOString());
  else if (path !== "/faults") return false;
  else if (request.method === "POST") {
    faults.add(JSON.parse(await bodyOf(request)) as Fault);
    json(faults.list(), 201);
  } else {
    if (request.method === "DELETE") faults.clear();
    json(faults.list());
  }
  return true;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request) {
    body += chunk;
    if (body.length > LONGEST_BODY) throw new RangeError("the request is too long");
  }
  return body;
}

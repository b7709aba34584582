import { createHash } from "node:crypto";
import http from "node:http";
import type { AddressInfo } from "node:net";

/** Behaviour of a host in place of the normal answer. */
export type Fault =
  | { status: number; headers?: Record<string, string>; body?: string }
  /** The connection ends after this many bytes of the body. */
  | { cutAfter: number }
  /** The body stops after this many bytes, but the connection stays open. */
  | { pauseAfter: number }
  /** The announced length exceeds the sent one by this many bytes; negative if it is smaller. */
  | { announce: number }
  /** Other bytes of the same length are sent. */
  | { garbage: true }
  /** The whole object is sent although a range was requested. */
  | { whole: true }
  /** The range is shifted by this many bytes. */
  | { shift: number }
  /** There is no answer at all, or no body. */
  | { silent: "answer" | "body" };

interface StoredObject {
  bytes: Uint8Array;
  etag?: string;
  lastModified?: number;
}

export interface ObjectServer extends AsyncDisposable {
  /** Value for FEED_MIRROR. */
  url: string;
  /** Objects by path: "/host/name". */
  objects: Map<string, StoredObject>;
  /** Requests so far: path, and headers such as Range and User-Agent. */
  requests: { path: string; headers: http.IncomingHttpHeaders }[];
  /** Bytes of bodies that were sent. */
  sent: number;
  /** Number of requests being answered, and the largest number so far. */
  running: number;
  mostRunning: number;
  fault: (path: string, headers: http.IncomingHttpHeaders) => Fault | undefined;
}

/** A store of objects on loopback like S3: ranges, ETags, conditional requests, and faults on demand. */
export async function objectServer(): Promise<ObjectServer> {
  const server = http.createServer((request, response) => {
    const path = request.url!;
    store.requests.push({ path, headers: request.headers });
    store.mostRunning = Math.max(store.mostRunning, ++store.running);
    response.once("close", () => store.running--);
    const fault = store.fault(path, request.headers);
    const object = store.objects.get(path);
    if (fault && "silent" in fault && fault.silent === "answer") return;
    if (fault && "status" in fault) {
      response.writeHead(fault.status, fault.headers).end(fault.body ?? "");
    } else if (object === undefined) response.writeHead(404).end("<Error><Code>NoSuchKey</Code></Error>");
    else answer(store, request.headers, response, object, fault);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const store: ObjectServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects: new Map(),
    requests: [],
    sent: 0,
    running: 0,
    mostRunning: 0,
    fault: () => undefined,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return store;
}

/** An object with the ETag of its bytes. */
export function stored(bytes: Uint8Array | string): StoredObject {
  const buffer = Buffer.from(bytes as Uint8Array);
  return { bytes: buffer, etag: `"${createHash("md5").update(buffer).digest("hex")}"`, lastModified: 1.7e9 };
}

function answer(
  store: ObjectServer,
  asked: http.IncomingHttpHeaders,
  response: http.ServerResponse,
  { bytes, etag, lastModified }: StoredObject,
  fault: Exclude<Fault, { status: number }> | undefined,
): void {
  if (asked["if-match"] !== undefined && asked["if-match"] !== etag)
    return void response.writeHead(412).end();
  const modified = lastModified === undefined ? undefined : new Date(lastModified * 1000).toUTCString();
  const since = asked["if-modified-since"];
  const unchanged =
    asked["if-none-match"] === undefined
      ? since !== undefined && since === modified
      : asked["if-none-match"] === etag;
  if (unchanged) return void response.writeHead(304, { etag }).end();
  const range = /^bytes=(\d+)-(\d*)$/.exec(asked.range ?? "");
  const partly = range !== null && !(fault && "whole" in fault);
  let [from, to] = [0, bytes.length];
  if (partly) {
    const shift = fault && "shift" in fault ? fault.shift : 0;
    from = Number(range[1]) + shift;
    to = range[2] === "" ? bytes.length : Math.min(Number(range[2]) + 1 + shift, bytes.length);
    if (from >= bytes.length) return void response.writeHead(416).end();
  }
  const body = Buffer.from(bytes.subarray(from, to));
  if (fault && "garbage" in fault) for (let at = 0; at < body.length; at++) body[at]! ^= 0x5a ^ (at & 0xff);
  const announced = body.length + (fault && "announce" in fault ? fault.announce : 0);
  response.writeHead(partly ? 206 : 200, {
    "content-length": announced,
    ...(etag && { etag }),
    ...(modified && { "last-modified": modified }),
    ...(partly && { "content-range": `bytes ${from}-${to - 1}/${bytes.length}` }),
  });
  if (fault && "silent" in fault) return void response.flushHeaders();
  if (fault && "pauseAfter" in fault) {
    store.sent += Math.min(fault.pauseAfter, body.length);
    return void response.write(body.subarray(0, fault.pauseAfter));
  }
  const end = fault && "cutAfter" in fault ? fault.cutAfter : body.length;
  store.sent += Math.min(end, body.length);
  if (end >= body.length && announced === body.length) return void response.end(body);
  response.flushHeaders();
  response.write(body.subarray(0, end), () => response.destroy());
}

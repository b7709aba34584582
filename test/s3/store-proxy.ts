import http from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/**
 * Fault of a request. `truncate` cuts bodies after a number of bytes; `whole` sends the whole object, whatever range is
 * requested.
 */
export type StoreFault =
  | { kind: "slow-down" }
  | { kind: "refuse" }
  | { kind: "stall" }
  | { kind: "truncate"; after: number }
  | { kind: "whole"; object: Uint8Array };

export interface StoreProxy {
  url: string;
  /** Additional latency of each request, milliseconds. */
  latencyMs: number;
  /** Faults of the next requests, in order; later requests have none. */
  faults: StoreFault[];
  /** Fault of every request while it is set. */
  always: StoreFault | undefined;
  /** Requests so far, and bytes of their replies. */
  requests: { method: string; path: string; range: string | undefined; status: number; bytes: number }[];
  close(): Promise<void>;
}

const SLOW_DOWN =
  '<?xml version="1.0" encoding="UTF-8"?><Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>';

/**
 * A proxy in front of an object store on loopback. @param port Port of the store. @param own Its own port, by default
 * any.
 */
export async function startStoreProxy(port: number, own = 0): Promise<StoreProxy> {
  const agent = new http.Agent({ keepAlive: true });
  const proxy: StoreProxy = {
    url: "",
    latencyMs: 0,
    faults: [],
    always: undefined,
    requests: [],
    async close() {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const server = http.createServer(async (request, response) => {
    const { method = "", url = "", headers } = request;
    const noted = { method, path: url, range: headers.range, status: 0, bytes: 0 };
    proxy.requests.push(noted);
    const fault = proxy.always ?? proxy.faults.shift();
    if (proxy.latencyMs > 0) await delay(proxy.latencyMs);
    if (fault?.kind === "refuse") return void request.socket.destroy();
    if (fault?.kind === "stall") return;
    if (fault?.kind === "whole") {
      noted.status = 200;
      return void response.writeHead(200, { "content-length": fault.object.length }).end(fault.object);
    }
    if (fault?.kind === "slow-down") {
      noted.status = 503;
      request.resume();
      return void response.writeHead(503, { "content-type": "application/xml" }).end(SLOW_DOWN);
    }
    const forwarded = http.request({ port, method, path: url, headers, agent }, (reply) => {
      noted.status = reply.statusCode ?? 0;
      response.writeHead(noted.status, reply.headers);
      reply.on("data", (bytes: Buffer) => {
        const left = fault?.kind === "truncate" ? fault.after - noted.bytes : bytes.length;
        noted.bytes += Math.min(left, bytes.length);
        if (left >= bytes.length) return void response.write(bytes);
        response.write(bytes.subarray(0, Math.max(0, left)), () => response.destroy());
        reply.destroy();
      });
      reply.on("end", () => response.end());
    });
    forwarded.on("error", () => response.destroy());
    request.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(own, "127.0.0.1", resolve));
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return proxy;
}

import http from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream";
import { type Backend, SERVED_BY } from "./haproxy.ts";

const IDEMPOTENT = new Set(["GET", "HEAD", "PUT", "DELETE", "OPTIONS"]);

/** Longest that a health check may take, as with haproxy. */
const CHECK_MS = 5000;

interface Replica extends Backend {
  isUp: boolean;
}

export interface ReverseProxy {
  port: number;
  /** Asks every replica once whether it is ready. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/**
 * A small reverse proxy, where haproxy is not installed, with the same rules: each request goes to the next replica whose
 * /readyz answered 200. A request whose connection could not be opened goes to another one; one that was sent goes to
 * another one only if it is idempotent, has no body, and nothing of the answer has come.
 */
export async function startReverseProxy(port: number, backends: readonly Backend[]): Promise<ReverseProxy> {
  const replicas: Replica[] = backends.map((backend) => ({ ...backend, isUp: false }));
  let turn = 0;

  const next = (tried: ReadonlySet<Replica>) => {
    for (let step = 0; step < replicas.length; step++) {
      const replica = replicas[turn++ % replicas.length]!;
      if (replica.isUp && !tried.has(replica)) return replica;
    }
    return undefined;
  };

  function forward(
    request: http.IncomingMessage,
    response: http.ServerResponse,
    tried: Set<Replica> = new Set(),
  ) {
    const replica = next(tried);
    if (!replica) return fail(request, response, 503, [...tried].at(-1));
    tried.add(replica);
    const { method = "GET", url, headers } = request;
    const hasBody = headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
    const peer = request.socket.remoteAddress ?? "";
    const given = headers["x-forwarded-for"];
    const sent = http.request({
      port: replica.port,
      host: "127.0.0.1",
      method,
      path: url,
      headers: { ...headers, connection: "close", "x-forwarded-for": given ? `${given}, ${peer}` : peer },
      agent: false,
    });
    let isConnected = false;
    sent.once("socket", (socket) =>
      socket.once("connect", () => {
        isConnected = true;
        // What was read of the body cannot be read again for another replica: it is begun with once there is a connection.
        pipeline(request, sent, () => {});
      }),
    );
    sent.on("response", (reply) => {
      response.writeHead(reply.statusCode ?? 502, { ...reply.headers, [SERVED_BY]: replica.name });
      pipeline(reply, response, () => {});
    });
    response.once("close", () => sent.destroy());
    sent.on("error", () => {
      if (response.headersSent) return response.destroy();
      if (!isConnected) replica.isUp = false;
      if (!isConnected || (IDEMPOTENT.has(method) && !hasBody)) forward(request, response, tried);
      else fail(request, response, 502, replica);
    });
  }

  async function check(): Promise<void> {
    await Promise.all(
      replicas.map(async (replica) => {
        const signal = AbortSignal.timeout(CHECK_MS);
        replica.isUp = await fetch(`http://127.0.0.1:${replica.port}/readyz`, { signal }).then(
          ({ status }) => status === 200,
          () => false,
        );
      }),
    );
  }

  const server = http.createServer((request, response) => forward(request, response));
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    check,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function fail(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  status: number,
  replica?: Backend,
): void {
  if (response.destroyed) return;
  request.resume();
  const headers = { "content-type": "text/plain", ...(replica && { [SERVED_BY]: replica.name }) };
  response.writeHead(status, headers).end(`${http.STATUS_CODES[status]}\n`);
}

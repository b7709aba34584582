import { Agent, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

export interface Transfer {
  path: string;
  type: string;
  /** Bytes sent: body, status line and headers. */
  bytes: number;
}

export interface CountingProxy {
  url: string;
  /** Every reply so far, with the bytes sent of it. */
  transfers: Transfer[];
  close(): Promise<void>;
}

/**
 * A proxy that counts what a server sends to a browser. It includes requests of workers, which the browser does not
 * report.
 */
export async function openCountingProxy(target: string): Promise<CountingProxy> {
  const agent = new Agent({ keepAlive: true });
  const transfers: Transfer[] = [];
  const { hostname, port } = new URL(target);

  const server = createServer((incoming, response) => {
    const { method, url: path = "/", headers } = incoming;
    const onward = request({ hostname, port, method, path, headers, agent }, (reply) => {
      const head = reply.rawHeaders.reduce((sum, text) => sum + text.length + 2, 20);
      const transfer = { path, type: reply.headers["content-type"] ?? "", bytes: head };
      transfers.push(transfer);
      response.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.on("data", (chunk: Buffer) => {
        transfer.bytes += chunk.length;
      });
      reply.pipe(response);
    });
    onward.on("error", () => response.destroy());
    response.on("close", () => onward.destroy());
    incoming.pipe(onward);
  });

  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    transfers,
    close() {
      agent.destroy();
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

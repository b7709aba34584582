import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A link between a browser and a server. */
interface LinkSpeed {
  /** Downstream, shared by all replies; undefined: as fast as the machine. */
  bitsPerSecond?: number;
  /** Round trip, milliseconds. */
  roundTripMs: number;
}

/** A reply that went over the link. */
export interface Transfer {
  path: string;
  type: string;
  /** Bytes of the body as sent, and of its status line and headers. */
  bytes: number;
}

export interface SlowLink {
  url: string;
  speed: LinkSpeed;
  /** Every reply so far, with what it has sent of it. */
  transfers: Transfer[];
  close(): Promise<void>;
}

/** How often the link sends, milliseconds, and how much of one reply before it is the next one's turn. */
const TICK_MS = 5;
const SLICE = 1460;

interface Flow {
  chunks: Buffer[];
  ended: boolean;
  response: ServerResponse;
  transfer: Transfer;
}

/**
 * A proxy with the speed of a bad link. The browser's own throttling leaves out the requests of workers, which are those
 * of the map's frames, and it counts nothing.
 *
 * A new connection costs a round trip more; uploads cost their latency only.
 */
export async function openSlowLink(target: string): Promise<SlowLink> {
  const agent = new Agent({ keepAlive: true });
  const link: SlowLink = { url: "", speed: { roundTripMs: 0 }, transfers: [], close };
  const flows = new Set<Flow>();
  const greeted = new WeakSet<object>();
  const { hostname, port } = new URL(target);

  const server = createServer((incoming, response) => {
    const { roundTripMs } = link.speed;
    const handshake = greeted.has(incoming.socket) ? 0 : roundTripMs;
    greeted.add(incoming.socket);
    setTimeout(() => forward(incoming, response), roundTripMs + handshake);
  });

  function forward(incoming: IncomingMessage, response: ServerResponse): void {
    const { method, url: path = "/", headers } = incoming;
    const onward = request({ hostname, port, method, path, headers, agent }, (reply) => {
      const head = reply.rawHeaders.reduce((sum, text) => sum + text.length + 2, 20);
      const type = reply.headers["content-type"] ?? "";
      const transfer = { path, type, bytes: head };
      link.transfers.push(transfer);
      response.writeHead(reply.statusCode ?? 502, reply.headers);
      const flow: Flow = { chunks: [], ended: false, response, transfer };
      flows.add(flow);
      response.on("close", () => {
        flows.delete(flow);
        onward.destroy();
      });
      reply.on("data", (chunk: Buffer) => flow.chunks.push(chunk));
      reply.on("end", () => {
        flow.ended = true;
      });
    });
    onward.on("error", () => response.destroy());
    incoming.pipe(onward);
  }

  let credit = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    const { bitsPerSecond = Number.POSITIVE_INFINITY } = link.speed;
    const earned = ((now - last) / 1000) * (bitsPerSecond / 8);
    last = now;
    // An idle link saves nothing up.
    credit = flows.size === 0 ? 0 : Math.min(credit + earned, Math.max(earned, 4 * SLICE));
    let sent = true;
    while (sent && credit > 0) {
      sent = false;
      for (const flow of flows) {
        if (credit <= 0) break;
        const slice = take(flow, SLICE);
        if (!slice) continue;
        credit -= slice.length;
        flow.transfer.bytes += slice.length;
        flow.response.write(slice);
        sent = true;
      }
    }
    for (const flow of flows) {
      if (!flow.ended || flow.chunks.length > 0) continue;
      flows.delete(flow);
      flow.response.end();
    }
  }, TICK_MS);

  function close(): Promise<void> {
    clearInterval(timer);
    agent.destroy();
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  }

  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  link.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return link;
}

function take({ chunks }: Flow, most: number): Buffer | undefined {
  const [first] = chunks;
  if (!first) return undefined;
  if (first.length <= most) return chunks.shift();
  chunks[0] = first.subarray(most);
  return first.subarray(0, most);
}

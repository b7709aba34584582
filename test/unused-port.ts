import { once } from "node:events";
import { createServer } from "node:net";

/**
 * First port of a range below the kernel's ports for outgoing connections, so that a port that is free now stays free
 * for a while.
 */
const FIRST = 20_000;
const COUNT = 12_000;

const given = new Set<number>();

/** A port of loopback on which nothing listens, a different one each time. */
export async function unusedPort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(COUNT * Math.random());
    if (given.has(port)) continue;
    const server = createServer();
    server.listen(port, "127.0.0.1");
    const isFree = await once(server, "listening").then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, "close");
    given.add(port);
    return port;
  }
}

import { once } from "node:events";
import net from "node:net";

/** A database behind a network that can fail. */
export interface DatabaseProxy {
  /** DATABASE_URL of the same database through the proxy. */
  url: string;
  /** Breaks all connections, and refuses new ones. */
  cut(): void;
  /** Stops answering, but keeps connections open. */
  stall(): void;
  restore(): void;
  close(): Promise<void>;
}

/** @param databaseUrl URL of a server that listens on a Unix socket, like those of tests. */
export async function databaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const folder = target.searchParams.get("host")!;
  const sockets = new Set<net.Socket>();
  let state: "open" | "cut" | "stalled" = "open";
  const server = net.createServer((client) => {
    if (state === "cut") return void client.destroy();
    const upstream = net.connect(`${folder}/.s.PGSQL.${target.port || 5432}`);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      if (state === "stalled") socket.pause();
      else socket.pipe(other);
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as net.AddressInfo;
  const breakAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `postgresql://${target.username}@127.0.0.1:${port}${target.pathname}`,
    cut() {
      state = "cut";
      breakAll();
    },
    stall() {
      state = "stalled";
      for (const socket of sockets) socket.unpipe();
    },
    restore() {
      // A stalled connection has lost the order of its messages.
      if (state === "stalled") breakAll();
      state = "open";
    },
    async close() {
      breakAll();
      server.close();
      await once(server, "close");
    },
  };
}

import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

/** Interval at which a host sends useless data, milliseconds. The tests' own limits are a few times as long. */
const DRIP_MS = 15;

const DRIP_OF_HEADERS = "X-More: 1\r\n";
const HEADERS =
  "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: 1000000\r\n\r\n";

/** Sends a text forever. */
function drip(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), DRIP_MS);
  socket.once("close", () => clearInterval(timer));
}

/** Behaviour of a host when it has received a request, or the beginning of one. */
export const misbehaviours = {
  "says nothing": () => {},
  "switches protocols": (socket) =>
    void socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n"),
  "switches protocols and ends": (socket) =>
    void socket.end("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n"),
  "sends interim answers without end": (socket) => drip(socket, "HTTP/1.1 103 Early Hints\r\n\r\n"),
  "sends headers without end": (socket) => {
    socket.write("HTTP/1.1 200 OK\r\n");
    drip(socket, DRIP_OF_HEADERS);
  },
  "sends headers without a body": (socket) => void socket.write(HEADERS),
  "sends a body byte by byte": (socket) => {
    socket.write(HEADERS);
    drip(socket, "x");
  },
  "resets the connection": (socket) => void socket.resetAndDestroy(),
  "resets the connection within the body": (socket) =>
    void socket.write(`${HEADERS}x`, () => socket.resetAndDestroy()),
  "closes its half without an answer": (socket) => void socket.end(),
  "closes its half within the headers": (socket) => void socket.end("HTTP/1.1 200 OK\r\nConte"),
  "closes its half within the body": (socket) => void socket.end(`${HEADERS}x`),
  "answers in another protocol": (socket) => void socket.write("220 ready\r\n"),
  "greets and then answers without end": (socket) => {
    socket.write("220 ready\r\n");
    socket.once("data", () => drip(socket, "250-more\r\n"));
  },
  "answers in another protocol without end": (socket) => drip(socket, "220-not ready\r\n"),
} satisfies Record<string, (socket: Socket) => void>;

export type Misbehaviour = keyof typeof misbehaviours;

export interface HostileHost extends AsyncDisposable {
  port: number;
  open(): number;
}

/**
 * A host on this machine that misbehaves in one way.
 *
 * @param atOnce Whether it begins without waiting for a first byte, as mail servers do.
 */
export async function hostileHost(how: Misbehaviour, atOnce = false): Promise<HostileHost> {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    socket.on("error", () => {});
    // The other side has left.
    socket.once("end", () => socket.destroy());
    const misbehave: (socket: Socket) => void = misbehaviours[how];
    if (atOnce) misbehave(socket);
    else socket.once("data", () => misbehave(socket));
    socket.resume();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    open: () => sockets.size,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

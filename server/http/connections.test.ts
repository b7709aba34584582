import { EventEmitter } from "node:events";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Connections, type OpenSocket } from "./connections.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
afterEach(() => void vi.useRealTimers());

/** A socket to whose client the test sends bytes, and whose client takes them when the test says so. */
class FakeSocket extends EventEmitter {
  bytesWritten = 0;
  writableLength = 0;
  isDestroyed = false;
  readonly remoteAddress: string;

  constructor(remoteAddress: string) {
    super();
    this.remoteAddress = remoteAddress;
  }

  send(bytes: number): void {
    this.bytesWritten += bytes;
    this.writableLength += bytes;
  }

  taken(bytes = this.writableLength): void {
    this.writableLength -= bytes;
  }

  destroy(): this {
    this.isDestroyed = true;
    this.emit("close");
    return this;
  }
}

const unlimited = { all: 1000, ofAddress: 1000 };

/** Does what the server does with a new connection. */
function connect(connections: Connections, address = "192.0.2.1") {
  const socket = new FakeSocket(address);
  return { socket, refusal: connections.refusal(socket as unknown as OpenSocket) };
}

it("connections are bounded in all and for an address, IPv6 by its /64, and a closed one makes room", () => {
  const connections = new Connections({ all: 4, ofAddress: 2 });
  const first = connect(connections, "2001:db8::1");
  expect(connect(connections, "2001:db8::2").refusal).toBeUndefined();
  expect(connect(connections, "2001:db8::3").refusal).toMatch(/from your address/);
  expect(connect(connections, "192.0.2.1").refusal).toBeUndefined();
  expect(connect(connections, "192.0.2.2").refusal).toBeUndefined();
  expect(connect(connections, "192.0.2.3").refusal).toMatch(/to the service/);
  expect([connections.open, connections.refused]).toEqual([4, 2]);
  first.socket.destroy();
  expect(connections.open).toBe(3);
  expect(connect(connections, "2001:db8::4").refusal).toBeUndefined();
  expect(connections.open).toBe(4);
});

it("a client that does not read is cut after a minute, one that has nothing to read is not", async () => {
  const connections = new Connections(unlimited);
  const [idle, deaf] = [connect(connections).socket, connect(connections).socket];
  deaf.send(2000);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(deaf.isDestroyed).toBe(false);
  await vi.advanceTimersByTimeAsync(3_000);
  expect([deaf.isDestroyed, idle.isDestroyed]).toEqual([true, false]);
  expect([connections.open, connections.cut]).toEqual([1, 1]);
});

it("a slow reader that takes a KiB a second is not cut, one that takes less is", async () => {
  const connections = new Connections(unlimited);
  const [steady, trickling] = [connect(connections).socket, connect(connections).socket];
  steady.send(4096);
  trickling.send(4096);
  for (let second = 0; second < 600; second++) {
    steady.taken(1100);
    steady.send(1100);
    if (!trickling.isDestroyed) {
      trickling.taken(100);
      trickling.send(100);
    }
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect([steady.isDestroyed, trickling.isDestroyed]).toEqual([false, true]);
});

it("the time for a large answer goes by its length: how much of one write has been taken is not known", async () => {
  const connections = new Connections(unlimited);
  const { socket } = connect(connections);
  socket.send(100 * 1024);
  await vi.advanceTimersByTimeAsync(160_000);
  expect(socket.isDestroyed).toBe(false);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(socket.isDestroyed).toBe(true);
});

it("a long stream that is read slowly goes on: it holds little", async () => {
  const connections = new Connections(unlimited);
  const { socket } = connect(connections);
  socket.send(64 * 1024);
  for (let second = 0; second < 7200; second++) {
    socket.taken(4096);
    socket.send(4096);
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect(socket.isDestroyed).toBe(false);
});

it("moments in which a long stream waits for its reader do not add up", async () => {
  const connections = new Connections(unlimited);
  const { socket } = connect(connections);
  for (let event = 0; event < 500; event++) {
    socket.send(10);
    await vi.advanceTimersByTimeAsync(1_000);
    socket.taken();
    await vi.advanceTimersByTimeAsync(2_000);
  }
  expect(socket.isDestroyed).toBe(false);
});

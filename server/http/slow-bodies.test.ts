import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { parseTarget } from "#server/platform/request-target.ts";
import { NodeRequest } from "./node-exchange.ts";
import type { HttpError } from "./reply.ts";
import { BodyMemory } from "./request-body.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

const LIMIT = 2 ** 22;

/** A request whose body arrives as the test sends it. */
function arriving(bodies = new BodyMemory()) {
  const incoming = new IncomingMessage(new Socket());
  const target = parseTarget("/data");
  const request = new NodeRequest(incoming, new ServerResponse(incoming), target, 0, bodies);
  const send = async (bytes: number) => {
    const chunk = Buffer.alloc(bytes);
    incoming.push(chunk);
    await new Promise(setImmediate);
    return chunk;
  };
  const body = request.body(LIMIT).then(
    ({ length }) => length,
    (error: HttpError) => error.reply.status,
  );
  const outcome = () => Promise.race([body, new Promise((resolve) => setImmediate(resolve, "arriving"))]);
  return { incoming, send, outcome };
}

it("a body that trickles is 408 after half a minute, one of 64 KiB a second is not, and no timer remains", async () => {
  const [trickling, steady] = [arriving(), arriving()];
  await trickling.send(10);
  await steady.send(10 * 2 ** 16);
  await vi.advanceTimersByTimeAsync(29_500);
  expect(await trickling.outcome()).toBe("arriving");
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await trickling.outcome()).toBe(408);
  await vi.advanceTimersByTimeAsync(8_000);
  expect(await steady.outcome()).toBe("arriving");
  await steady.send(10);
  steady.incoming.push(null);
  await new Promise(setImmediate);
  expect(await steady.outcome()).toBe(10 * 2 ** 16 + 10);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(vi.getTimerCount()).toBe(0);
});

it("what arrives is copied and freed at once, in pieces of any size", async () => {
  const { incoming, send, outcome } = arriving();
  await send(1);
  expect((await send(50_000)).length).toBe(0);
  await send(300_000);
  incoming.push(null);
  await new Promise(setImmediate);
  expect(await outcome()).toBe(350_001);
});

import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { UnavailableError } from "#server/platform/errors.ts";
import { parseTarget } from "#server/platform/request-target.ts";
import { NodeRequest } from "./node-exchange.ts";
import type { HttpError } from "./reply.ts";
import { BodyMemory } from "./request-body.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

const LIMIT = 2 ** 22;

/** Opens a request whose body arrives as the test sends it. */
function arriving(bodies = new BodyMemory(), address = "192.0.2.1") {
  const incoming = new IncomingMessage(new Socket());
  incoming.headers["x-forwarded-for"] = address;
  const target = parseTarget("/data");
  const response = new ServerResponse(incoming);
  const request = new NodeRequest(incoming, response, target, 1, bodies);
  const send = async (bytes: number) => {
    const chunk = Buffer.alloc(bytes);
    incoming.push(chunk);
    await new Promise(setImmediate);
    return chunk;
  };
  const body = request.body(LIMIT).then(
    ({ length }) => length,
    (error: HttpError | UnavailableError) => ("reply" in error ? error.reply.status : error.retryAfter),
  );
  const outcome = () => Promise.race([body, new Promise((resolve) => setImmediate(resolve, "arriving"))]);
  return { incoming, response, send, outcome };
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

it("bodies that arrive at the same time are bounded, for one address and in all, until they are answered; small ones are free", async () => {
  const bodies = new BodyMemory(500_000, 300_000);
  const large = async (address: string) => {
    const one = arriving(bodies, address);
    await one.send(140_000);
    return one;
  };
  const held = [await large("192.0.2.1"), await large("192.0.2.1")];
  expect(await (await large("192.0.2.1")).outcome()).toBe(5);
  held.push(await large("192.0.2.2"));
  expect(await (await large("192.0.2.3")).outcome()).toBe(5);
  const small = arriving(bodies, "192.0.2.1");
  await small.send(60_000);
  expect(await Promise.all([...held, small].map((one) => one.outcome()))).toEqual(Array(4).fill("arriving"));
  expect(bodies.used).toBe(420_000);
  for (const { response } of held) response.emit("close");
  expect(bodies.used).toBe(0);
  expect(await (await large("192.0.2.1")).outcome()).toBe("arriving");
});

import { afterEach, expect, it } from "vitest";
import { parseLimit } from "#lib/contract/limit.ts";
import type { Context } from "#server/context.ts";
import { openGuests } from "#server/http/guests.ts";
import { openTestServer, type TestServer, testRequestContext } from "#test/http.ts";
import { limits } from "./limits.ts";
import { apiRouter } from "./list.ts";

let server: TestServer | undefined;
afterEach(() => server?.close());

function contextOf(mode: "off" | "map" | "api") {
  const context = testRequestContext();
  const limit = parseLimit("7 per 1 minute")!;
  const secret = "pepper of the tests";
  const publicUrl = "http://localhost:3000";
  if (mode !== "off")
    context.guests = openGuests({ mode, limit, secret, clock: context.clock, publicUrl, isProxied: false });
  return context;
}

it.each([
  { mode: "off", owned: false },
  { mode: "api", owned: false },
  { mode: "map", owned: true },
] as const)("sessions are an operation only where visitors need one: GUESTS=$mode", ({ mode, owned }) => {
  const router = apiRouter(contextOf(mode) as unknown as Context);
  expect(router.owns("/guests/session")).toBe(owned);
});

it("the limits of visitors are stated where there are visitors, and nowhere else", async () => {
  const store = { limits: {} };
  const definition = limits(() => []);
  const read = async (mode: "off" | "map") => {
    const context = { ...contextOf(mode), tasks: { store } } as unknown as Context;
    await server?.close();
    server = await openTestServer({ "/limits": { GET: () => definition.endpoint(context) } });
    return (await (await fetch(`${server.url}/limits`)).json()) as Record<string, unknown>;
  };
  expect(await read("off")).not.toHaveProperty("guests");
  expect((await read("map")).guests).toEqual({
    mode: "map",
    rate: {
      data: "7 per 1 minute",
      storms: "7 per 1 minute",
      tasks: "7 per 1 minute",
      frames: "3000 per 1 minute",
    },
    points: 1000,
    body_bytes: 131_072,
  });
});

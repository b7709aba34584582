import { afterEach, expect, it } from "vitest";
import { openEndpoint, openTestServer, type TestServer } from "#test/http.ts";

let server: TestServer;
afterEach(() => server.close());

const request = (last = "") => `GET /slow HTTP/1.1\r\nHost: x\r\n${last}\r\n`;

it("requests that a connection sends before its answers are answered one after another; beyond 32 it is cut off, alone", async () => {
  const begun: (() => void)[] = [];
  server = await openTestServer({
    "/slow": {
      GET: openEndpoint(async () => {
        await new Promise<void>((resolve) => begun.push(resolve));
        return { status: 200, headers: {}, body: "" };
      }),
    },
  });
  let read = 0;
  server.server.on("request", () => read++);
  const patient = server.raw(request().repeat(31) + request("Connection: close\r\n"));
  await expect.poll(() => read).toBe(32);
  expect(begun).toHaveLength(1);
  expect(await server.raw(request().repeat(500))).toBe("");
  // No part of the rest has been parsed.
  expect([read, begun.length]).toEqual([32 + 33, 2]);
  begun[0]!();
  for (let index = 2; index < 33; index++) {
    await expect.poll(() => begun.length).toBe(index + 1);
    begun[index]!();
  }
  expect((await patient).match(/HTTP\/1.1 200 /g)).toHaveLength(32);
});

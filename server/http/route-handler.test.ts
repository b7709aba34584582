import { expect, it } from "vitest";
import { envelopeEndpoint, openEndpoint, sampleSchema, testRequestContext } from "#test/http.ts";
import { toRouteHandler } from "./route-handler.ts";
import { routerOf } from "./router.ts";

const context = testRequestContext();
const router = routerOf(
  {
    "/data": {
      POST: envelopeEndpoint({ schema: sampleSchema, limitBytes: 100, group: "data" }, async ({ body }) => ({
        results: body.points,
      }))(context),
    },
    "/stream": {
      GET: openEndpoint(() => ({ status: 200, headers: { "content-type": "text/csv" }, body: rows() }))(
        context,
      ),
    },
  },
  { log: context.log },
);
const handle = toRouteHandler((request) => router.answer(request));

async function* rows() {
  yield Buffer.from("a,b\n");
  yield Buffer.from("1,2\n");
}

const post = (body: string, headers: Record<string, string> = {}) =>
  handle(
    new Request("http://host/data/", {
      method: "POST",
      body,
      headers: { "content-type": "application/json", "x-api-key": "good-key", ...headers },
    }),
  );

it("answers web requests as the server answers Node's: success, errors and their order", async () => {
  const success = await post('{"points":[{"latitude":1}]}');
  expect(await success.json()).toMatchObject({ status: "SUCCESS", result: { results: [{ latitude: 1 }] } });
  expect(success.headers.get("ratelimit")).toContain("r=");
  expect((await post("{", { "x-api-key": "bad" })).status).toBe(401);
  expect((await post("{")).status).toBe(422);
  expect((await post(" ".repeat(101))).status).toBe(413);
  expect((await handle(new Request("http://host/data"))).headers.get("allow")).toBe("POST, OPTIONS");
});

it("streams, and sends no body to HEAD", async () => {
  expect(await (await handle(new Request("http://host/stream"))).text()).toBe("a,b\n1,2\n");
  expect(await (await handle(new Request("http://host/stream", { method: "HEAD" }))).text()).toBe("");
});

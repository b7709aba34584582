import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { formatInstant, HOUR_S, parseInstant } from "#lib/time.ts";
import { toRouteHandler } from "#server/http/route-handler.ts";
import { demoArchive } from "#test/demo-archive.ts";
import { openTestServer, testContext, testRequestContext } from "#test/http.ts";
import { ask, connectContext, textOf } from "#test/send.ts";
import { mcp } from "./mcp.ts";
import { apiRouter } from "./operations.ts";

const now = parseInstant("2026-09-15T12:00:00Z");
const context = () =>
  testContext({
    ...testRequestContext(),
    version: "1.0.0",
    weather: { now: () => now },
    archive: demoArchive(now),
    storms: { published: async () => undefined },
  });

let client: Client;

/** Connects the client of the official package to the operations, without a socket. */
async function connect(headers: Record<string, string>): Promise<void> {
  const handle = toRouteHandler((request) => apiRouter(context()).answer(request));
  client = new Client({ name: "test", version: "1" });
  await client.connect(
    new StreamableHTTPClientTransport(new URL("http://localhost/mcp"), {
      requestInit: { headers },
      fetch: (url, init) => handle(new Request(url, init)),
    }),
  );
}

beforeEach(() => connect({ "x-api-key": "good-key" }));
afterEach(() => client.close());

interface ToolResult {
  isError?: boolean;
  content: { text: string }[];
}

async function call(name: string, input: Record<string, unknown>) {
  const { isError, content } = (await client.callTool({ name, arguments: input })) as ToolResult;
  return { isError: isError === true, text: content[0]!.text };
}

const place = { latitude: 45, longitude: -30, timestamp: formatInstant(now) };

describe("the Model Context Protocol", () => {
  it("lists a tool for points, series, tides, storms, passages and windows, each with its operation's schema", async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(
      ["ensemble", "passage", "point", "series", "storms", "tide", "windows"].sort(),
    );
    const byName = Object.fromEntries(tools.map((tool) => [tool.name, tool]));
    expect(byName.point!.inputSchema).toMatchObject({
      type: "object",
      required: expect.arrayContaining(["points"]),
    });
    expect(Object.keys(byName.tide!.inputSchema.properties!)).toEqual(expect.arrayContaining(["lat", "lon"]));
    for (const { description } of tools) expect(description).toContain("Not for navigation");
  });

  it("answers with the numbers of the operation, their provenance, and what they are not for", async () => {
    const asked = { points: [place], variables: ["wind", "wave"] };
    const { isError, text } = await call("point", asked);
    expect(isError).toBe(false);
    const answer = JSON.parse(text);
    connectContext(context());
    const direct = JSON.parse(
      await textOf(await ask("POST", "/MetOcean", { body: { ...asked, include_meta: true } })),
    );
    expect(answer.result.results).toEqual(direct.result.results);
    expect(answer.result.meta.provenance.length).toBeGreaterThan(0);
    expect(answer.note).toContain("Not for navigation");
    expect(answer.note).toContain("invented demo data");
  });

  it("answers by model, at a time and over a time", async () => {
    const models = ["best", "demo-late"];
    const late = { ...place, timestamp: formatInstant(now + 90 * HOUR_S) };
    const { text } = await call("point", { points: [late], variables: ["wind"], models });
    const { results } = JSON.parse(text).result;
    expect(results.map(({ coordinates }: { coordinates: object }) => coordinates)).toMatchObject(
      models.map((model) => ({ model })),
    );
    const { latitude, longitude, timestamp } = late;
    const area = { type: "points", points: [{ latitude, longitude }] };
    const asked = { area, variables: ["wind"], from: timestamp, to: timestamp, models: ["demo-late"] };
    const series = JSON.parse((await call("series", asked)).text);
    expect(series.result.results).toEqual([results[1]]);
    const unknown = await call("point", { points: [late], variables: ["wind"], models: ["none"] });
    expect(JSON.parse(unknown.text)).toMatchObject({ status: 422, detail: [{ loc: ["body", "models", 0] }] });
  });

  it("answers a request that came by a socket with the same numbers", async () => {
    const server = await openTestServer({ "/mcp": { POST: () => mcp.endpoint(context()) } });
    onTestFinished(server.close);
    const bySocket = new Client({ name: "test", version: "1" });
    await bySocket.connect(
      new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
        requestInit: { headers: { "x-api-key": "good-key" } },
      }),
    );
    const input = { points: [place], variables: ["wind"], models: ["best", "demo-late"] };
    const { isError, content } = (await bySocket.callTool({ name: "point", arguments: input })) as ToolResult;
    await bySocket.close();
    const resultsOf = (text: string) => JSON.parse(text).result.results;
    expect([isError ?? false, resultsOf(content[0]!.text)]).toEqual([
      false,
      resultsOf((await call("point", input)).text),
    ]);
  });

  it("says in the operation's words what is wrong with an input", async () => {
    const { isError, text } = await call("point", {
      points: [{ ...place, latitude: 95 }],
      variables: ["wind"],
    });
    expect(isError).toBe(true);
    expect(JSON.parse(text)).toMatchObject({
      status: 422,
      detail: [{ loc: ["body", "points", 0, "latitude"] }],
    });
  });

  it("never answers with more than a language model should read", async () => {
    const points = Array.from({ length: 2000 }, (_, i) => ({ ...place, longitude: -30 + i / 1000 }));
    const { isError, text } = await call("point", { points, variables: ["wind", "wave", "extra_wave"] });
    expect(isError).toBe(true);
    expect(text).toMatch(/ask for fewer places, times or variables/);
  });

  it("has the keys of the operations: none is asked to list tools, and a wrong one is refused by the tool", async () => {
    await client.close();
    await connect({ "x-api-key": "wrong-key" });
    expect((await client.listTools()).tools).toHaveLength(7);
    const { isError, text } = await call("point", { points: [place], variables: ["wind"] });
    expect(isError).toBe(true);
    expect(JSON.parse(text).status).toBe(401);
  });

  it.each(["{", "[]", '{"jsonrpc":"2.0"}', '{"jsonrpc":"2.0","id":1,"method":"nonsense"}', "\u0000"])(
    "answers %j by an error of the protocol",
    async (body) => {
      const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
      const request = new Request("http://localhost/mcp", { method: "POST", headers, body });
      const response = await toRouteHandler((sent) => apiRouter(context()).answer(sent))(request);
      expect(response.status).toBeLessThan(500);
      expect(await response.text()).toContain('"error"');
    },
  );
});

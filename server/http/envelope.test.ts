import { afterEach, describe, expect, it } from "vitest";
import { deflatedPart } from "#server/platform/gzip-parts.ts";
import { envelopeEndpoint, openTestServer, sampleSchema, type TestServer } from "#test/http.ts";
import { type Success, successPieces, successValue } from "./envelope.ts";

async function textOf(success: Success): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const piece of successPieces(success)) chunks.push(piece);
  return Buffer.concat(chunks).toString();
}

const seconds = () => 0.1234;

describe("the bytes of an envelope", () => {
  it.each([0, 1, 2, 255, 256, 257, 600])("are those of JSON.stringify, for %i results", async (count) => {
    const results = Array.from({ length: count }, (_, i) => ({ i, text: 'é\u2028"', nothing: null }));
    for (const success of [
      { taskId: "a", results, seconds },
      { taskId: "a", taskIdAsList: true, results, seconds, meta: { provenance: [] } },
      { taskId: "a", results, seconds, more: () => ({ task_name: 'x"', finished_at: 1 }) },
      { taskId: "a", results, seconds, more: () => ({ task_name: undefined }) },
    ])
      expect(await textOf(success)).toBe(JSON.stringify(successValue(success)));
  });

  it("are the same for serialised results, and can be produced repeatedly", async () => {
    const results = [{ a: [1, null] }, { a: [] }];
    const written = {
      *pieces() {
        for (const piece of ['[{"a":[1', ',null]},{"a":[]}', "]"]) yield Buffer.from(piece);
      },
    };
    const expected = JSON.stringify(successValue({ taskId: "a", results, seconds }));
    expect(await textOf({ taskId: "a", results: written, seconds })).toBe(expected);
    expect(await textOf({ taskId: "a", results: written, seconds })).toBe(expected);
  });

  it("put a finished task's own keys after those of the answer, as of when the results are written", async () => {
    let written = false;
    const results = {
      async *pieces() {
        yield Buffer.from("[]");
        written = true;
      },
    };
    const text = await textOf({ taskId: "a", results, seconds, more: () => ({ finished_at: written }) });
    expect(text).toBe(
      '{"task_id":"a","status":"SUCCESS","result":{"results":[],"execution_time":"0.123 seconds"},"finished_at":true}',
    );
  });
});

describe("an answer that is written while it is sent", () => {
  let server: TestServer;
  afterEach(() => server.close());

  const body = { points: [{ latitude: 1 }] };

  it("with parts compressed in advance is the same answer, sent as gzip to any client that accepts it", async () => {
    const pieces = ["[1,", "null,".repeat(2000), "2]"].map((text) => Buffer.from(text));
    let compressed = 0;
    server = await openTestServer({
      "/data": {
        POST: envelopeEndpoint({ schema: sampleSchema, limitBytes: 1e6, group: "data" }, async () => ({
          results: {
            pieces: () => pieces,
            async *deflated() {
              compressed++;
              yield pieces[0]!;
              yield await deflatedPart(pieces.slice(1, 2));
              yield pieces[2]!;
            },
          },
        })),
      },
    });
    const answers: unknown[] = [];
    for (const [sent, got] of [
      ["identity", null],
      ["br", "br"],
      ["br, gzip", "gzip"],
      ["gzip", "gzip"],
    ] as const) {
      const reply = await server.post("/data", body, { "accept-encoding": sent });
      expect(reply.headers.get("content-encoding")).toBe(got);
      const answer = (await reply.json()) as { status: string; result: { results: unknown } };
      answers.push([answer.status, answer.result.results]);
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(compressed).toBe(2);
  });
});

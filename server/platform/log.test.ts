import { describe, expect, it } from "vitest";
import { createLogger, requestLog } from "./log.ts";

const KEY = "mo_y9t1PzRU_jdbswSlK1xog9ivrXhxe0jR99h7ZSGMR0";

function written(write: (log: ReturnType<typeof createLogger>) => void, secrets: string[] = []): string {
  const lines: string[] = [];
  write(createLogger("trace", secrets, { write: (line) => void lines.push(line) }));
  return lines.join("");
}

describe("the log", () => {
  it("contains no key, whatever part of an entry carries it", () => {
    const error = new Error(`refused ${KEY}`);
    const line = written((log) => log.error({ err: error, url: `/x#key=${KEY}`, deep: { er: [KEY] } }, KEY));
    expect(line).toContain('"msg":"[key]"');
    expect(line).not.toContain(KEY.slice(12));
  });

  it("contains no secret of the environment, even where JSON escapes it", () => {
    const secret = 'quote"and\\slash';
    const line = written((log) => log.info({ given: secret }, `key ${secret}`), [secret]);
    expect(JSON.parse(line)).toMatchObject({ given: "[key]", msg: "key [key]" });
  });

  it.each([
    [{ headers: { "x-api-key": "something" } }],
    [{ req: { headers: { "x-api-key": "something", authorization: "something" } } }],
    [{ "x-api-key": "something", apiKey: "something", password: "something" }],
  ])("redacts the fields that carry a key: %j", (fields) => {
    expect(written((log) => log.info(fields, "request"))).not.toContain("something");
  });
});

describe("the access log", () => {
  const fields = {
    requestId: "0b2c1a3d",
    method: "GET",
    path: "/storms",
    status: 200,
    ms: 0.3,
    address: "::1",
  };

  it("has the format of the log, keeps the order, and loses no line when it is flushed", () => {
    const blocks: string[] = [];
    const log = requestLog("info", [], { write: (lines) => void blocks.push(lines) });
    for (let index = 0; index < 500; index++) log.info({ ...fields, ms: index }, "request");
    log.flush();
    log.flush();
    const lines = blocks
      .join("")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map(({ ms }) => ms)).toEqual(Array.from({ length: 500 }, (_, index) => index));
    expect(lines[0]).toEqual({
      level: 30,
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      ...fields,
      ms: 0,
      msg: "request",
    });
    expect(blocks.length).toBeLessThan(20);
  });

  it("contains no key and no secret, and nothing below the log level", () => {
    const blocks: string[] = [];
    const destination = { write: (lines: string) => void blocks.push(lines) };
    const log = requestLog("debug", ['a"secret'], destination);
    log.info({ ...fields, path: `/x/${KEY}` }, "request");
    log.info({ ...fields, path: '/x/a"secret' }, "request");
    log.flush();
    expect(blocks.join("")).not.toMatch(/jdbswSlK1xog9|a\\"secret/);
    const silent = requestLog("warn", [], destination);
    silent.info(fields, "request");
    silent.flush();
    expect(blocks).toHaveLength(1);
  });
});

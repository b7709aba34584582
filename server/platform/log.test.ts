import { describe, expect, it } from "vitest";
import { createLogger } from "#server/platform/log.ts";

const KEY = "mo_y9t1PzRU_jdbswSlK1xog9ivrXhxe0jR99h7ZSGMR0";

function written(write: (log: ReturnType<typeof createLogger>) => void, secrets: string[] = []): string {
  const lines: string[] = [];
  write(createLogger("trace", secrets, { write: (line) => void lines.push(line) }));
  return lines.join("");
}

describe("the log", () => {
  it("holds no key, wherever it was put", () => {
    const error = new Error(`refused ${KEY}`);
    const line = written((log) => log.error({ err: error, url: `/x#key=${KEY}`, deep: { er: [KEY] } }, KEY));
    expect(line).toContain('"msg":"[key]"');
    expect(line).not.toContain(KEY.slice(12));
  });

  it("holds no secret of the environment, also where JSON writes it otherwise", () => {
    const secret = 'quote"and\\slash';
    const line = written((log) => log.info({ given: secret }, `key ${secret}`), [secret]);
    expect(JSON.parse(line)).toMatchObject({ given: "[key]", msg: "key [key]" });
  });

  it.each([
    [{ headers: { "x-api-key": "something" } }],
    [{ req: { headers: { "x-api-key": "something", authorization: "something" } } }],
    [{ "x-api-key": "something", apiKey: "something", password: "something" }],
  ])("redacts the fields that hold one: %j", (fields) => {
    expect(written((log) => log.info(fields, "request"))).not.toContain("something");
  });
});

import { expect, it } from "vitest";
import { z } from "zod";
import { ServiceError } from "./api-fetch.ts";
import { parseReply, readJson } from "./parse-reply.ts";

it("returns the fields of the contract", async () => {
  const body = await readJson(new Response('{"n": 1, "more": 2}'));
  expect(parseReply(body, z.object({ n: z.number() }))).toEqual({ n: 1 });
});

it.each(["<html>Please log in</html>", "", '{"n":'])(
  "reports in words that %o is not a reply",
  async (body) => {
    const failure = await readJson(new Response(body)).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ServiceError);
    expect((failure as Error).message).toMatch(/^This answer is not the service's/);
  },
);

it("reports in words that a body does not match the contract", () => {
  expect(() => parseReply({ error: "?" }, z.object({ n: z.number() }))).toThrow(
    /^This answer is not the service's/,
  );
});

import { expect, it } from "vitest";
import { z } from "zod";
import { jsonOf, parseReply } from "./parse-reply.ts";
import { ServiceError } from "./service.ts";

it("gives what the contract knows", async () => {
  const said = await jsonOf(new Response('{"n": 1, "more": 2}'));
  expect(parseReply(said, z.object({ n: z.number() }))).toEqual({ n: 1 });
});

it.each(["<html>Please log in</html>", "", '{"n":'])("tells in words that %o is no answer", async (body) => {
  const failure = await jsonOf(new Response(body)).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ServiceError);
  expect((failure as Error).message).toMatch(/^This answer is not the service's/);
});

it("tells in words that it does not know an answer", () => {
  expect(() => parseReply({ error: "?" }, z.object({ n: z.number() }))).toThrow(
    /^This answer is not the service's/,
  );
});

import { expect, it } from "vitest";
import { z } from "zod";
import { ServiceError } from "./service.ts";
import { jsonOf, understood } from "./understood.ts";

it("gives what the contract knows", async () => {
  const said = await jsonOf(new Response('{"n": 1, "more": 2}'));
  expect(understood(said, z.object({ n: z.number() }))).toEqual({ n: 1 });
});

it.each(["<html>Please log in</html>", "", '{"n":'])("tells in words that %o is no answer", async (body) => {
  const failure = await jsonOf(new Response(body)).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ServiceError);
  expect((failure as Error).message).toMatch(/^This answer is not the service's/);
});

it("tells in words that it does not know an answer", () => {
  expect(() => understood({ error: "?" }, z.object({ n: z.number() }))).toThrow(
    /^This answer is not the service's/,
  );
});

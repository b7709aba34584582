import { afterEach, expect, it, vi } from "vitest";
import { z } from "zod";
import { errorText } from "#lib/messages/fault.ts";
import { de } from "#lib/messages/generated/de.ts";
import { ja } from "#lib/messages/generated/ja.ts";
import { apiFetch, rateLimitSeconds, ServiceError } from "./api-fetch.ts";
import { parseReply, readJson } from "./parse-reply.ts";

afterEach(() => vi.unstubAllGlobals());

async function failureOf(reply: Response | Error): Promise<ServiceError> {
  vi.stubGlobal("fetch", async () => {
    if (reply instanceof Error) throw reply;
    return reply;
  });
  const error = await apiFetch("/x", { key: "key" }).catch((error: unknown) => error);
  expect(error).toBeInstanceOf(ServiceError);
  return error as ServiceError;
}

it.each([
  ["{oops", "The server could not answer (502)."],
  ["<html>Bad gateway</html>", "The server could not answer (502)."],
  ["null", "The server could not answer (502)."],
  ["", "The server could not answer (502)."],
  ['{"detail":"Out of order"}', "Out of order"],
  ['{"error":"Broken","task_id":"x"}', "Broken"],
])("reports a failure with the body %o as %o, and never as a syntax error", async (body, message) => {
  const failure = await failureOf(new Response(body, { status: 502 }));
  expect([failure.message, failure.status]).toEqual([message, 502]);
});

it("names the first three problems of a request and where they are", async () => {
  const detail = ["a", "b", "c", "d"].map((name) => ({ loc: ["body", name, 0], msg: "Wrong" }));
  const failure = await failureOf(Response.json({ detail }, { status: 422 }));
  expect(failure.message).toBe("The server does not take this. a 0: Wrong b 0: Wrong c 0: Wrong");
});

it("reports how long a rate limit lasts", async () => {
  const limited = new Response("", { status: 429, headers: { "retry-after": "23" } });
  const failure = await failureOf(limited);
  expect([failure.message, rateLimitSeconds(failure)]).toEqual(["Too many requests.", 23]);
  expect(rateLimitSeconds(new ServiceError("Out of order", 503, 5))).toBeUndefined();
});

it("reports an unreachable service with status 0", async () => {
  const failure = await failureOf(new TypeError("Failed to fetch"));
  expect([failure.message, failure.status]).toEqual(["The server could not be reached.", 0]);
});

it("what the page says of a failure is in its language; what the service says stays as it is", () => {
  const failed = new ServiceError({ is: "failed", status: 502 }, 502);
  expect(failed.message).toBe("The server could not answer (502).");
  expect(errorText(failed, de)).toBe("Der Server konnte nicht antworten (502).");
  expect(errorText(failed, ja)).toBe("サーバーが応答できませんでした（502）。");
  const rejected = new ServiceError({ is: "rejected", problems: "lat: Wrong" }, 422);
  expect(errorText(rejected, de)).toBe("Der Server nimmt diese Anfrage nicht an. lat: Wrong");
  expect(errorText(new ServiceError("Out of order", 503), de)).toBe("Out of order");
});

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

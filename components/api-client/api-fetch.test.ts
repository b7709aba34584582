import { onlineManager } from "@tanstack/react-query";
import { afterEach, expect, it, vi } from "vitest";
import { z } from "zod";
import { errorText } from "#lib/messages/fault.ts";
import { de } from "#lib/messages/generated/de.ts";
import { apiFetch, rateLimitSeconds, retryPolicy, ServiceError } from "./api-fetch.ts";
import { parseReply, readJson } from "./parse-reply.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  onlineManager.setOnline(true);
});

async function failureOf(reply: Response | Error): Promise<ServiceError> {
  vi.stubGlobal("fetch", async () => {
    if (reply instanceof Error) throw reply;
    return reply;
  });
  const error = await apiFetch("/x", { key: "key" }).catch((error: unknown) => error);
  expect(error).toBeInstanceOf(ServiceError);
  return error as ServiceError;
}

const detail = ["a", "b", "c", "d"].map((name) => ({ loc: ["body", name, 0], msg: "Wrong" }));

it.each([
  [502, "{oops", "The server could not answer (502)."],
  [502, "null", "The server could not answer (502)."],
  [502, '{"detail":"Out of order"}', "Out of order"],
  [502, '{"error":"Broken","task_id":"x"}', "Broken"],
  [
    422,
    JSON.stringify({ detail: [{ loc: ["body", "target"], msg: "Value error, The name is not known" }] }),
    "The server did not accept this. target: The name is not known",
  ],
  [422, JSON.stringify({ detail }), "The server did not accept this. a 0: Wrong b 0: Wrong c 0: Wrong"],
])(
  "a failure %i with the body %o is told in words, never as a syntax error",
  async (status, body, message) => {
    expect(await failureOf(new Response(body, { status }))).toMatchObject({ message, status });
  },
);

it("a rate limit says how long it lasts; a service that is not there has status 0", async () => {
  const limited = new Response("", { status: 429, headers: { "retry-after": "23" } });
  const failure = await failureOf(limited);
  expect([failure.message, rateLimitSeconds(failure)]).toEqual(["Too many requests.", 23]);
  expect(rateLimitSeconds(new ServiceError("Out of order", 503, 5))).toBeUndefined();
  expect(await failureOf(new TypeError("Failed to fetch"))).toMatchObject({
    message: "The server could not be reached.",
    status: 0,
  });
});

it.each([
  ["told at once without a network", false, 0, 0],
  ["tried again with one", true, 0, 2],
  ["tried again where a service answers that it is out, even without one", false, 503, 2],
])("an outage is %s", async (_, isOnline, status, retries) => {
  onlineManager.setOnline(isOnline);
  const failure = await failureOf(
    status === 0 ? new TypeError("Failed to fetch") : new Response("", { status }),
  );
  expect([0, 1, 2].filter((failures) => retryPolicy.retry(failures, failure))).toHaveLength(retries);
});

it.each([
  [{ is: "failed", status: 502 } as const, "Der Server konnte nicht antworten (502)."],
  [
    { is: "rejected", problems: "lat: Wrong" } as const,
    "Der Server nimmt diese Anfrage nicht an. lat: Wrong",
  ],
  ["Out of order", "Out of order"],
])("what the page says of %o is in its language; what the service says stays as it is", (said, text) => {
  expect(errorText(new ServiceError(said, 502), de)).toBe(text);
});

it("a reply has the fields of the contract; anything else is none of the service", async () => {
  const schema = z.object({ n: z.number() });
  expect(parseReply(await readJson(new Response('{"n": 1, "more": 2}')), schema)).toEqual({ n: 1 });
  const foreign = /^This answer does not come from the service/;
  for (const body of ["<html>Please log in</html>", "", '{"n":'])
    await expect(readJson(new Response(body))).rejects.toThrow(foreign);
  expect(() => parseReply({ error: "?" }, schema)).toThrow(foreign);
});

import { expect, it } from "vitest";
import type { Reply } from "#server/http/api-request.ts";
import { checkedReply } from "./check-reply.ts";

const json = (status: number, value: unknown): Reply => ({
  status,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(value),
});

const failure = { task_id: "a", status: "FAILURE", error: "no" };

it("refuses what /openapi.json does not describe", () => {
  const check =
    (path: string, reply: Reply, sent: unknown = {}) =>
    () =>
      checkedReply("POST", path, sent, reply);
  expect(check("/cancel_task/a", json(200, failure))).toThrow("task_name");
  expect(check("/cancel_task/a", json(418, {}))).toThrow("status");
  expect(check("/cancel_task/a", { ...json(404, {}), headers: { "content-type": "text/html" } })).toThrow(
    "text/html",
  );
  expect(check("/MetOcean", json(422, { detail: "text" }))).toThrow("detail");
  expect(check("/MetOcean", json(200, failure))).toThrow("what was sent");
  const times = { task_name: null, created_at: "", finished_at: "", expires_at: "" };
  expect(check("/cancel_task/a", json(200, { ...failure, ...times, more: 1 }))).toThrow("more");
});

it("checks a streamed body when it has been read", async () => {
  const body = (async function* () {
    yield Buffer.from('{"detail":');
    yield Buffer.from("1}");
  })();
  const reply = checkedReply("GET", "/task/a", undefined, { ...json(404, {}), body });
  const read = async () => {
    for await (const _chunk of reply.body as AsyncIterable<Uint8Array>);
  };
  await expect(read()).rejects.toThrow("GET /task/a with 404");
});

import { afterEach, expect, it, vi } from "vitest";
import { submitTask, type TaskBody } from "#components/tasks/task-calls.ts";

afterEach(() => vi.unstubAllGlobals());

const task = (latitude: number): TaskBody => ({
  kind: "MetOcean",
  body: { points: [{ latitude, longitude: 0, timestamp: "2026-01-01T00:00:00Z" }], variables: ["wind"] },
});

it("a task whose answer was lost is sent again as the same one; another, or one more, is another", async () => {
  const sent: (string | null)[] = [];
  let reachable = false;
  vi.stubGlobal("fetch", async (_path: string, { headers }: { headers: Headers }) => {
    sent.push(headers.get("idempotency-key"));
    if (!reachable) throw new TypeError("Failed to fetch");
    return Response.json(
      { task_id: "8a4f8f0e-7f1c-4b0c-9a55-1f2e3d4c5b6a", status: "PENDING" },
      { status: 202 },
    );
  });
  await expect(submitTask("key", task(1))).rejects.toThrow("could not be reached");
  await expect(submitTask("key", task(2))).rejects.toThrow("could not be reached");
  reachable = true;
  await submitTask("key", task(2));
  await submitTask("key", task(2));
  const [first, lost, again, more] = sent;
  expect(again).toBe(lost);
  expect(new Set([first, lost, more]).size).toBe(3);
});

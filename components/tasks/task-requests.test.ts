import { afterEach, expect, it, vi } from "vitest";
import type { ListedTask } from "#lib/contract/task.ts";
import { MAX_DRAWN_POINTS, pointsOf } from "./task-points.ts";
import { keepEnded, submitTask, type TaskBody } from "./task-requests.ts";

afterEach(() => vi.unstubAllGlobals());

const task = (latitude: number): TaskBody => ({
  kind: "MetOcean",
  body: { points: [{ latitude, longitude: 0, timestamp: "2026-01-01T00:00:00Z" }], variables: ["wind"] },
});

it("a task whose reply was lost is sent again with the same Idempotency-Key; a different or additional task is not", async () => {
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

it.each([400, 401, 413, 422, 429])(
  "forgets a submission that the service refused with %i",
  async (status) => {
    const sent: (string | null)[] = [];
    vi.stubGlobal("fetch", async (_path: string, { headers }: { headers: Headers }) => {
      sent.push(headers.get("idempotency-key"));
      return Response.json({ detail: "No" }, { status });
    });
    await expect(submitTask("key", task(status))).rejects.toThrow();
    await expect(submitTask("key", task(status))).rejects.toThrow();
    expect(new Set(sent).size).toBe(2);
  },
);

it("keeps the Idempotency-Key of a lost reply while the service is only busy", async () => {
  const sent: (string | null)[] = [];
  const replies = [new Response("", { status: 502 }), new Response("", { status: 429 })];
  vi.stubGlobal("fetch", async (_path: string, { headers }: { headers: Headers }) => {
    sent.push(headers.get("idempotency-key"));
    return (
      replies.shift() ?? Response.json({ task_id: "8a4f8f0e-7f1c-4b0c-9a55-1f2e3d4c5b6a", status: "PENDING" })
    );
  });
  await expect(submitTask("key", task(9))).rejects.toThrow("could not answer (502)");
  await expect(submitTask("key", task(9))).rejects.toThrow("Too many requests");
  await submitTask("key", task(9));
  expect(new Set(sent).size).toBe(1);
});

it("two tasks submitted at the same time each keep their own Idempotency-Key", async () => {
  const sent: (string | null)[] = [];
  const lost = () => Promise.reject(new TypeError("Failed to fetch"));
  const answered = Promise.withResolvers<Response>();
  vi.stubGlobal("fetch", (_path: string, { headers }: { headers: Headers }) => {
    sent.push(headers.get("idempotency-key"));
    return sent.length === 2 ? answered.promise : lost();
  });
  const [one, other] = [submitTask("key", task(3)), submitTask("key", task(4))];
  await expect(one).rejects.toThrow("could not be reached");
  answered.resolve(Response.json({ task_id: "8a4f8f0e-7f1c-4b0c-9a55-1f2e3d4c5b6a", status: "PENDING" }));
  await other;
  await expect(submitTask("key", task(3))).rejects.toThrow("could not be reached");
  await expect(submitTask("key", task(4))).rejects.toThrow("could not be reached");
  expect(sent[2]).toBe(sent[0]);
  expect(new Set(sent).size).toBe(3);
});

it("a task that is known to have ended does not become pending again by a list that arrives late", () => {
  const listed = (task_id: string, status: "PENDING" | "SUCCESS") => ({ task_id, status }) as ListedTask;
  const shown = [listed("a", "SUCCESS"), listed("b", "PENDING"), listed("gone", "SUCCESS")];
  const read = [listed("new", "PENDING"), listed("a", "PENDING"), listed("b", "SUCCESS")];
  expect(keepEnded(shown, read)).toEqual([read[0], shown[0], read[2]]);
  expect(keepEnded(undefined, read)).toEqual(read);
});

const at = (hour: number, longitude = hour) => ({
  latitude: 48,
  longitude,
  timestamp: `2026-09-15T${String(hour).padStart(2, "0")}:00:00Z`,
});

it("has every point of a route, in its order", () => {
  expect(pointsOf({ task_name: "Crossing", points: [at(1), at(2), at(5)], variables: ["wind"] })).toEqual({
    name: "Crossing",
    points: [1, 2, 5].map((longitude) => ({ latitude: 48, longitude })),
    isRoute: true,
  });
});

it.each([
  ["of one time", [at(1, 1), at(1, 2)]],
  ["in no order", [at(2), at(1)]],
  ["of one place", [at(1)]],
])("joins no points %s by a line", (_, points) => {
  expect(pointsOf({ points })).toMatchObject({ isRoute: false, points: { length: points.length } });
});

it("has no points of a box, nor of a list that is too long to be drawn", () => {
  expect(pointsOf({ bounding_boxes: [], variable: "wind" }).points).toEqual([]);
  expect(pointsOf({ points: Array.from({ length: MAX_DRAWN_POINTS + 1 }, () => at(1)) }).points).toEqual([]);
});

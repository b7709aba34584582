import { afterEach, expect, it, vi } from "vitest";
import type { ListedTask } from "#lib/contract/task.ts";
import { MAX_DRAWN_POINTS, pointsOf } from "./task-points.ts";
import { keepEnded, submitTask, type TaskBody } from "./task-requests.ts";

afterEach(() => vi.unstubAllGlobals());

const task = (latitude: number): TaskBody => ({
  kind: "MetOcean",
  body: { points: [{ latitude, longitude: 0, timestamp: "2026-01-01T00:00:00Z" }], variables: ["wind"] },
});

type Reply = Response | "lost" | Promise<Response>;
const accepted = () => Response.json({ task_id: "8a4f8f0e-7f1c-4b0c-9a55-1f2e3d4c5b6a", status: "PENDING" });
const refused = (status: number) => Response.json({ detail: "No" }, { status });

/** Answers submissions one after another. @returns Their Idempotency-Keys. */
function answers(...replies: Reply[]): (string | null)[] {
  const sent: (string | null)[] = [];
  vi.stubGlobal("fetch", async (_path: string, { headers }: { headers: Headers }) => {
    const reply = replies[sent.length];
    sent.push(headers.get("idempotency-key"));
    if (reply === "lost") throw new TypeError("Failed to fetch");
    return reply;
  });
  return sent;
}
const failing = (latitude: number) => expect(submitTask("key", task(latitude))).rejects.toThrow();

it("a task whose reply was lost is sent again with the same Idempotency-Key; a different or additional task is not", async () => {
  const sent = answers("lost", "lost", accepted(), accepted());
  await failing(1);
  await failing(2);
  await submitTask("key", task(2));
  await submitTask("key", task(2));
  const [first, lost, again, more] = sent;
  expect([again === lost, new Set([first, lost, more]).size]).toEqual([true, 3]);
});

it.each([400, 401, 413, 422, 429])(
  "forgets a submission that the service refused with %i",
  async (status) => {
    const sent = answers(refused(status), refused(status));
    await failing(status);
    await failing(status);
    expect(new Set(sent).size).toBe(2);
  },
);

it("keeps the Idempotency-Key of a lost reply while the service is only busy", async () => {
  const sent = answers(refused(502), refused(429), accepted());
  await failing(9);
  await failing(9);
  await submitTask("key", task(9));
  expect(new Set(sent).size).toBe(1);
});

it("two tasks submitted at the same time each keep their own Idempotency-Key", async () => {
  const answered = Promise.withResolvers<Response>();
  const sent = answers("lost", answered.promise, "lost", "lost");
  const [one, other] = [failing(3), submitTask("key", task(4))];
  await one;
  answered.resolve(accepted());
  await other;
  await failing(3);
  await failing(4);
  expect([sent[2] === sent[0], new Set(sent).size]).toEqual([true, 3]);
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

it.each([
  ["a route, in its order, joined by a line", [at(1), at(2), at(5)], [1, 2, 5], true],
  ["of one time", [at(1, 1), at(1, 2)], [1, 2], false],
  ["in no order", [at(2), at(1)], [2, 1], false],
  ["of one place", [at(1)], [1], false],
  ["too many to be drawn", Array.from({ length: MAX_DRAWN_POINTS + 1 }, () => at(1)), [], false],
  ["of a box", undefined, [], false],
])("the map has the points of a task: %s", (_, points, longitudes, isRoute) => {
  expect(pointsOf({ task_name: "Crossing", ...(points && { points }) })).toEqual({
    name: "Crossing",
    points: longitudes.map((longitude) => ({ latitude: 48, longitude })),
    isRoute,
  });
});

import { afterEach, expect, it, vi } from "vitest";
import { emptyPlan } from "#components/view-state/plan.ts";
import { taskHasMoreTime } from "#lib/contract/task-advice.ts";
import type { PassageBody } from "./passage-request.ts";
import { passageByTask, passageWhenReady } from "./passage-task.ts";

afterEach(() => void vi.unstubAllGlobals());

const plan = { ...emptyPlan, name: "Biscay" };
const body = { route: [], departures: {} } as unknown as PassageBody;

/** Asks a service that answers each request with the next reply. @returns What came of it, and what was sent. */
async function ask(...replies: Response[]) {
  const sent: { body: unknown; key: string | null }[] = [];
  vi.stubGlobal("fetch", async (_path: string, { body, headers }: { body: string; headers: HeadersInit }) => {
    sent.push({ body: JSON.parse(body), key: new Headers(headers).get("idempotency-key") });
    return replies.shift();
  });
  const { signal } = new AbortController();
  const result = await passageWhenReady("a-key", plan, body, signal, () => undefined).catch(
    (error: Error) => error,
  );
  return { result, sent };
}

const refusal = (status: number, detail: string) => Response.json({ detail }, { status });

it("what the service is too busy to answer at once is sent as a task with the name of its plan, once, with a key of its own", async () => {
  const { result, sent } = await ask(
    refusal(503, `The service is busy. ${taskHasMoreTime}: send it with "async": true.`),
    refusal(403, "No tasks with this key"),
  );
  expect(sent.map(({ body }) => body)).toEqual([body, { ...body, async: true, task_name: "Biscay" }]);
  expect(sent.map(({ key }) => key)).toEqual([null, expect.stringMatching(/./)]);
  expect(result).toMatchObject({ status: 403, message: "No tasks with this key" });
});

it("a task is cancelled too where it was given up while it was being accepted", async () => {
  const controller = new AbortController();
  const sent: string[] = [];
  vi.stubGlobal("fetch", async (path: string) => {
    sent.push(path);
    controller.abort();
    return Response.json({ task_id: "an-id", status: "PENDING" }, { status: 202 });
  });
  const task = passageByTask("/passages/evaluate", "a-key", body, controller.signal, () => undefined);
  await expect(task).rejects.toThrow();
  expect(sent).toEqual(["/passages/evaluate", "/cancel_task/an-id"]);
});

it.each([
  [404, "There is no such layer"],
  [503, "The archive's store cannot be reached"],
])("what the service refuses for another reason becomes no task: %i, %s", async (status, detail) => {
  const { result, sent } = await ask(refusal(status, detail));
  expect(sent).toHaveLength(1);
  expect(result).toMatchObject({ status, message: detail });
});

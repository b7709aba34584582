import { afterEach, expect, it, vi } from "vitest";
import { emptyPlan } from "#components/view-state/plan.ts";
import { taskHasMoreTime } from "#lib/contract/limits.ts";
import { passageByTask, passageWhenReady, sendPassage } from "./passage-queries.ts";
import type { PassageBody } from "./passage-request.ts";

afterEach(() => void vi.unstubAllGlobals());

const body = { route: [], storms: "jtwc" } as unknown as PassageBody;

/** Sends a passage to a service that refuses the first request. @returns What came of it, and the bodies that were sent. */
async function send(detail: string) {
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", async (_path: string, { body }: { body: string }) => {
    sent.push(JSON.parse(body));
    return sent.length > 1 ? new Response("{}") : Response.json({ detail }, { status: 503 });
  });
  const { signal } = new AbortController();
  const result = await sendPassage("/passages/evaluate", "a-key", body, signal).catch(
    (error: Error) => error,
  );
  return { result, sent };
}

it("a passage is evaluated without storms where none were ever received", async () => {
  const { result, sent } = await send("Storms of jtwc have not been received yet");
  expect(result).toMatchObject({ withStorms: false });
  expect(sent).toEqual([{ route: [], storms: "jtwc" }, { route: [] }]);
});

it("a service that is busy does not cost a passage its storms", async () => {
  const { result, sent } = await send("The service is busy. Please try again in a second.");
  expect(result).toMatchObject({ name: "ServiceError", status: 503 });
  expect(sent).toHaveLength(1);
});

const plan = { ...emptyPlan, name: "Biscay" };
const sweepBody = { route: [], departures: {} } as unknown as PassageBody;

/** Asks a service that answers each request with the next reply. @returns What came of it, and what was sent. */
async function ask(...replies: Response[]) {
  const sent: { body: unknown; key: string | null }[] = [];
  vi.stubGlobal("fetch", async (_path: string, { body, headers }: { body: string; headers: HeadersInit }) => {
    sent.push({ body: JSON.parse(body), key: new Headers(headers).get("idempotency-key") });
    return replies.shift();
  });
  const { signal } = new AbortController();
  const result = await passageWhenReady("a-key", plan, sweepBody, signal, () => undefined).catch(
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
  expect(sent.map(({ body }) => body)).toEqual([
    sweepBody,
    { ...sweepBody, async: true, task_name: "Biscay" },
  ]);
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
  const task = passageByTask("/passages/evaluate", "a-key", sweepBody, controller.signal, () => undefined);
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

import { afterEach, expect, it, vi } from "vitest";
import { emptyPlan } from "#components/view-state/plan.ts";
import { taskHasMoreTime } from "#lib/contract/limits.ts";
import { passageByTask, passageWhenReady, sendPassage } from "./passage-queries.ts";
import type { PassageBody } from "./passage-request.ts";

afterEach(() => void vi.unstubAllGlobals());

const body = { route: [], storms: "jtwc" } as unknown as PassageBody;
const { signal } = new AbortController();
const refusal = (status: number, detail: string) => Response.json({ detail }, { status });

/**
 * Sends to a service that answers each request with the next reply. @returns The results and the sent
 * requests.
 */
async function ask(send: () => Promise<unknown>, ...replies: Response[]) {
  const sent: { body: unknown; key: string | null }[] = [];
  vi.stubGlobal("fetch", async (_path: string, { body, headers }: { body: string; headers: HeadersInit }) => {
    sent.push({ body: JSON.parse(body), key: new Headers(headers).get("idempotency-key") });
    return replies.shift();
  });
  return { result: await send().catch((error: Error) => error), sent };
}

const evaluate = () => sendPassage("/passages/evaluate", "a-key", body, signal);
const plan = { ...emptyPlan, name: "Biscay" };
const whenReady = () => passageWhenReady("a-key", plan, body, signal, () => undefined);

it("a passage is evaluated without storms where none were ever received", async () => {
  const none = refusal(503, "Storms of jtwc have not been received yet");
  const { result, sent } = await ask(evaluate, none, new Response("{}"));
  expect(result).toMatchObject({ withStorms: false });
  expect(sent.map(({ body }) => body)).toEqual([{ route: [], storms: "jtwc" }, { route: [] }]);
});

it("what the service is too busy to answer at once is sent as a task with the name of its plan, once, with a key of its own", async () => {
  const busy = refusal(503, `The service is busy. ${taskHasMoreTime}: send it with "async": true.`);
  const { result, sent } = await ask(whenReady, busy, refusal(403, "No tasks with this key"));
  expect(sent.map(({ body }) => body)).toEqual([body, { ...body, async: true, task_name: "Biscay" }]);
  expect(sent.map(({ key }) => key)).toEqual([null, expect.stringMatching(/./)]);
  expect(result).toMatchObject({ status: 403, message: "No tasks with this key" });
});

it.each([
  [404, "There is no such layer"],
  [503, "The service is busy. Please try again in a second."],
])(
  "what the service refuses for another reason becomes no task, and keeps its storms: %i, %s",
  async (status, detail) => {
    const { result, sent } = await ask(whenReady, refusal(status, detail));
    expect(sent).toHaveLength(1);
    expect(result).toMatchObject({ name: "ServiceError", status, message: detail });
  },
);

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

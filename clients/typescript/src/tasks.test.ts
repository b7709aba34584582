import { expect, it } from "vitest";
import { createClient } from "./client.ts";

const entry = (status: string, progress: number) => ({
  task_id: "a b",
  status,
  progress,
  queue_position: null,
});
const event = (name: string, status: string, progress: number) =>
  `event: ${name}\ndata: ${JSON.stringify(entry(status, progress))}\n\n`;
const finished = () =>
  Response.json(
    { task_id: ["a b"], status: "SUCCESS", result: { results: [] } },
    { headers: { etag: '"1"' } },
  );

/** A task whose requests are answered by path, each time with the next reply. */
function taskAnswered(replies: Record<string, (Response | Error)[]>) {
  const asked: string[] = [];
  const waits: number[] = [];
  const client = createClient({
    url: "http://service",
    sleep: async (milliseconds) => void waits.push(milliseconds),
    fetch: async (url, init) => {
      const path = String(url).slice("http://service".length);
      asked.push(`${init?.method ?? "GET"} ${path}`);
      const reply = replies[path]?.shift() ?? new Response("{}", { status: 404 });
      if (reply instanceof Error) throw reply;
      return reply;
    },
  });
  return { task: client.tasks.open("a b"), asked, waits };
}

const EVENTS = "/task/a%20b/events";
const STATE = "/task/a%20b";

it("follows the events of a task to its end, then reads its result", async () => {
  const { task, asked } = taskAnswered({
    [EVENTS]: [new Response(event("progress", "PENDING", 0.5) + event("end", "SUCCESS", 1))],
    [STATE]: [finished()],
  });
  const seen: number[] = [];
  const { result } = await task.result({ onProgress: ({ progress }) => void seen.push(progress) });
  expect([seen, result.results]).toEqual([[0.5, 1], []]);
  expect(asked).toEqual([`GET ${EVENTS}`, `GET ${STATE}`]);
});

it("opens a stream again that broke, or that a server ends which restarts, as late as it says", async () => {
  const { task, waits } = taskAnswered({
    [EVENTS]: [
      new Response("retry: 1500\n\n"),
      new Response("retry: 1500\n\n"),
      new Response("retry: 1500\n\n"),
      new Response(event("progress", "PENDING", 0.5)),
      new Response(event("end", "FAILURE", 0.5)),
    ],
    [STATE]: [Response.json({ task_id: "a b", status: "FAILURE", error: "Task cancelled by user" })],
  });
  await expect(task.result()).rejects.toMatchObject({
    name: "FailureError",
    message: "Task cancelled by user",
  });
  expect(waits).toEqual([1_500, 1_500, 1_500, 3_000]);
});

it("asks for a task again and again where its events do not arrive, and not for its result", async () => {
  const pending = (progress: number) => Response.json(entry("PENDING", progress));
  const success = finished();
  const { task, waits } = taskAnswered({
    [EVENTS]: [new Response(""), new Response(": held back")],
    [STATE]: [pending(0.1), pending(0.1), new TypeError("fetch failed"), pending(0.4), success],
  });
  const seen = [];
  for await (const progress of task.progress()) seen.push(progress);
  expect(seen.map(({ status, progress }) => [status, progress])).toEqual([
    ["PENDING", 0.1],
    ["PENDING", 0.4],
    ["SUCCESS", 1],
  ]);
  expect(waits.length).toBeGreaterThan(3);
  expect(success.bodyUsed || success.body?.locked === false).toBe(true);
});

it.each([401, 404, 410])("gives up where the service answers %i", async (status) => {
  const { task, asked } = taskAnswered({ [EVENTS]: [Response.json({ detail: "No" }, { status })] });
  await expect(task.result()).rejects.toMatchObject({ status });
  expect(asked).toHaveLength(1);
});

it("an abort ends the waiting and leaves the task as it is", async () => {
  const { task, asked } = taskAnswered({
    [EVENTS]: [new Response(event("progress", "PENDING", 0.5)), new Response(event("end", "SUCCESS", 1))],
  });
  const controller = new AbortController();
  const waiting = task.result({
    signal: controller.signal,
    onProgress: () => controller.abort(new Error("enough")),
  });
  await expect(waiting).rejects.toThrow("enough");
  expect(asked).toEqual([`GET ${EVENTS}`]);
});

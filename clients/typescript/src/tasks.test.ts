import { expect, it } from "vitest";
import { createClient } from "./client.ts";
import { serverEvents } from "./task-events.ts";

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

/**
 * A task whose requests are answered by path, each time with the next reply; null means that the connection
 * fails.
 */
function taskAnswered(replies: { events?: (Response | null)[]; state?: (Response | null)[] }) {
  const asked: string[] = [];
  const waits: number[] = [];
  const client = createClient({
    url: "http://service",
    retry: false,
    sleep: async (milliseconds) => void waits.push(milliseconds),
    fetch: async (url) => {
      expect(String(url)).toMatch(/^http:\/\/service\/task\/a%20b/);
      const kind = String(url).endsWith("/events") ? "events" : "state";
      asked.push(kind);
      const reply = replies[kind]?.shift();
      if (reply === null) throw new TypeError("fetch failed");
      return reply ?? new Response("{}", { status: 404 });
    },
  });
  return { task: client.tasks.open("a b"), asked, waits };
}

it("follows the events of a task to its end, then reads its result", async () => {
  const { task, asked } = taskAnswered({
    events: [new Response(event("progress", "PENDING", 0.5) + event("end", "SUCCESS", 1))],
    state: [finished()],
  });
  const seen: number[] = [];
  const { result } = await task.result({ onProgress: ({ progress }) => void seen.push(progress) });
  expect([seen, result.results, asked]).toEqual([[0.5, 1], [], ["events", "state"]]);
});

it("opens a stream again that broke, or that a server ends which restarts or has no room, as late as it says", async () => {
  const full = new Response("{}", { status: 429, headers: { "retry-after": "10" } });
  const restarts = () => new Response("retry: 1500\n\n");
  const { task, waits } = taskAnswered({
    events: [
      restarts(),
      restarts(),
      restarts(),
      null,
      full,
      new Response(event("progress", "PENDING", 0.5)),
      new Response(event("end", "FAILURE", 0.5)),
    ],
    state: [Response.json({ task_id: "a b", status: "FAILURE", error: "Task cancelled by user" })],
  });
  const cancelled = { name: "FailureError", message: "Task cancelled by user" };
  await expect(task.result()).rejects.toMatchObject(cancelled);
  expect(waits).toEqual([1_500, 1_500, 1_500, 3_000, 10_000, 3_000]);
});

it("asks for a task again and again where its events do not arrive, and not for its result", async () => {
  const pending = (progress: number) => Response.json(entry("PENDING", progress));
  const success = finished();
  const { task, waits } = taskAnswered({
    events: [new Response(""), new Response(": held back")],
    state: [pending(0.1), pending(0.1), null, pending(0.4), success],
  });
  const seen: string[] = [];
  for await (const { status, progress } of task.progress()) seen.push(`${status} ${progress}`);
  expect(seen).toEqual(["PENDING 0.1", "PENDING 0.4", "SUCCESS 1"]);
  expect(waits.length).toBeGreaterThan(3);
  expect(success.bodyUsed || success.body?.locked === false).toBe(true);
});

it.each([401, 404, 410])("gives up where the service answers %i", async (status) => {
  const { task, asked } = taskAnswered({ events: [Response.json({ detail: "No" }, { status })] });
  await expect(task.result()).rejects.toMatchObject({ status });
  expect(asked).toHaveLength(1);
});

it("an abort ends the waiting and leaves the task as it is", async () => {
  const { task, asked } = taskAnswered({ events: [new Response(event("progress", "PENDING", 0.5))] });
  const controller = new AbortController();
  const onProgress = () => controller.abort(new Error("enough"));
  await expect(task.result({ signal: controller.signal, onProgress })).rejects.toThrow("enough");
  expect(asked).toEqual(["events"]);
});

const text =
  'event: progress\ndata: {"a":1}\n\n: still here\n\nretry: 1500\n\nretry: soon\n\nevent: end\ndata: é\ndata: x\n\n';

it.each([
  ["whole", [text]],
  ["letter by letter", [...text]],
  ["with an unfinished event at its end, which is dropped", [`${text}event: end\ndata: x\n`]],
])("reads the events of a stream that comes %s", async (_, pieces) => {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(encoder.encode(piece));
      controller.close();
    },
  });
  const waits: number[] = [];
  const read = [];
  for await (const one of serverEvents(body, { onRetry: (ms) => waits.push(ms) })) read.push(one);
  const events = [
    { event: "progress", data: '{"a":1}' },
    { event: "end", data: "é\nx" },
  ];
  expect([read, waits]).toEqual([events, [1500]]);
});

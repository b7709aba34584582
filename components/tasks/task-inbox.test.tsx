import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ServiceError } from "#components/api-client/api-fetch.ts";
import type { ListedTask } from "#lib/contract/task.ts";
import { fr, ja } from "#test/all-words.ts";
import { failedCache, filledCache, renderInPage, TEST_KEY } from "#test/render.tsx";
import { type Deletions, deferDeletions, noDeletions, TaskInbox, UNDO_MS } from "./task-inbox.tsx";
import { taskListQuery } from "./task-requests.ts";

const inbox = <TaskInbox now={0} />;
const query = taskListQuery(TEST_KEY);

const task = (more: Partial<ListedTask>): ListedTask => ({
  task_id: "8a4f8f0e-7f1c-4b0c-9a55-1f2e3d4c5b6a",
  task_name: "Crossing",
  kind: "MetOcean",
  created_at: new Date(Date.now() - 720_000).toISOString(),
  started_at: null,
  finished_at: null,
  expires_at: null,
  progress: 0,
  queue_position: 2,
  status: "PENDING",
  size: 12_000,
  error: null,
  result_bytes: null,
  receive_mail: false,
  notification: null,
  ...more,
});

it("offers no new task without a key", () => {
  const html = renderInPage(inbox, { apiKey: null });
  expect(html).toMatch(/<button[^>]*disabled=""[^>]*>New task/);
  expect(html).not.toContain("Reading the list");
});

it("announces that it waits", () => {
  expect(renderInPage(inbox)).toMatch(/role="status">Reading the list…/);
});

it("shows a failure as an alert with a way to try again, and no empty list", async () => {
  const cache = await failedCache(query, new ServiceError("The server could not be reached.", 0));
  const html = renderInPage(inbox, { cache });
  expect(html).toMatch(/role="alert".*The server could not be reached\..*Try again/);
  expect(html).not.toContain("No tasks.");
});

it("explains an empty list", () => {
  const html = renderInPage(inbox, { cache: filledCache(query, []) });
  expect(html).toContain("No tasks. Large requests appear here.");
});

it.each([
  [{}, "Waiting, number 2 in the queue", ["Open on map", "Repeat", "Cancel"]],
  [{ queue_position: null, progress: 0.425 }, "Running, 42 %", ["Open on map", "Repeat", "Cancel"]],
  [
    { status: "SUCCESS", expires_at: "2999-01-01T00:00:00Z" },
    "Done",
    ["Download", "Open on map", "Repeat", "Delete"],
  ],
  [{ status: "SUCCESS", expires_at: "2001-01-01T00:00:00Z" }, "result has expired", ["Delete"]],
  [{ status: "FAILURE", error: "No archive covers this" }, "No archive covers this", ["Repeat", "Delete"]],
  [{ status: "FAILURE", error: "Task cancelled by user" }, "Cancelled", ["Repeat", "Delete"]],
] as const)("shows a task as %j with the actions that its state allows", (more, text, actions) => {
  const html = renderInPage(inbox, { cache: filledCache(query, [task(more)]) });
  expect(html).toContain("12,000 points · asked 12 min ago");
  expect(html).toContain(text);
  const row = html.slice(html.indexOf("<li"));
  const names = ["Download", "Open on map", "Repeat", "Cancel", "Delete"];
  expect(names.filter((name) => new RegExp(`<button[^>]*>(<span[^>]*>)?${name}<`).test(row))).toEqual(
    actions,
  );
});

it.each([
  [fr, { size: 1, task_name: null }, ["1 point · ", "Points sans nom", "En attente, numéro 2 dans la file"]],
  [ja, { size: 12_000 }, ["12,000地点 · ", "待機中、2番目"]],
] as const)("shows a task in another language", (words, more, texts) => {
  const html = renderInPage(inbox, { cache: filledCache(query, [task(more)]), words });
  for (const text of texts) expect(html).toContain(text);
});

it("marks the task of a link", () => {
  const cache = filledCache(query, [task({}), task({ task_id: "other" })]);
  const html = renderInPage(inbox, { cache, search: "task=other" });
  expect(html.match(/data-marked="(true|false)"/g)).toEqual(['data-marked="false"', 'data-marked="true"']);
});

it("states that older tasks are not listed", () => {
  const tasks = Array.from({ length: 100 }, (_, index) => task({ task_id: String(index) }));
  expect(renderInPage(inbox, { cache: filledCache(query, tasks) })).toContain("The newest 100 are shown");
});

it("tells a visitor why a key is needed, and how to enter one", () => {
  const html = renderInPage(inbox, { apiKey: null, guests: "map" });
  expect(html).toMatch(/Tasks need an API key\..*Ask who runs this service.*<button[^>]*>Enter an API key</);
  expect(html).toMatch(/<button[^>]*disabled=""[^>]*>New task/);
  expect(html).not.toContain("Reading the list");
});

const [one, other] = ["one", "other"].map((task_id) => ({ task_id }) as ListedTask) as [
  ListedTask,
  ListedTask,
];

function started(answer: () => Promise<void> = async () => undefined) {
  const send = vi.fn((_task: ListedTask, _leaving: boolean) => answer());
  const seen = { state: noDeletions };
  const deletions = deferDeletions(send, (state: Deletions) => {
    seen.state = state;
  });
  return { ...deletions, send, seen };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("hides a task at once and deletes it when the time for bringing it back is over, once", async () => {
  const { remove, send, seen } = started();
  remove(one);
  expect(seen.state).toMatchObject({ waiting: one, hidden: new Set(["one"]) });
  await vi.advanceTimersByTimeAsync(UNDO_MS - 1);
  expect(send).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(UNDO_MS);
  expect(send.mock.calls).toEqual([[one, false]]);
  expect(seen.state).toMatchObject({ waiting: undefined, hidden: new Set(["one"]) });
});

it("sends nothing for a task that is brought back", async () => {
  const { remove, undo, settle, send, seen } = started();
  remove(one);
  undo();
  settle(true);
  await vi.advanceTimersByTimeAsync(2 * UNDO_MS);
  expect(send).not.toHaveBeenCalled();
  expect(seen.state.hidden.size).toBe(0);
});

it("waits while the user is at the button, and then as long as at first", async () => {
  const { remove, hold, release, send } = started();
  remove(one);
  hold("focus");
  await vi.advanceTimersByTimeAsync(10 * UNDO_MS);
  // The pointer only passes by.
  hold("pointer");
  release("pointer");
  await vi.advanceTimersByTimeAsync(10 * UNDO_MS);
  expect(send).not.toHaveBeenCalled();
  release("focus");
  await vi.advanceTimersByTimeAsync(UNDO_MS - 1);
  expect(send).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(send).toHaveBeenCalledTimes(1);
});

it("carries out what waits when another task is deleted, and when the page is left", () => {
  const { remove, undo, settle, send, seen } = started();
  remove(one);
  remove(other);
  expect(send.mock.calls).toEqual([[one, false]]);
  settle(true);
  undo();
  expect(send.mock.calls).toEqual([
    [one, false],
    [other, true],
  ]);
  expect(seen.state.hidden).toEqual(new Set(["one", "other"]));
});

it("lists a task again that the server did not delete, and says why", async () => {
  const gone = new ServiceError("The server could not be reached.", 0);
  const { remove, seen } = started(async () => {
    throw gone;
  });
  remove(one);
  await vi.advanceTimersByTimeAsync(UNDO_MS);
  expect(seen.state).toEqual({
    waiting: undefined,
    hidden: new Set(),
    failure: { task: one, error: gone },
  });
});

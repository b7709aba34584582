import { afterEach, expect, it, vi } from "vitest";
import { ServiceError } from "#components/api-client/api-fetch.ts";
import type { ListedTask } from "#lib/contract/task.ts";
import { fr, ja } from "#test/all-words.ts";
import { failedCache, filledCache, listedTask, renderInPage, TEST_KEY } from "#test/render.tsx";
import { type Deletions, deferDeletions, noDeletions, TaskInbox, UNDO_MS } from "./task-inbox.tsx";
import { taskListQuery } from "./task-requests.ts";
import { mapLink } from "./task-row.tsx";

const inbox = <TaskInbox now={0} />;
const query = taskListQuery(TEST_KEY);
const created_at = new Date(Date.now() - 720_000).toISOString();
const task = (more: Partial<ListedTask>) => listedTask({ created_at, ...more });
const listOf = (tasks: ListedTask[], more = {}) =>
  renderInPage(inbox, { cache: filledCache(query, tasks), ...more });

it.each([
  [{ apiKey: null }, /<button[^>]*disabled=""[^>]*>New task/, "Reading the list"],
  [
    { apiKey: null, guests: "map" } as const,
    /disabled=""[^>]*>New task.*Tasks need an API key\..*Ask who runs this service.*<button[^>]*>Enter an API key</,
    "Reading the list",
  ],
  [{}, /role="status">Reading the list…/, "No tasks."],
  [{ cache: filledCache(query, []) }, /No tasks\. Large requests appear here\./, "Reading the list"],
])("says without tasks why there are none: %j", (page, text, other) => {
  const html = renderInPage(inbox, page);
  expect(html).toMatch(text);
  expect(html).not.toContain(other);
});

it("shows a failure as an alert with a way to try again, and no empty list", async () => {
  const cache = await failedCache(query, new ServiceError("The server could not be reached.", 0));
  const html = renderInPage(inbox, { cache });
  expect(html).toMatch(/role="alert".*The server could not be reached\..*Try again/);
  expect(html).not.toContain("No tasks.");
});

it.each([
  [{}, "Waiting, number 2 in the queue", "Open on map, Repeat, Cancel"],
  [{ queue_position: null, progress: 0.425 }, "Running, 42 %", "Open on map, Repeat, Cancel"],
  [
    { status: "SUCCESS", expires_at: "2999-01-01T00:00:00Z" },
    "Done",
    "Download, Open on map, Repeat, Delete",
  ],
  [{ status: "SUCCESS", expires_at: "2001-01-01T00:00:00Z" }, "result has expired", "Delete"],
  [{ status: "FAILURE", error: "No archive covers this" }, "No archive covers this", "Repeat, Delete"],
  [{ status: "FAILURE", error: "Task cancelled by user" }, "Cancelled", "Repeat, Delete"],
] as const)("shows a task as %j with the actions that its state allows", (more, text, actions) => {
  const html = listOf([task(more)]);
  expect(html).toContain("12,000 points · asked 12 min ago");
  expect(html).toContain(text);
  const row = html.slice(html.indexOf("<li"));
  const names = ["Download", "Open on map", "Repeat", "Cancel", "Delete"];
  const found = names.filter((name) => new RegExp(`<button[^>]*>(<span[^>]*>)?${name}<`).test(row));
  expect(found.join(", ")).toBe(actions);
});

it.each([
  [fr, { size: 1, task_name: null }, ["1 point · ", "Points sans nom", "En attente, numéro 2 dans la file"]],
  [ja, { size: 12_000 }, ["12,000地点 · ", "待機中、2番目"]],
] as const)("shows a task in another language", (words, more, texts) => {
  const html = listOf([task(more)], { words });
  for (const text of texts) expect(html).toContain(text);
});

it("marks the task of a link, and states that older tasks are not listed", () => {
  const tasks = Array.from({ length: 100 }, (_, index) => task({ task_id: String(index) }));
  const html = listOf(tasks, { search: "task=1" });
  expect(
    html
      .match(/data-marked="(true|false)"/g)!
      .map((text) => text.includes("true"))
      .indexOf(true),
  ).toBe(1);
  expect(html).toContain("The newest 100 are shown");
});

const [one, other] = ["one", "other"].map((task_id) => task({ task_id })) as [ListedTask, ListedTask];

function started(answer: () => Promise<void> = async () => undefined) {
  const send = vi.fn((_task: ListedTask) => answer());
  const seen = { state: noDeletions };
  const deletions = deferDeletions(send, (state: Deletions) => {
    seen.state = state;
  });
  return { ...deletions, send, seen };
}

it("hides a task at once, sends nothing for one that is brought back, and deletes one when the page is left, once", () => {
  const { remove, undo, settle, send, seen } = started();
  remove(one);
  expect(seen.state).toMatchObject({ waiting: one, hidden: new Set(["one"]) });
  undo();
  settle();
  expect([send.mock.calls, seen.state.hidden.size]).toEqual([[], 0]);
  remove(one);
  // Another deletion carries out the waiting one.
  remove(other);
  expect(send.mock.calls).toEqual([[one]]);
  settle();
  settle();
  undo();
  expect(send.mock.calls).toEqual([[one], [other]]);
  expect(seen.state).toMatchObject({ waiting: undefined, hidden: new Set(["one", "other"]) });
});

afterEach(() => void vi.useRealTimers());

it("deletes a task when the time for bringing it back is over, which waits while the user is at the button", () => {
  vi.useFakeTimers();
  const { remove, undo, hold, release, send, seen } = started();
  remove(one);
  undo();
  remove(other);
  hold("focus");
  vi.advanceTimersByTime(10 * UNDO_MS);
  // The pointer only passes over the button.
  hold("pointer");
  release("pointer");
  vi.advanceTimersByTime(10 * UNDO_MS);
  release("focus");
  vi.advanceTimersByTime(UNDO_MS - 1);
  expect(send.mock.calls).toEqual([]);
  vi.advanceTimersByTime(1);
  expect([send.mock.calls, seen.state.waiting]).toEqual([[[other]], undefined]);
  remove(one);
  vi.advanceTimersByTime(UNDO_MS);
  expect(send.mock.calls).toEqual([[other], [one]]);
});

it("lists a task again that the server did not delete, and says why", async () => {
  const error = new ServiceError("The server could not be reached.", 0);
  const { remove, settle, seen } = started(() => Promise.reject(error));
  remove(one);
  settle();
  const state = { waiting: undefined, hidden: new Set(), failure: { task: one, error } };
  await vi.waitFor(() => expect(seen.state).toEqual(state));
});

const timestamp = "2026-09-15T12:00:00Z";
const pointsAt = (longitudes: number[]) => ({
  kind: "MetOcean" as const,
  body: {
    points: longitudes.map((longitude) => ({ latitude: 10, longitude, timestamp })),
    variables: ["bathy" as const, "wave" as const],
  },
});

it.each([
  [
    "a list of points at its first one, with the task whose points are shown, across 180° too",
    pointsAt([179, -179, -178]),
    { c: "10,-179.5", task: "id", l: "wave", t: timestamp, p: "10,179" },
  ],
  [
    "more points than a map draws without them",
    pointsAt(Array.from({ length: 150_000 }, (_, index) => index / 10_000)),
    { c: expect.stringMatching(/^10,7\.4/), z: "5", l: "wave", t: timestamp, p: "10,0" },
  ],
  [
    "a box at its centre, across 180° too",
    {
      kind: "2DMetOcean" as const,
      body: {
        bounding_boxes: [{ latitude: [-20, 0], longitude: [170, -170], timestamp: [timestamp, timestamp] }],
        variable: "wind" as const,
      },
    },
    { c: "-10,180", z: "4", l: "wind", t: timestamp },
  ],
])("the map opens %s", (_, body, view) => {
  const link = mapLink(body as Parameters<typeof mapLink>[0], "id");
  expect(Object.fromEntries(new URL(link, "http://x").searchParams)).toEqual(view);
});

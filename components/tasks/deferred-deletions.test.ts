import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ServiceError } from "#components/api-client/api-fetch.ts";
import type { ListedTask } from "#lib/contract/task.ts";
import { type Deletions, deferDeletions, noDeletions, UNDO_MS } from "./deferred-deletions.ts";

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

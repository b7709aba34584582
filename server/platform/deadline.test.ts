import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { LateError, settledWithin } from "./deadline.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("what never settles is late at the end of the time, and not before", async () => {
  const settled = vi.fn();
  void settledWithin(1000, new Promise(() => {})).then(settled, settled);
  await vi.advanceTimersByTimeAsync(999);
  expect(settled).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(settled).toHaveBeenCalledWith(new LateError(1000));
});

it("what settles in time keeps its result or its error, and leaves no timer", async () => {
  const failure = new Error("of the work");
  await expect(settledWithin(1000, Promise.resolve(7))).resolves.toBe(7);
  await expect(settledWithin(1000, Promise.reject(failure))).rejects.toBe(failure);
  expect(vi.getTimerCount()).toBe(0);
});

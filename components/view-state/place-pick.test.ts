import { expect, it, vi } from "vitest";
import { cancelPick, pickPlace, takePlace } from "./place-pick.ts";

it("gives one click to what waits for it, and to nothing that is gone", () => {
  const place = { latitude: 48, longitude: -5 };
  const [first, second] = [vi.fn(), vi.fn()];
  const leaveFirst = pickPlace(first);
  leaveFirst();
  expect(takePlace(place)).toBe(false);
  pickPlace(first);
  pickPlace(second);
  leaveFirst();
  expect([takePlace(place), takePlace(place)]).toEqual([true, false]);
  expect(first).not.toHaveBeenCalled();
  expect(second).toHaveBeenCalledExactlyOnceWith(place);
  pickPlace(first);
  expect(cancelPick()).toBe(true);
});

import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { de } from "#lib/messages/generated/de.ts";
import type { Words } from "#lib/messages/words.ts";
import { retryWords } from "./load-words.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function retried() {
  const network = new EventTarget();
  const state = { reachable: false, loads: 0 };
  const come: Words[] = [];
  const load = async () => {
    state.loads++;
    if (!state.reachable) throw new Error("Failed to load chunk");
    return de;
  };
  const stop = retryWords("de", network, (words) => come.push(words), load);
  return { network, state, come, stop };
}

it("words that did not come are loaded again until they do, and then no more", async () => {
  const { state, come } = retried();
  await vi.advanceTimersByTimeAsync(30_000);
  expect([state.loads, come]).toEqual([2, []]);
  state.reachable = true;
  await vi.advanceTimersByTimeAsync(60_000);
  expect([state.loads, come]).toEqual([3, [de]]);
});

it("they are loaded when the network is back", async () => {
  const { network, state, come } = retried();
  state.reachable = true;
  network.dispatchEvent(new Event("online"));
  await vi.advanceTimersByTimeAsync(0);
  expect(come).toEqual([de]);
});

it("nothing is loaded for a page that is gone", async () => {
  const { network, state, stop } = retried();
  stop();
  network.dispatchEvent(new Event("online"));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(state.loads).toBe(0);
});

import { expect, it } from "vitest";
import { isOver, syncedClock } from "./clock.ts";

/** A database whose clock is 1,000,000 s ahead of ours, and takes as long to answer as the test says. */
function openDatabaseClock() {
  const state = { ms: 5000, roundTripMs: 20, ahead: 1_000_000, away: false };
  const read = async () => {
    if (state.away) throw new Error("the connection ended");
    state.ms += state.roundTripMs / 2;
    const now = state.ms / 1000 + state.ahead;
    state.ms += state.roundTripMs / 2;
    return now;
  };
  return { state, clock: syncedClock(read, () => state.ms) };
}

it("shows the database's time, and goes on by this machine's monotonic clock", async () => {
  const { state, clock } = openDatabaseClock();
  const shown = await clock;
  expect(shown.now()).toBeCloseTo(1_000_000 + state.ms / 1000, 6);
  state.ms += 60_000;
  expect(shown.now()).toBeCloseTo(1_000_000 + state.ms / 1000, 6);
});

it("follows a database whose clock is set, and ignores one that is slow or away", async () => {
  const { state, clock } = openDatabaseClock();
  const shown = await clock;
  state.ahead += 30;
  await shown.sync();
  expect(shown.now()).toBeCloseTo(1_000_030 + state.ms / 1000, 6);
  state.ahead += 1;
  state.roundTripMs = 5000;
  await shown.sync();
  state.away = true;
  await shown.sync();
  expect(shown.now()).toBeCloseTo(1_000_030 + state.ms / 1000, 6);
});

it("a wait is over at its end, and where its end was written by a clock that was a day ahead", () => {
  const now = 1_800_000_000;
  const waits = [-1, 0, 1, 60, 60 + 59, 86_400 + 60];
  expect(waits.map((left) => isOver(now + left, now, 60))).toEqual([true, true, false, false, false, true]);
});

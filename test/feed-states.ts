import { startOfDay } from "#lib/time.ts";
import type { Clock } from "#server/platform/clock.ts";
import type { FeedState, FeedStates } from "#server/platform/feed-state.ts";

/** Name of the row that counts the bytes of all feeds together. */
const ALL_FEEDS = "*";

export function memoryFeedStates(clock: Clock): FeedStates {
  const rows = new Map<string, FeedState & { day: number }>();
  const rowOf = (name: string, day = startOfDay(clock.now())) => {
    const row = rows.get(name) ?? { ...unknown, name, day };
    if (row.day !== day) Object.assign(row, { day, bytesToday: 0 });
    rows.set(name, row);
    return row;
  };
  const add = (row: FeedState, bytes: number) => {
    row.updatedAt = clock.now();
    row.bytesToday += bytes;
    row.bytesTotal += bytes;
  };
  return {
    all: async () => {
      const names = [...rows.keys()].filter((name) => name !== ALL_FEEDS).sort();
      return names.map((name) => {
        const { day, ...state } = rowOf(name);
        return state;
      });
    },
    set: async (name, patch) => void Object.assign(rowOf(name), patch, { updatedAt: clock.now() }),
    count: async (name, bytes) => add(rowOf(name), bytes),
    async spend(day, bytes) {
      const row = rowOf(ALL_FEEDS, day);
      add(row, bytes);
      return row.bytesToday;
    },
  };
}

const unknown: Omit<FeedState, "name"> = {
  state: "waiting",
  newestRun: null,
  steps: 0,
  stepsExpected: 0,
  validUntil: null,
  nextExpected: null,
  lastSuccess: null,
  error: null,
  errorAt: null,
  mirror: null,
  bytesToday: 0,
  bytesTotal: 0,
  quarantined: 0,
  updatedAt: 0,
};

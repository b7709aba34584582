import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { retryPolicy, ServiceError } from "./api-fetch.ts";
import { standingError } from "./standing-error.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("an outage is said from its first failure to the first answer, also while the query is asked again each half minute", async () => {
  let isOut = true;
  const client = new QueryClient();
  const observer = new QueryObserver(client, {
    queryKey: ["manifest"],
    queryFn: async () => {
      if (isOut) throw new ServiceError({ is: "failed", status: 503 }, 503, 20);
      return "answer";
    },
    ...retryPolicy,
  });
  let last: Error | undefined;
  const said: (number | undefined)[] = [];
  const end = observer.subscribe((query) => {
    last = standingError(query, last);
    said.push((last as ServiceError | undefined)?.status);
  });
  const halfMinutes = async (count: number) => {
    for (let each = 0; each < count; each++) {
      void observer.refetch({ cancelRefetch: false });
      await vi.advanceTimersByTimeAsync(30_000);
    }
  };
  await halfMinutes(10);
  // Nothing is known before the first failure.
  const first = said.indexOf(503);
  expect(first).toBeGreaterThanOrEqual(0);
  expect(new Set(said.slice(first))).toEqual(new Set([503]));
  expect(said.length).toBeGreaterThan(6);
  isOut = false;
  await halfMinutes(2);
  expect(said.at(-1)).toBeUndefined();
  end();
  client.clear();
});

it("what one query failed with is not said of another", () => {
  const other = { error: null, failureReason: null, errorUpdateCount: 0, isPending: true };
  expect(standingError(other, new Error("of another layer"))).toBeUndefined();
});

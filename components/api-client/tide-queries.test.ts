import {
  environmentManager,
  QueryClient,
  QueryObserver,
  type QueryObserverOptions,
} from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { DAY_S, parseInstant } from "#lib/time.ts";
import { Catalog } from "#server/tides/catalog.ts";
import { predictTide } from "#server/tides/tide.ts";
import { spanAround, tideQuery, tidesNowQuery } from "./tide-queries.ts";

const BREST = "ticon:brest-822-fra-uhslc_fd";
const time = parseInstant("2026-09-14T07:00:00Z");

let client: QueryClient;
beforeEach(() => {
  vi.useFakeTimers();
  environmentManager.setIsServer(() => false);
  client = new QueryClient();
});
afterEach(() => {
  client.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("days of play ask for few spans, each with two days before a time and two weeks of the table after it", () => {
  const spans = Array.from({ length: 10 * 24 }, (_, hour) => {
    const at = time + hour * 3600;
    const { from, to } = spanAround(at);
    expect(at - parseInstant(from!)).toBeGreaterThanOrEqual(2 * DAY_S);
    expect(parseInstant(to!) - at).toBeGreaterThanOrEqual(16 * DAY_S);
    return from;
  });
  expect(new Set(spans).size).toBeLessThanOrEqual(3);
});

/** Runs a query whose first answer is unusable, until it has the second one 30 s later. */
async function askedAgain(
  options: object,
  answers: [() => Response, () => Response],
  poor: object,
  good: object,
) {
  const asked = vi.fn(async () => answers[Math.min(asked.mock.calls.length, 2) - 1]!());
  vi.stubGlobal("fetch", asked);
  const seen = new QueryObserver(client, options as QueryObserverOptions);
  const leave = seen.subscribe(() => undefined);
  await vi.waitFor(() => expect(seen.getCurrentResult()).toMatchObject(poor));
  await vi.advanceTimersByTimeAsync(30_000);
  await vi.waitFor(() => expect(seen.getCurrentResult()).toMatchObject({ data: good, isStale: false }));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toHaveBeenCalledTimes(2);
  leave();
}

it.each([
  ["another span", spanAround(time), spanAround(time - 7 * DAY_S)],
  ["one without the differences of a port", spanAround(time, { high_m: 0.5 }), spanAround(time)],
  ["one with other differences", spanAround(time, { high_m: 0.5 }), spanAround(time, { high_m: 0.4 })],
])("asks again for a tide in whose place %s was saved, until it is there", async (_, span, saved) => {
  const catalog = new Catalog(false);
  const predicted = (asked: typeof span) => () =>
    Response.json(predictTide(catalog, catalog.station(BREST), { days: 2, now: time, ...asked }));
  const answers: [() => Response, () => Response] = [predicted(saved), predicted(span)];
  await askedAgain(
    tideQuery("key", BREST, span),
    answers,
    { isSuccess: true, isStale: true },
    { from: span.from },
  );
});

it("asks again for the stations of a view after a failure, though nothing moves", async () => {
  const columns = { id: [], name: [], latitude: [], longitude: [] };
  const now = {
    at: "2026-09-14T07:00:00Z",
    tides: { ...columns, height_m: [], trend: [] },
    streams: { ...columns, speed_kt: [], direction: [] },
    total: 0,
    attribution: [],
  };
  const answers: [() => Response, () => Response] = [
    () => new Response(null, { status: 500 }),
    () => Response.json(now),
  ];
  await askedAgain(tidesNowQuery("key", "-6,47,-1,51", time), answers, { isError: true }, now);
});

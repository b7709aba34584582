import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { MapHost } from "#components/map/map-layer.ts";
import type { Scene } from "#components/map/scene.ts";
import type { Theme } from "#components/view-state/map-colours.ts";
import type { FramePair } from "#lib/field/interpolate.ts";
import { en } from "#lib/messages/generated/en.ts";
import { HOUR_S } from "#lib/time.ts";
import { fakeMap, frameOf, steady } from "#test/map.ts";
import type { IsolineRequest } from "./isolines.worker.ts";
import { isolinesMapLayer } from "./isolines-map-layer.ts";

/** How long lines of the last step may stay, ms. */
const MAX_OLD_MS = 200;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("getComputedStyle", () => ({ getPropertyValue: () => "" }));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const pairAt = (hour: number) =>
  steady(frameOf({ air_pressure_at_mean_sea_level: 1000 }, { time: hour * HOUR_S, offset: 1000 }));

/** A layer of isobars on a map whose lines, idle events and worker are controlled by the test. */
function openLayer() {
  const requests: IsolineRequest[] = [];
  const worker = new EventTarget();
  const terminate = vi.fn();
  const postMessage = (request: IsolineRequest) => requests.push(request);
  const Worker = function Worker() {
    return Object.assign(worker, { terminate, postMessage });
  };
  vi.stubGlobal("Worker", Worker);
  const onMoveEnd = new Set<() => void>();
  let drawnLines: { features: unknown[] } = { features: [] };
  let west = 0;
  const map = fakeMap({
    getSource: (id: string) => ({
      setData: (data: typeof drawnLines) => {
        if (id === "pressure-lines") drawnLines = data;
      },
    }),
    getZoom: () => 5,
    getBounds: () => ({
      getSouth: () => 40,
      getNorth: () => 50,
      getWest: () => west,
      getEast: () => west + 10,
    }),
    on: (_event: string, listener: () => void) => onMoveEnd.add(listener),
    off: (_event: string, listener: () => void) => onMoveEnd.delete(listener),
  });
  let pending = 0;
  const waitFor = (work: Promise<unknown>) => {
    pending++;
    void work.then(() => pending--);
  };
  const layer = isolinesMapLayer(
    { map, element: {}, words: en, probe: false, waitFor } as unknown as MapHost,
    "pressure",
  );
  let last: Scene | undefined;
  const answer = (drawn: object) =>
    worker.dispatchEvent(new MessageEvent("message", { data: { id: requests.at(-1)!.id, drawn } }));
  return {
    layer,
    requests,
    terminate,
    /** Whether work is pending that keeps the map from being idle. */
    pending: async () => {
      await vi.advanceTimersByTimeAsync(0);
      return pending;
    },
    draw: (pair: FramePair | undefined, theme: Theme = "light") => {
      const symbols = pair ? [{ kind: "isolines", variable: "pressure", pair }] : [];
      const scene = { symbols, theme } as unknown as Scene;
      layer.draw?.(scene, last);
      last = scene;
    },
    move: (to: number) => {
      west = to;
      for (const listener of onMoveEnd) listener();
    },
    /** The worker answers its last request; the lines are the request itself. */
    reply: () => {
      const lines = { type: "FeatureCollection", features: [requests.at(-1)!.pair] };
      answer({ lines, labels: lines, centres: lines });
    },
    /** The worker fails to contour its last request. */
    fail: (why: string) => answer(new Error(why)),
    /** The worker itself crashes. */
    crash: (message: string) => worker.dispatchEvent(Object.assign(new Event("error"), { message })),
    /** The pair whose lines are visible; undefined for none. */
    seen: () => drawnLines.features[0],
  };
}

/** The same as `openLayer`, with the lines of a pair on the map. */
function openWith(pair: FramePair) {
  const opened = openLayer();
  opened.draw(pair);
  opened.reply();
  return opened;
}

it("contours one pair at a time, and after it the last one that was wanted", () => {
  const { draw, reply, requests, seen } = openLayer();
  const [first, second, third] = [pairAt(0), pairAt(1), pairAt(2)];
  for (const pair of [first, second, third]) draw(pair);
  expect(requests.map(({ pair }) => pair)).toEqual([first]);
  reply();
  expect(seen()).toBeUndefined();
  expect(requests.at(-1)?.pair).toBe(third);
  reply();
  expect(seen()).toBe(third);
  expect(requests).toHaveLength(2);
});

it("removes lines of another step that are not replaced soon, however often the time steps on", async () => {
  const [first, last] = [pairAt(0), pairAt(2)];
  const { draw, reply, seen, pending } = openWith(first);
  draw(pairAt(1));
  expect(seen()).toBe(first);
  vi.advanceTimersByTime(MAX_OLD_MS / 2);
  draw(last);
  vi.advanceTimersByTime(MAX_OLD_MS / 2);
  expect(seen()).toBeUndefined();
  reply();
  expect(seen()).toBeUndefined();
  reply();
  expect(seen()).toBe(last);
  expect(await pending()).toBe(0);
});

it("keeps the lines where the time goes back to their step, and drops those of the other step", () => {
  const first = pairAt(0);
  const { draw, reply, requests, seen } = openWith(first);
  draw(pairAt(1));
  // The loader creates another pair from the same frames.
  draw({ ...first });
  vi.advanceTimersByTime(MAX_OLD_MS);
  reply();
  expect(seen()).toBe(first);
  expect(requests).toHaveLength(2);
});

it.each([
  ["fail", "a grid of no size"],
  ["crash", "Script error."],
] as const)(
  "becomes idle without lines where contouring or the worker %ss, says why, and contours the next step",
  async (how, why) => {
    const reportError = vi.fn();
    vi.stubGlobal("reportError", reportError);
    const second = pairAt(1);
    const { draw, reply, requests, seen, pending, ...worker } = openLayer();
    draw(pairAt(0));
    worker[how](why);
    expect([await pending(), seen(), requests.length]).toEqual([0, undefined, 1]);
    expect(reportError).toHaveBeenCalledExactlyOnceWith(new Error(why));
    draw(second);
    reply();
    expect(seen()).toBe(second);
  },
);

it("contours again for a view beyond the lines and for another theme", () => {
  const pair = pairAt(0);
  const { draw, reply, move, requests } = openWith(pair);
  move(3);
  expect(requests).toHaveLength(1);
  move(5);
  expect(requests).toHaveLength(2);
  reply();
  draw(pair, "night");
  expect(requests).toHaveLength(3);
});

it("draws nothing of a layer that was switched off, whatever was being contoured", async () => {
  const { draw, reply, seen, pending } = openWith(pairAt(0));
  draw(pairAt(1));
  draw(undefined);
  reply();
  expect([seen(), await pending()]).toEqual([undefined, 0]);
});

it("ends its worker with the map", async () => {
  const { layer, draw, move, requests, terminate, pending } = openWith(pairAt(0));
  draw(pairAt(1));
  layer.close?.();
  move(100);
  expect([requests.length, terminate.mock.calls.length, await pending()]).toEqual([2, 1, 0]);
});

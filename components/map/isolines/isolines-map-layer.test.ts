import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { MapHost } from "#components/map/map-layer.ts";
import type { Scene } from "#components/map/scene.ts";
import type { Theme } from "#components/view-state/map-colours.ts";
import type { FramePair } from "#lib/field/interpolate.ts";
import { en } from "#lib/messages/generated/en.ts";
import { HOUR_S } from "#lib/time.ts";
import type { IsolineReply, IsolineRequest } from "./isolines.worker.ts";
import { isolinesMapLayer } from "./isolines-map-layer.ts";

/** How long lines of the last step may stay. */
const MAX_OLD_MS = 200;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("getComputedStyle", () => ({ getPropertyValue: () => "" }));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Pressure at one step. */
function pairAt(hour: number): FramePair {
  const axis = { start: 0, step: 1, count: 2 };
  const frame = {
    grid: { latitude: axis, longitude: axis },
    time: hour * HOUR_S,
    bands: [{ name: "air_pressure_at_mean_sea_level", scale: 1, offset: 0 }],
    values: new Int16Array(4),
    perNode: 1,
  };
  return { before: frame, after: frame, later: 0 };
}

/** A layer of isobars on a map whose lines, idle events and worker the test has in its hands. */
function openLayer() {
  const requests: IsolineRequest[] = [];
  const listeners: ((reply: { data: IsolineReply }) => void)[] = [];
  const onError: ((error: { message: string }) => void)[] = [];
  const terminate = vi.fn();
  vi.stubGlobal(
    "Worker",
    class {
      terminate = terminate;
      addEventListener = (type: string, listener: never) =>
        (type === "error" ? onError : listeners).push(listener);
      postMessage = (request: IsolineRequest) => requests.push(request);
    },
  );
  const onMoveEnd = new Set<() => void>();
  let drawnLines: unknown;
  let west = 0;
  const map = {
    addSource: () => undefined,
    addLayer: () => undefined,
    getLayer: () => undefined,
    setPaintProperty: () => undefined,
    getSource: (id: string) => ({
      setData: (data: unknown) => {
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
  };
  let pending = 0;
  const waitFor = (work: Promise<unknown>) => {
    pending++;
    void work.then(() => pending--);
  };
  const host = {
    map,
    element: {},
    words: en,
    probe: false,
    waitFor,
  } as unknown as MapHost;
  const layer = isolinesMapLayer(host, "pressure");
  let last: Scene | undefined;
  let [pair, theme]: [FramePair | undefined, Theme] = [undefined, "light"];
  const draw = () => {
    const symbols = pair ? [{ kind: "isolines" as const, variable: "pressure" as const, pair }] : [];
    const scene = { symbols, theme } as unknown as Scene;
    layer.draw?.(scene, last);
    last = scene;
  };
  return {
    layer,
    requests,
    terminate,
    /** Work that keeps the map from being idle. */
    pending: async () => {
      await vi.advanceTimersByTimeAsync(0);
      return pending;
    },
    draw: (next: FramePair | undefined) => {
      pair = next;
      draw();
    },
    setTheme: (next: Theme) => {
      theme = next;
      draw();
    },
    move: (to: number) => {
      west = to;
      for (const listener of onMoveEnd) listener();
    },
    /** The worker answers its last request; the lines are the request itself. */
    reply: () => {
      const request = requests.at(-1)!;
      const lines = { type: "FeatureCollection", features: [request.pair] };
      const data = { id: request.id, drawn: { lines, labels: lines, centres: lines } };
      for (const listener of listeners) listener({ data: data as unknown as IsolineReply });
    },
    /** The worker cannot contour what it was asked for last. */
    fail: (why: string) => {
      const data = { id: requests.at(-1)!.id, drawn: new Error(why) };
      for (const listener of listeners) listener({ data });
    },
    /** The worker itself fails. */
    crash: (message: string) => {
      for (const listener of onError) listener({ message });
    },
    /** The pair whose lines are seen; undefined for none. */
    seen: () => {
      const { features } = (drawnLines ?? { features: [] }) as { features: FramePair[] };
      return features[0];
    },
  };
}

/** The same, with lines of a pair on the map. */
function openWith(pair: FramePair) {
  const opened = openLayer();
  opened.draw(pair);
  opened.reply();
  return opened;
}

it("contours one pair at a time, and after it the last one that was wanted", () => {
  const { draw, reply, requests, seen } = openLayer();
  const [first, second, third] = [pairAt(0), pairAt(1), pairAt(2)];
  draw(first);
  draw(second);
  draw(third);
  expect(requests.map(({ pair }) => pair)).toEqual([first]);
  reply();
  expect(seen()).toBeUndefined();
  expect(requests.at(-1)?.pair).toBe(third);
  reply();
  expect(seen()).toBe(third);
  expect(requests).toHaveLength(2);
});

it("removes lines of another step that are not replaced soon, however often the time steps on", async () => {
  const first = pairAt(0);
  const { draw, reply, seen, pending } = openWith(first);
  draw(pairAt(1));
  expect(seen()).toBe(first);
  vi.advanceTimersByTime(MAX_OLD_MS / 2);
  draw(pairAt(2));
  vi.advanceTimersByTime(MAX_OLD_MS / 2);
  expect(seen()).toBeUndefined();
  reply();
  expect(seen()).toBeUndefined();
  reply();
  expect(seen()).toMatchObject({ before: { time: 2 * HOUR_S } });
  expect(await pending()).toBe(0);
});

it("keeps the lines where the time goes back to their step, and drops those of the other step", () => {
  const first = pairAt(0);
  const { draw, reply, requests, seen } = openWith(first);
  draw(pairAt(1));
  // The loader makes another pair of the frames that it has.
  draw({ ...first });
  vi.advanceTimersByTime(MAX_OLD_MS);
  reply();
  expect(seen()).toBe(first);
  expect(requests).toHaveLength(2);
});

it.each([
  ["contouring", "a grid of no size"],
  ["the worker", "Script error."],
])("becomes idle without lines where %s fails, says why, and contours the next step", async (what, why) => {
  const reportError = vi.fn();
  vi.stubGlobal("reportError", reportError);
  const [first, second] = [pairAt(0), pairAt(1)];
  const { draw, fail, crash, reply, requests, seen, pending } = openLayer();
  draw(first);
  if (what === "contouring") fail(why);
  else crash(why);
  expect(await pending()).toBe(0);
  expect(seen()).toBeUndefined();
  expect(reportError).toHaveBeenCalledExactlyOnceWith(new Error(why));
  expect(requests).toHaveLength(1);
  draw(second);
  reply();
  expect(seen()).toBe(second);
  expect(await pending()).toBe(0);
});

it("contours again for a view beyond the lines and for another theme", () => {
  const { reply, move, setTheme, requests } = openWith(pairAt(0));
  move(3);
  expect(requests).toHaveLength(1);
  move(5);
  expect(requests).toHaveLength(2);
  reply();
  setTheme("night");
  expect(requests).toHaveLength(3);
});

it("draws nothing of a layer that was switched off, whatever was being contoured", async () => {
  const { draw, reply, seen, pending } = openWith(pairAt(0));
  draw(pairAt(1));
  draw(undefined);
  expect(seen()).toBeUndefined();
  reply();
  expect(seen()).toBeUndefined();
  expect(await pending()).toBe(0);
});

it("ends its worker with the map", async () => {
  const { layer, draw, move, requests, terminate, pending } = openWith(pairAt(0));
  draw(pairAt(1));
  layer.close?.();
  move(100);
  expect(requests).toHaveLength(2);
  expect(terminate).toHaveBeenCalledOnce();
  expect(await pending()).toBe(0);
});

import { coordinate, type Grid } from "@open-metocean/geo/grid";
import type { Map as MapLibreMap } from "maplibre-gl";
import type { WorkerReply, WorkerRequest } from "#components/map/frame-store.ts";
import { FILL } from "#lib/catalog/fill.ts";
import type { DrawableRun } from "#lib/contract/field-manifest.ts";
import type { Frame } from "#lib/field/frame.ts";
import type { FramePair } from "#lib/field/interpolate.ts";

/** A global grid. @param step Degrees. */
export const globeGrid = (step: number): Grid => ({
  latitude: { start: -90, step, count: 180 / step + 1 },
  longitude: { start: -180, step, count: 360 / step },
});

/** A frame whose bands have a constant value, or a function of the place; NaN is missing. */
export function frameOf(
  bands: Record<string, number | ((latitude: number, longitude: number) => number)>,
  { grid = globeGrid(2), time = 0, scale = 0.01, offset = 0 } = {},
): Frame {
  const functions = Object.values(bands);
  const columns = grid.longitude.count;
  const values = Int16Array.from({ length: grid.latitude.count * columns * functions.length }, (_, at) => {
    const node = Math.floor(at / functions.length);
    const of = functions[at % functions.length]!;
    const value =
      typeof of === "number"
        ? of
        : of(
            coordinate(grid.latitude, Math.floor(node / columns)),
            coordinate(grid.longitude, node % columns),
          );
    return Number.isNaN(value) ? FILL : Math.round((value - offset) / scale);
  });
  const described = Object.keys(bands).map((name) => ({ name, scale, offset }));
  return { grid, time, bands: described, values, perNode: functions.length };
}

/** A field that is constant in time. */
export const steady = (frame: Frame): FramePair => ({ before: frame, after: frame, later: 0 });

/** A run of GFS. */
export const drawableRun = (of: Partial<DrawableRun>): DrawableRun => ({
  dataset: "Forecast",
  run: "run",
  source: "gfs",
  model: "GFS",
  reference_time: "",
  from: "",
  to: "",
  times: [],
  frames: "/frames",
  levels: [],
  planes: [],
  ...of,
});

/** A map with the given methods. All others do nothing. */
export function fakeMap(methods: object): MapLibreMap {
  const get = (known: object, name: string) => Reflect.get(known, name) ?? (() => undefined);
  return new Proxy(methods, { get }) as MapLibreMap;
}

/** A frame worker that replies when the test says so. */
export function controlledWorker() {
  let listener: (event: MessageEvent<WorkerReply>) => void = () => {};
  const requests: WorkerRequest[] = [];
  const open = new Map<number, Extract<WorkerRequest, { paths: unknown }>>();
  const reply = (data: WorkerReply) => {
    if ("id" in data) open.delete(data.id);
    listener({ data } as MessageEvent<WorkerReply>);
  };
  return {
    /** All messages to the worker, in order. */
    requests,
    /** Requests that are neither answered nor aborted. */
    open: () => [...open.values()],
    postMessage(request: WorkerRequest) {
      requests.push(request);
      if ("paths" in request) open.set(request.id, request);
      else if ("abort" in request) open.delete(request.abort);
    },
    addEventListener(_type: "message", added: typeof listener) {
      listener = added;
    },
    reply,
    /** Replies with a frame to every open request whose paths all match. */
    async serve(pattern = /./) {
      for (const { id, paths, grid } of [...open.values()]) {
        if (paths.every((path) => pattern.test(path))) reply({ id, frame: frameOf({ u: 0 }, { grid }) });
      }
      await flushPromises();
    },
    /** Replies with a failure to every open request. */
    async fail(status: number, retryAfter?: number) {
      for (const { id } of [...open.values()]) {
        reply({ id, failed: { said: `Failed: ${status}`, status, retryAfter } });
      }
      await flushPromises();
    },
  };
}

/** Runs the reactions of settled promises. */
export async function flushPromises(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

import type { DrawnIsolines } from "#components/map/isolines/drawn-isolines.ts";
import { dashesOf, isolineStyleOf } from "#components/map/isolines/isoline-style.ts";
import type { IsolineReply, IsolineRequest } from "#components/map/isolines/isolines.worker.ts";
import { MAX_LINES_WAIT_MS, SLOW_LINES_MS } from "#components/map/isolines/line-pace.ts";
import type { Scene, SymbolKind } from "#components/map/scene.ts";
import type { DrawnVariable } from "#lib/catalog/colours.ts";
import type { FramePair } from "#lib/field/sample.ts";
import type { Words } from "#lib/words/en.ts";

/** Nearer than this lines of the whole earth would be too many: a picture has none there. */
const MAX_ZOOM = 5;

/** Lines, and their dashes in widths of the line. */
export type PictureIsolines = DrawnIsolines & { dashes: readonly number[] | undefined };

/** Contours the isolines of scenes in the worker of the map's. */
export interface PictureLines {
  /** Lines of the scene; undefined until they are contoured, which the call starts. */
  of(scene: Scene, zoom: number): readonly PictureIsolines[] | undefined;
  close(): void;
}

/** @param onChange Lines that were asked for are there. */
export function pictureLines(words: Words, onChange: () => void): PictureLines {
  let worker: Worker | undefined;
  let lastId = 0;
  let wanted = "";
  let awaited = new Map<number, { at: number; variable: DrawnVariable }>();
  let drawn: PictureIsolines[] = [];
  /** What the last lines took, milliseconds: on two slow processors the answer to a press waits behind them. */
  let cost = 0;
  let begun = 0;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const ids = new WeakMap<FramePair, number>();
  const idOf = (pair: FramePair) => {
    const id = ids.get(pair) ?? ++lastId;
    ids.set(pair, id);
    return id;
  };
  const end = (id: number, lines: DrawnIsolines | Error) => {
    const known = awaited.get(id);
    if (!known) return;
    awaited.delete(id);
    if (awaited.size === 0) cost = performance.now() - begun;
    if (!(lines instanceof Error)) drawn[known.at] = { ...lines, dashes: dashesOf(known.variable) };
    onChange();
  };
  const fail = () => {
    worker?.terminate();
    worker = undefined;
    for (const id of [...awaited.keys()]) end(id, new Error("not contoured"));
  };
  const open = () => {
    const opened = new Worker(new URL("../isolines/isolines.worker.ts", import.meta.url), { type: "module" });
    opened.addEventListener("message", ({ data }: MessageEvent<IsolineReply>) => end(data.id, data.drawn));
    opened.addEventListener("error", fail);
    return opened;
  };
  return {
    of({ symbols, theme }, zoom) {
      const isLined = (kind: SymbolKind) => kind === "isolines" && zoom <= MAX_ZOOM;
      const lined = symbols.filter(({ kind }) => isLined(kind));
      const scale = Math.min(MAX_ZOOM, Math.round(zoom * 2) / 2);
      const pixelsPerDegree = (512 * 2 ** scale) / 360;
      const key = JSON.stringify([lined.map(({ pair }) => idOf(pair)), theme === "night", scale]);
      if (key !== wanted) {
        wanted = key;
        awaited = new Map();
        drawn = [];
        clearTimeout(waiting);
        const requests: IsolineRequest[] = [];
        for (const { pair, variable } of lined) {
          const set = isolineStyleOf(pair.before, theme === "night", words);
          if (!set) continue;
          const id = ++lastId;
          awaited.set(id, { at: awaited.size, variable });
          const view = { box: undefined, pixelsPerDegree };
          requests.push({ id, pair, set, view });
        }
        const ask = () => {
          begun = performance.now();
          worker ??= open();
          for (const request of requests) worker.postMessage(request);
        };
        if (cost < SLOW_LINES_MS || requests.length === 0) ask();
        else waiting = setTimeout(ask, MAX_LINES_WAIT_MS);
      }
      return awaited.size > 0 ? undefined : drawn.filter(Boolean);
    },
    close() {
      clearTimeout(waiting);
      worker?.terminate();
    },
  };
}

import { afterEach, expect, it, vi } from "vitest";
import { en } from "#lib/messages/generated/en.ts";
import { isolineStyleOf } from "./isoline-style.ts";
import type { IsolineReply, IsolineRequest } from "./isolines.worker.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

it("answers a request that cannot be contoured with the reason, so that nobody waits for it for ever", async () => {
  const replied = Promise.withResolvers<IsolineReply>();
  let listener: ((message: { data: IsolineRequest }) => void) | undefined;
  vi.stubGlobal("self", {
    addEventListener: (_type: string, added: typeof listener) => {
      listener = added;
    },
    postMessage: replied.resolve,
  });
  vi.stubGlobal("fetch", () => Promise.reject(new Error("offline")));
  await import("./isolines.worker.ts");
  const axis = { start: 0, step: 1, count: 2 };
  const bands = [{ name: "air_pressure_at_mean_sea_level", scale: 1, offset: 0 }];
  const frame = {
    grid: { latitude: axis, longitude: axis },
    time: 0,
    bands,
    values: new Int16Array(4),
    perNode: 1,
  };
  const pair = { before: frame, after: { ...frame, bands: [] }, later: 0.5 };
  const view = { box: undefined, pixelsPerDegree: 8 };
  listener?.({ data: { id: 7, pair, set: isolineStyleOf(frame, false, en)!, view } });
  const { id, drawn } = await replied.promise;
  expect(id).toBe(7);
  expect(drawn).toBeInstanceOf(Error);
});

import { expect, it, vi } from "vitest";
import { aheadPoint, allRound, stormOf } from "#test/storms.ts";
import { stormsFor } from "./task-storms.ts";

it("the first piece of passages is told of the storms of each provider that were received, others of none", async () => {
  const entry = stormOf([aheadPoint(0, { latitude: 20, longitude: 180 }, allRound(200, 90, null))]);
  const published = vi.fn(async (provider: string) =>
    provider === "jtwc" ? ({ entries: [entry] } as never) : undefined,
  );
  const found = await stormsFor({ kind: "passages/evaluate", pieces: [] }, { published });
  expect(found).toEqual({ jtwc: [entry] });
  published.mockClear();
  expect(await stormsFor({ kind: "passages/evaluate", pieces: [1] }, { published })).toBeUndefined();
  expect(await stormsFor({ kind: "MetOcean", pieces: [] }, { published })).toBeUndefined();
  expect(published).not.toHaveBeenCalled();
  expect(await stormsFor({ kind: "passages/optimise", pieces: [] }, { published })).toEqual(found);
});

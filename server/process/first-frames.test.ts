import { expect, it, vi } from "vitest";
import { frameAt, frameCache } from "#server/metocean/frames.ts";
import { frameSource, start, windAddress, windRun } from "#test/metocean.ts";
import { firstFrames } from "./first-frames.ts";

const run = windRun("a", "Forecast", [0, 3, 6]);

function setUp(archive: ReturnType<typeof frameSource>) {
  const frames = frameCache(1e6);
  const warn = vi.fn();
  const weather = { now: () => start + 4 * 3600 };
  return { frames, warn, begin: firstFrames({ archive, frames, weather, log: { warn } }) };
}

it.each([
  ["gzip, deflate, br, zstd", "br"],
  ["gzip, deflate", "gzip"],
] as const)(
  "has cached the frame of the step nearest to now when a browser that accepts %s requests it",
  async (accepted, encoding) => {
    const archive = frameSource([run]);
    const { frames, begin } = setUp(archive);
    begin(accepted);
    begin(accepted);
    await vi.waitFor(() => expect(archive.reads).toBe(2));
    expect(await frameAt(archive, frames, windAddress, encoding, new AbortController().signal)).toBeDefined();
    expect(archive.reads).toBe(2);
  },
);

it("does nothing for an archive without wind, and logs failures", async () => {
  const empty = setUp(frameSource([]));
  empty.begin("br");
  const broken = frameSource([run]);
  broken.mapStep = () => {
    throw new Error("broken");
  };
  const { begin, warn } = setUp(broken);
  begin("br");
  await vi.waitFor(() => expect(warn).toHaveBeenCalledOnce());
  expect(empty.warn).not.toHaveBeenCalled();
});

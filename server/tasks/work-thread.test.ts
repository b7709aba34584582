import { afterAll, beforeAll, expect, it } from "vitest";
import { ProcessingError } from "#server/platform/errors.ts";
import { ThreadEndedError, type WorkThread, workThread } from "./work-thread.ts";

let thread: WorkThread;
beforeAll(() => {
  const entry = new URL("../../test/processes/work.ts", import.meta.url);
  thread = workThread({ entry, data: {}, memoryMb: 64, idleMs: 60_000 });
});
afterAll(() => thread.close());

const never = new AbortController().signal;
const run = (goes: string, signal = never, told: number[] = []) =>
  thread.run({ goes }, signal, (share) => told.push(share));

it("hands back what the work makes, and tells how far it is", async () => {
  const told: number[] = [];
  expect(await run("well", never, told)).toEqual({ made: { goes: "well" } });
  expect(told).toEqual([0.5]);
});

it("tells an error for the owner from one for the log", async () => {
  await expect(run("wrong")).rejects.toThrow(ProcessingError);
  await expect(run("wrong")).rejects.toThrow("for its owner");
  await expect(run("unexpectedly")).rejects.not.toThrow(ProcessingError);
  await expect(run("unexpectedly")).rejects.toMatchObject({
    message: "for the log",
    stack: expect.stringContaining("processes/work.ts"),
  });
});

it("stops one job, and leaves the others alone", async () => {
  const stop = new AbortController();
  const [one, other] = [new AbortController(), run("on and on", stop.signal)];
  const stopped = run("on and on", one.signal);
  one.abort();
  await expect(stopped).rejects.toThrow("stopped");
  expect(await run("well")).toEqual({ made: { goes: "well" } });
  stop.abort();
  await expect(other).rejects.toThrow("stopped");
  await expect(run("well", AbortSignal.abort(new Error("too late")))).rejects.toThrow("too late");
});

it.each(["down", "out of memory"])(
  "a thread that goes %s ends its jobs, and the next begins anew",
  async (goes) => {
    const beside = run("on and on");
    const ends = [
      expect(run(goes)).rejects.toThrow(ThreadEndedError),
      expect(beside).rejects.toThrow(ThreadEndedError),
    ];
    await Promise.all(ends);
    expect(await run("well")).toEqual({ made: { goes: "well" } });
  },
);

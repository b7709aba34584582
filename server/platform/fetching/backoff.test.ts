import { expect, it } from "vitest";
import { CutError, RefusedError, ThrottledError } from "./errors.ts";
import { Backoff } from "./fetcher.ts";

const { signal } = new AbortController();
const cut = new CutError("data.example", "/object", "it ended");

function simulated(attempts: number) {
  const waits: number[] = [];
  const clock = { seconds: 1_785_000_000, now: () => clock.seconds };
  const sleep = async (seconds: number) => {
    waits.push(seconds);
    clock.seconds += seconds;
  };
  return { waits, clock, backoff: new Backoff({ clock, sleep, random: () => 0.5 }, attempts) };
}

it("waits longer each time, up to half a minute, and gives up after enough failures without progress", async () => {
  const { waits, backoff } = simulated(8);
  for (let failure = 1; failure < 8; failure++) await backoff.after(cut, signal);
  await expect(backoff.after(cut, signal)).rejects.toBe(cut);
  expect(waits).toEqual([0.25, 2, 4, 8, 16, 30, 30]);
});

it("continues as long as something arrives between failures, but for no more than an hour", async () => {
  const { clock, backoff } = simulated(2);
  const began = clock.seconds;
  const trickle = async () => {
    for (;;) {
      clock.seconds += 100;
      backoff.progress();
      await backoff.after(cut, signal);
    }
  };
  await expect(trickle()).rejects.toBe(cut);
  expect(clock.seconds - began).toBeGreaterThan(3600);
  expect(clock.seconds - began).toBeLessThan(3600 + 200);
});

it("waits as long as a host asks, and leaves a longer wait to the caller, who may have another mirror", async () => {
  const { waits, clock, backoff } = simulated(5);
  await backoff.after(new ThrottledError("data.example", 429, clock.now() + 40), signal);
  const long = new ThrottledError("data.example", 429, clock.now() + 61);
  await expect(backoff.after(long, signal)).rejects.toBe(long);
  const refused = new RefusedError("data.example", 403, "/object");
  await expect(backoff.after(refused, signal)).rejects.toBe(refused);
  expect(waits).toEqual([40]);
});

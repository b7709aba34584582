import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import {
  ClockError,
  type ClockReading,
  describeClockError,
  readClockReading,
  writeClockReading,
} from "./clock-error.ts";

const NOW = 1_800_000_000;
/** Date header of a host whose clock is ahead of this machine's. */
const date = (aheadS: number) => new Date((NOW + aheadS) * 1000).toUTCString();

function observed(): { clock: ClockError; readings: ClockReading[] } {
  const readings: ClockReading[] = [];
  return { clock: new ClockError((reading) => readings.push(reading)), readings };
}

it("a clock two hours slow is reported once, when two hosts agree on it", () => {
  const { clock, readings } = observed();
  clock.observe("a", date(7200), NOW);
  clock.observe("a", date(7200), NOW);
  expect(clock.seconds).toBe(0);
  clock.observe("b", date(7210), NOW);
  clock.observe("c", date(7200), NOW);
  expect(readings.map(describeClockError)).toEqual([
    "the clock of this machine is 120 min slow, by 2 hosts: set it, as forecasts and storms are judged by it",
  ]);
  expect(clock.seconds).toBe(readings[0]!.errorS);
});

it("reports when the clock is right again, and also reports a fast clock", () => {
  const { clock, readings } = observed();
  clock.observe("a", date(7200), NOW);
  for (const ahead of [7200, 0, -3600])
    for (const host of ["b", "c", "a"]) clock.observe(host, date(ahead), NOW);
  expect(readings.map(({ errorS }) => errorS)).toEqual([-7200, 0, 3600]);
  expect(describeClockError(readings[1])).toBeUndefined();
  expect(describeClockError(readings[2])).toMatch(/60 min fast/);
});

it.each([
  ["one host alone is wrong", [0, 7200, 0]],
  ["hosts that do not agree say nothing", [7200, -7200]],
  ["five minutes are no error", [300, 300]],
])("%s", (_, offsets) => {
  const { clock } = observed();
  for (const [at, offset] of offsets.entries()) clock.observe(`host ${at}`, date(offset), NOW);
  expect(clock.seconds).toBe(0);
});

it("a response without a Date header is ignored", () => {
  const { clock, readings } = observed();
  clock.observe("a", undefined, NOW);
  clock.observe("b", "tomorrow", NOW);
  expect(readings).toEqual([]);
});

it("other processes of the machine read the reading for two hours", async () => {
  const folder = await mkdtemp(join(tmpdir(), "clock-"));
  const reading = { errorS: -7200, hosts: 3, at: NOW };
  await writeClockReading(folder, reading);
  expect(await readClockReading(folder, NOW + 7000)).toEqual(reading);
  expect(await readClockReading(folder, NOW + 7300)).toBeUndefined();
  await rm(folder, { recursive: true });
});

it("once a host shows that the clock was set, earlier readings of other hosts are dropped, even if they never answer again", () => {
  const { clock, readings } = observed();
  for (const host of ["a", "b"]) clock.observe(host, date(172_800), NOW);
  expect(clock.seconds).toBe(-172_800);
  clock.observe("a", date(172_800), NOW + 172_800);
  expect(clock.seconds).toBe(0);
  expect(readings.map(({ errorS }) => errorS)).toEqual([-172_800, 0]);
});

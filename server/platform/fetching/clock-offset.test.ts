import { expect, it } from "vitest";
import { ClockOffset } from "./clock-offset.ts";

const NOW = 1_800_000_000;
/** Of a host whose clock is ahead of this machine's. */
const date = (aheadS: number) => new Date((NOW + aheadS) * 1000).toUTCString();

it("a clock two hours slow is told once, when two hosts agree on it", () => {
  const clock = new ClockOffset();
  expect(clock.observe("a", date(7200), NOW)).toBeUndefined();
  expect(clock.observe("a", date(7200), NOW)).toBeUndefined();
  expect(clock.observe("b", date(7210), NOW)).toMatch(
    /^the clock of this machine is 120 min slow, by 2 hosts/,
  );
  expect(clock.observe("c", date(7200), NOW)).toBeUndefined();
});

it("it is told again when it was right meanwhile, and so is one that is fast", () => {
  const clock = new ClockOffset();
  clock.observe("a", date(7200), NOW);
  clock.observe("b", date(7200), NOW);
  for (const host of ["a", "b"]) expect(clock.observe(host, date(0), NOW)).toBeUndefined();
  clock.observe("a", date(-3600), NOW);
  expect(clock.observe("b", date(-3600), NOW)).toMatch(/60 min fast/);
});

it.each([
  ["one host alone is wrong", [0, 7200, 0]],
  ["hosts that do not agree say nothing", [7200, -7200]],
  ["five minutes are no error", [300, 300]],
])("%s", (_, offsets) => {
  const clock = new ClockOffset();
  for (const [at, offset] of offsets.entries())
    expect(clock.observe(`host ${at}`, date(offset), NOW)).toBeUndefined();
});

it("a host without a Date tells nothing", () => {
  expect(new ClockOffset().observe("a", undefined, NOW)).toBeUndefined();
});

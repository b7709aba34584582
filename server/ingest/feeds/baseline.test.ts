import { expect, it } from "vitest";
import { temporaryFolder } from "#test/archive.ts";
import { extendBaseline, readBaseline } from "./check-step.ts";

const HOUR = 3600;
const DAY = 24 * HOUR;
const CYCLE = Date.UTC(2026, 8, 1, 12) / 1000;
const name = "sea_surface_temperature";
const published = { missing: 0.3, mean: 14, deviation: 11 };

async function nearOf(every: number, ahead: number) {
  const folder = temporaryFolder();
  const feed = { name: "test", cycles: { every, offset: 0 } };
  await extendBaseline(folder, feed, CYCLE, "lite", new Map([[CYCLE, { [name]: published }]]));
  return (await readBaseline(folder, feed, CYCLE + ahead, "lite")).near(name, CYCLE + ahead);
}

it("compares a day with the day before, and with the one before that where a day has failed", async () => {
  expect(await nearOf(DAY, DAY)).toMatchObject(published);
  expect(await nearOf(DAY, 2 * DAY)).toMatchObject(published);
});

it("compares nothing with steps of another part of the day where cycles are shorter, nor with what is days old", async () => {
  expect(await nearOf(6 * HOUR, 6 * HOUR)).toMatchObject(published);
  expect(await nearOf(6 * HOUR, 12 * HOUR)).toBeUndefined();
  expect(await nearOf(DAY, 4 * DAY)).toBeUndefined();
});

import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, expect, it } from "vitest";
import { digest, type FetchingTest, fetchingTest } from "#test/fetching.ts";
import { stored } from "#test/object-server.ts";
import { OutOfBudgetError } from "./errors.ts";
import type { Fetcher } from "./fetcher.ts";
import type { GetOptions } from "./request.ts";

const object = randomBytes(300_000);
let test: FetchingTest;

beforeEach(async () => {
  test = await fetchingTest();
  test.server.objects.set("/data.example/a/object", stored(object));
});

afterEach(() => test[Symbol.asyncDispose]());

const get = (options: Partial<GetOptions>, of: Fetcher) =>
  test.get("https://data.example/a/object", options, of);

it("sends a host no more requests than allowed within any minute", async () => {
  test.server.fault = () => ({ status: 404 });
  const of = test.fetcher({ hosts: { "data.example": { requestsPerMinute: 2 } } });
  const begun: number[] = [];
  for (let request = 0; request < 5; request++) {
    await get({}, of);
    begun.push(test.clock.seconds - 1_785_000_000);
    test.clock.seconds += 10;
  }
  expect(begun).toEqual([0, 10, 60, 70, 120]);
});

it("does not wait for times noted while the clock was a day ahead, neither for a request nor for a closed host", async () => {
  const of = test.fetcher({ hosts: { "data.example": { requestsPerMinute: 2 } }, attempts: 1 });
  test.clock.seconds += 86_400;
  test.server.fault = () => ({ status: 404 });
  await get({}, of);
  test.server.fault = () => ({ status: 503, headers: { "retry-after": "50" } });
  await expect(get({}, of)).rejects.toThrow();
  test.clock.seconds -= 86_400;
  test.server.fault = () => undefined;
  expect(await get({}, of)).toMatchObject({ kind: "ok" });
  expect(test.waits).toEqual([]);
});

it("requests at most eight objects of a host at the same time, and all are answered", async () => {
  const of = test.fetcher();
  const answers = await Promise.all(Array.from({ length: 30 }, () => get({}, of)));
  for (const answer of answers) expect(answer).toMatchObject({ bytes: digest(object) });
  expect(test.server.mostRunning).toBeLessThanOrEqual(8);
});

it("frees the place of a request whose bytes cannot be stored", async () => {
  const of = test.fetcher({ hosts: { "data.example": { atOnce: 1 } } });
  const into = () => Promise.reject(new Error("the disk is full"));
  await expect(get({ into }, of)).rejects.toThrow("the disk is full");
  expect(await get({}, of)).toMatchObject({ bytes: digest(object) });
});

it("spends no more than the byte budget of a day, and continues the next day", async () => {
  const days = new Map<number, number>();
  const spend = (day: number, bytes: number) => {
    days.set(day, (days.get(day) ?? 0) + bytes);
    return days.get(day)!;
  };
  const of = test.fetcher({ bytesADay: 700_000, spend });
  const answers = await Promise.allSettled([get({}, of), get({}, of), get({}, of)]);
  expect(answers.map(({ status }) => status).sort()).toEqual(["fulfilled", "fulfilled", "rejected"]);
  await get({ range: { from: 0, to: 100_000 } }, of);
  const asked = test.server.requests.length;
  const failure = await get({ range: { from: 0, to: 1 } }, of).catch((error) => error);
  expect(failure).toBeInstanceOf(OutOfBudgetError);
  expect(failure.message).toBe(
    "The budget of 700 kB a day is used up; fetching from data.example continues at 2026-07-26T00:00:00Z",
  );
  // An object whose length is known only from the answer is not requested either.
  await expect(get({}, of)).rejects.toBeInstanceOf(OutOfBudgetError);
  expect(test.server.requests).toHaveLength(asked);
  expect([...days.values()]).toEqual([700_000]);
  test.clock.seconds += 86_400;
  expect(await get({}, of)).toMatchObject({ kind: "ok" });
});

import { afterAll, expect, it } from "vitest";
import { bodyLimits } from "#lib/contract/bodies.ts";
import { pointLimits } from "#lib/contract/point.ts";
import { formatInstant } from "#lib/time.ts";
import { HttpError } from "#server/http/reply.ts";
import { ThreadEndedError, workerPool } from "#server/platform/worker-pool.ts";
import { bodyPoolOptions, readTaskBody } from "./large-body.ts";

const now = 1_767_225_600;
const pool = workerPool(bodyPoolOptions);
afterAll(() => pool.terminate());

const bytesOf = (body: object, before = "") => Buffer.from(before + JSON.stringify(body));
const body = (count: number, timestamp = formatInstant(now)) => ({
  points: Array.from({ length: count }, (_, i) => ({ latitude: i % 90, longitude: 0.5, timestamp })),
  variables: ["wind"],
  task_name: "all of it",
});

/** The error reply, as a value. */
const refusal = (read: Promise<unknown>) =>
  read.then(
    () => undefined,
    (error: unknown) => {
      if (!(error instanceof HttpError)) throw error;
      return { status: error.reply.status, ...JSON.parse(String(error.reply.body)) };
    },
  );

it("a large body is read away from the thread that answers requests, with the same outcome", async () => {
  const calls: string[] = [];
  const counted: Pick<typeof pool, "call"> = {
    call: (name, input, options) => {
      calls.push(name);
      return pool.call(name, input, options);
    },
  };
  const large = body(20_000);
  expect(await readTaskBody(bytesOf(large, "\ufeff"), now, counted)).toEqual({
    size: 20_000,
    task_name: "all of it",
    receive_mail: false,
  });
  for (const wrong of [
    body(20_000, "2020-01-01T00:00:00Z"),
    { ...large, task_name: 3 },
    body(pointLimits.async + 1),
  ]) {
    const here = await refusal(readTaskBody(bytesOf(wrong), now, undefined));
    expect(here).toMatchObject({ status: 422 });
    expect(await refusal(readTaskBody(bytesOf(wrong), now, counted))).toEqual(here);
  }
  expect(calls).toHaveLength(4);
  await readTaskBody(bytesOf(body(10)), now, counted);
  expect(calls).toHaveLength(4);
});

it("a body that ends the thread is refused as too large", async () => {
  const dying = { call: () => Promise.reject(new ThreadEndedError("The worker thread ended")) };
  expect(await refusal(readTaskBody(bytesOf(body(20_000)), now, dying))).toMatchObject({ status: 413 });
});

it("no body that is read reaches the thread's limit of memory, where the engine may end the process: three quarters do for the worst", async () => {
  const { maxOldGenerationSizeMb } = bodyPoolOptions.limits;
  const smaller = workerPool({
    ...bodyPoolOptions,
    limits: { maxOldGenerationSizeMb: 0.75 * maxOldGenerationSizeMb },
  });
  const time = formatInstant(now);
  // Numbers, each an object of its own in the engine.
  const more = `"a":0.1,"b":0.2,"c":0.3,"d":0.4,"e":0.5,"f":0.6,"g":0.7,"h":0.8,"i":0.9,"j":1.1,"k":1.2`;
  const point = `{"latitude":1.5,"longitude":0.5,"timestamp":"${time}",${more}}`;
  const points = `${`${point},`.repeat(pointLimits.async - 1)}${point}`;
  // One letter beyond Latin-1 doubles the memory of the text.
  const bytes = Buffer.from(`{"task_name":"Ω","variables":["wind"],"points":[${points}]}`);
  expect(bytes.length).toBeLessThan(bodyLimits.async);
  try {
    expect(await readTaskBody(bytes, now, smaller)).toMatchObject({ size: pointLimits.async });
  } finally {
    await smaller.terminate();
  }
}, 60_000);

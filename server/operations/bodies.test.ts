import { afterAll, expect, it } from "vitest";
import { bodyLimits } from "#lib/contract/limits.ts";
import { pointLimits } from "#lib/contract/point.ts";
import { formatInstant } from "#lib/time.ts";
import { openQueues } from "#server/http/queues.ts";
import { HttpError } from "#server/http/reply.ts";
import type { BodyReader } from "#server/http/validation.ts";
import { ThreadEndedError, type WorkerPool, workerPool } from "#server/platform/worker-pool.ts";
import { bodyPoolOptions, isLarge, readLarge, readPoints, taskPoints } from "./bodies.ts";

const now = 1_767_225_600;
const pool = workerPool(bodyPoolOptions);
afterAll(() => pool.terminate());

type Pool = Pick<WorkerPool, "call">;
const contextOf = (bodyPool?: Pool) => ({ bodyPool, queues: openQueues(100) });
const job = { owner: "Ann", aborter: new AbortController() };
/** Reads a body as the pipeline does; without a pool it is read in this thread. */
const readBody = async <Body>(
  name: "PointRequest" | "ManyPointsRequest",
  reader: BodyReader<Body>,
  bytes: Uint8Array,
  { bodyPool, queues }: ReturnType<typeof contextOf>,
  owner = job,
) =>
  bodyPool && isLarge(bytes)
    ? readLarge(name, reader, bytes, now, { bodyPool, queues }, owner)
    : { body: reader.read(bytes, now), bytes };
const readTask = async (bytes: Uint8Array, given?: Pool) =>
  (await readBody("ManyPointsRequest", taskPoints, bytes, contextOf(given))).body;

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
  const counted: Pool = {
    call: (name, input, options) => {
      calls.push(name);
      return pool.call(name, input, options);
    },
  };
  const large = body(20_000);
  expect(await readTask(bytesOf(large, "\ufeff"), counted)).toEqual({
    size: 20_000,
    task_name: "all of it",
    receive_mail: false,
  });
  for (const wrong of [
    body(20_000, "2020-01-01T00:00:00Z"),
    { ...large, task_name: 3 },
    body(pointLimits.async + 1),
  ]) {
    const here = await refusal(readTask(bytesOf(wrong)));
    expect(here).toMatchObject({ status: 422 });
    expect(await refusal(readTask(bytesOf(wrong), counted))).toEqual(here);
  }
  expect(calls).toHaveLength(4);
  await readTask(bytesOf(body(10)), counted);
  expect(calls).toHaveLength(4);
});

it("a body that ends the thread is refused as too large", async () => {
  const ended = (code: string): Pool => ({
    call: () => Promise.reject(new ThreadEndedError("The worker thread ended", { cause: { code } })),
  });
  const outOfMemory = ended("ERR_WORKER_OUT_OF_MEMORY");
  expect(await refusal(readTask(bytesOf(body(20_000)), outOfMemory))).toMatchObject({ status: 413 });
  // A fault of the service is not reported as the caller's.
  await expect(readTask(bytesOf(body(20_000)), ended("ERR_MODULE_NOT_FOUND"))).rejects.toThrow(
    ThreadEndedError,
  );
});

it("no body that is read reaches the thread's limit of memory, where the engine may end the process: three quarters do for the worst", async () => {
  const { maxOldGenerationSizeMb } = bodyPoolOptions.limits;
  const smaller = workerPool({
    ...bodyPoolOptions,
    limits: { maxOldGenerationSizeMb: 0.75 * maxOldGenerationSizeMb },
  });
  const time = formatInstant(now);
  // The engine stores each of these numbers as an object of its own.
  const more = `"a":0.1,"b":0.2,"c":0.3,"d":0.4,"e":0.5,"f":0.6,"g":0.7,"h":0.8,"i":0.9,"j":1.1,"k":1.2`;
  const point = `{"latitude":1.5,"longitude":0.5,"timestamp":"${time}",${more}}`;
  const points = `${`${point},`.repeat(pointLimits.async - 1)}${point}`;
  // One letter beyond Latin-1 doubles the memory of the text.
  const bytes = Buffer.from(`{"task_name":"Ω","variables":["wind"],"points":[${points}]}`);
  expect(bytes.length).toBeLessThan(bodyLimits.async);
  try {
    expect(await readTask(bytes, smaller)).toMatchObject({ size: pointLimits.async });
  } finally {
    await smaller.terminate();
  }
}, 60_000);

it("a large body is the same request as a small one, with its rules, and comes back with its bytes", async () => {
  const read = (request: object, given: Pool | undefined) =>
    readBody(
      "PointRequest",
      readPoints,
      bytesOf({ ...request, more: "x".repeat(300_000) }),
      contextOf(given),
    );
  const here = await read(body(1000), undefined);
  const there = await read(body(1000), pool);
  expect(there.body).toEqual(here.body);
  expect(Buffer.from(there.bytes).equals(here.bytes)).toBe(true);
  const past = body(3, "2020-01-01T00:00:00Z");
  const refused = await refusal(read(past, undefined));
  expect(refused).toMatchObject({ status: 422, detail: [{}, {}, {}] });
  expect(await refusal(read(past, pool))).toEqual(refused);
});

const filled = (before: string, unit: string, after = "") =>
  Buffer.from(before + unit.repeat((bodyLimits.async - before.length - after.length) / unit.length) + after);
const point = `{"points":[{"latitude":1,"longitude":2,"timestamp":"${formatInstant(now)}"}],"variables":["wind"]`;

it.each([
  ["brackets", filled("", "["), 413],
  ["empty objects beside a point", filled(`${point},"x":[{}`, ",{}", "]}"), 413],
  ["points of nothing", filled('{"points":[{}', ",{}", '],"variables":["wind"]}'), 413],
  ["a list of errors", Buffer.from(`{"points":[{}${",{}".repeat(190_000)}],"variables":["wind"]}`), 422],
  ["one string of escapes", filled(`${point},"x":"`, "\\u00e9", '"}'), undefined],
  ["one string, not closed", filled(`${point},"x":"`, "x"), 422],
  ["a huge number", filled(`${point},"x":`, "1", "}"), undefined],
  ["duplicate keys", filled(point, ',"variables":["wind"]', "}"), 413],
] as const)(
  "32 MiB of %s are accepted or refused in words, and the thread serves the next body",
  async (_, bytes, status) => {
    const outcome = await refusal(readTask(bytes, pool));
    expect(outcome?.status).toBe(status);
    expect(await readTask(bytesOf(body(20_000)), pool)).toMatchObject({ size: 20_000 });
  },
  30_000,
);

it("owners take turns to have large bodies read, and who waits too long is refused", async () => {
  const order: string[] = [];
  const gates: (() => void)[] = [];
  const slow: Pool = {
    call: (_name, input) =>
      new Promise((resolve) => {
        const { bytes } = input as { bytes: Uint8Array };
        gates.push(() => resolve({ json: "{}", bytes } as never));
      }),
  };
  const context = { bodyPool: slow, queues: openQueues(1) };
  const read = (owner: string) =>
    readBody("ManyPointsRequest", taskPoints, Buffer.alloc(300_000), context, { ...job, owner }).then(
      () => order.push(owner),
      ({ name }: Error) => order.push(`${owner} ${name}`),
    );
  const all = ["greedy", "greedy", "greedy", "other"].map(read);
  for (let turn = 0; turn < 3; turn++) {
    await expect.poll(() => gates.length).toBe(turn + 1);
    gates[turn]!();
  }
  await Promise.all(all);
  expect(order.slice(0, 3)).toContain("other");
  expect(order[3]).toBe("greedy OverloadError");
});

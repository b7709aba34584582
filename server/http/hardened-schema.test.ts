import { expect, it } from "vitest";
import { z } from "zod";
import { monotonicMs } from "#server/platform/clock.ts";
import { countRounds } from "#test/count-rounds.ts";
import { HttpError } from "./reply.ts";
import { bodyReader, checkerOf } from "./validation.ts";

const entry = (name: z.ZodType) => z.object({ name, size: z.number().max(100).default(7) });
const schemaOf = (name: z.ZodType) =>
  z.object({ list: z.array(entry(name)).min(1).max(20_000).optional(), tags: z.array(z.string()) });

/** Long enough to be read in parts. */
const list = Array.from({ length: 5000 }, (_, index) => ({ name: `entry ${index}`, ignored: true }));
const bytesOf = (value: unknown) => Buffer.from(JSON.stringify(value));

it("of a long list a thousand entries are checked at a stretch, each of them once", async () => {
  const counter = countRounds();
  const inRound = new Map<number, number>();
  const counting = z.string().refine(() => {
    inRound.set(counter.rounds, (inRound.get(counter.rounds) ?? 0) + 1);
    // As a real check takes, so that a thousand take longer than the round before them.
    for (const until = monotonicMs() + 0.02; monotonicMs() < until; );
    return true;
  });
  const read = bodyReader(schemaOf(counting));
  await read(bytesOf({ list, tags: [] }), 0);
  counter.stop();
  const counts = [...inRound.values()];
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(list.length);
  expect(Math.max(...counts)).toBeLessThanOrEqual(1024);
});

it.each([
  ["is valid", {}],
  ["has no tags", { tags: undefined }],
  ["has wrong entries", { list: list.with(2, null as never).with(4000, { name: 5 } as never) }],
  ["has wrong entries only", { list: list.map(() => ({ name: 5, size: 1000 })) }],
  ["repeats an entry that is too large", { list: list.map((each) => ({ ...each, size: 101 })) }],
  ["has a text for the list", { list: "x".repeat(100_000) }],
  ["is a list", [list]],
])("a body that %s is read in parts as at once", async (_what, change) => {
  const body = Array.isArray(change) ? change : { list, tags: ["a", "a"], ...change };
  const schema = schemaOf(z.string());
  const atOnce = await outcomeOf(() => checkerOf(schema, "body")(JSON.parse(JSON.stringify(body))));
  expect(await outcomeOf(() => bodyReader(schema)(bytesOf(body), 0))).toEqual(atOnce);
});

it("null that is valid in one list is not valid in the next", async () => {
  const schema = z.object({ gaps: z.array(entry(z.string()).nullable()), list: z.array(entry(z.string())) });
  const body = { gaps: [null], list: [...list, null] };
  expect(await outcomeOf(() => bodyReader(schema)(bytesOf(body), 0))).toMatchObject({
    detail: [{ loc: ["body", "list", list.length] }],
  });
});

async function outcomeOf(run: () => unknown): Promise<unknown> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return JSON.parse(String(error.reply.body));
  }
}

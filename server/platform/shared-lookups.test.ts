import { expect, it } from "vitest";
import { sharedLookups } from "./shared-lookups.ts";

/** Creates lookups whose queries end when the test says so. */
function manual() {
  const queries: { keys: string[]; answer(): void; fail(error: Error): void }[] = [];
  const find = sharedLookups<string>(
    (keys) =>
      new Promise((resolve, reject) => {
        const answer = () =>
          resolve(new Map(keys.filter((key) => key !== "none").map((key) => [key, `of ${key}`])));
        queries.push({ keys, answer, fail: reject });
      }),
  );
  return { find, queries };
}

it("queries at once, and then once for all keys requested meanwhile, each key once", async () => {
  const { find, queries } = manual();
  const first = find("a");
  const later = [find("b"), find("none"), find("b")];
  expect(queries.map(({ keys }) => keys)).toEqual([["a"]]);
  queries[0]!.answer();
  expect(await first).toBe("of a");
  await expect.poll(() => queries.length).toBe(2);
  expect(queries[1]!.keys).toEqual(["b", "none"]);
  queries[1]!.answer();
  expect(await Promise.all(later)).toEqual(["of b", undefined, "of b"]);
  void find("c");
  expect(queries[2]!.keys).toEqual(["c"]);
});

it("a key that is requested again during its query is read again", async () => {
  const { find, queries } = manual();
  void find("a");
  void find("a");
  queries[0]!.answer();
  await expect.poll(() => queries.map(({ keys }) => keys)).toEqual([["a"], ["a"]]);
});

it("a flood of requests causes one query at a time, of bounded length", async () => {
  const { find, queries } = manual();
  const flood = Array.from({ length: 1201 }, (_, i) => find(String(i)));
  for (const length of [1, 500, 500, 200]) {
    await expect.poll(() => queries.at(-1)!.keys.length).toBe(length);
    queries.at(-1)!.answer();
  }
  expect(await flood.at(-1)).toBe("of 1200");
  expect(queries).toHaveLength(4);
});

it("a failed query fails its own lookups only", async () => {
  const { find, queries } = manual();
  const [first, second] = [find("a"), find("b")];
  queries[0]!.fail(new Error("connection lost"));
  await expect(first).rejects.toThrow("connection lost");
  await expect.poll(() => queries.length).toBe(2);
  queries[1]!.answer();
  expect(await second).toBe("of b");
});

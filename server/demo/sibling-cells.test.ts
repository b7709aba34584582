import { expect, it } from "vitest";
import { SiblingCells } from "./sibling-cells.ts";

/** Cells of a step, in a row of columns. */
const cellsOf = (...columns: number[]) => Int32Array.from(columns.flatMap((column) => [7, 300, column]));

/** What a folder has in a cell. */
const valuesOf = (folder: number, ...columns: number[]) =>
  Int16Array.from(
    columns.flatMap((column) => [0, 1, 2, 3].map((corner) => 1000 * folder + 10 * column + corner)),
  );

it("cells that were computed with those of another field are found, in any order and beside others", async () => {
  const known = new SiblingCells(100_000);
  known.add(
    ["b", "c"],
    cellsOf(1, 2, 3),
    Promise.resolve(
      new Map([
        ["b", valuesOf(1, 1, 2, 3)],
        ["c", valuesOf(2, 1, 2, 3)],
      ]),
    ),
  );
  await known.underWay("b", cellsOf(3));
  const { values, missing } = known.find("b", cellsOf(3, 9, 1));
  expect(missing).toEqual([1]);
  expect([...values]).toEqual([...valuesOf(1, 3), 0, 0, 0, 0, ...valuesOf(1, 1)]);
  expect([...known.find("c", cellsOf(2)).values]).toEqual([...valuesOf(2, 2)]);
  expect(known.find("a", cellsOf(1, 2)).missing).toEqual([0, 1]);
});

it("waits for a computation of its own cells only, and computes what has failed for another", async () => {
  const known = new SiblingCells(100_000);
  const { promise, reject } = Promise.withResolvers<Map<string, Int16Array>>();
  known.add(["b"], cellsOf(1, 2), promise);
  expect(known.underWay("b", cellsOf(3))).toBeUndefined();
  expect(known.underWay("a", cellsOf(1))).toBeUndefined();
  const awaited = known.underWay("b", cellsOf(3, 2));
  expect(awaited).toBeInstanceOf(Promise);
  reject(new Error("no"));
  await awaited;
  expect(known.underWay("b", cellsOf(2))).toBeUndefined();
  expect(known.find("b", cellsOf(1, 2)).missing).toEqual([0, 1]);
});

it("keeps within its budget what was computed last", async () => {
  const known = new SiblingCells(300);
  for (const column of [1, 2, 3, 4, 5, 6, 7])
    known.add(["b"], cellsOf(column), Promise.resolve(new Map([["b", valuesOf(1, column)]])));
  for (const column of [1, 2, 3, 4, 5, 6, 7]) await known.underWay("b", cellsOf(column));
  // 48 bytes each.
  expect(known.find("b", cellsOf(1, 2, 3, 4, 5, 6, 7)).missing).toEqual([0]);
  const many = [11, 12, 13, 14, 15, 16, 17];
  known.add(["b"], cellsOf(...many), Promise.resolve(new Map([["b", valuesOf(1, ...many)]])));
  await known.underWay("b", cellsOf(11));
  expect(known.find("b", cellsOf(11, 7)).missing).toEqual([0]);
});

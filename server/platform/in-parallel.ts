/**
 * Works on items in their order, several at the same time. After a failure no further one is begun, and those that are
 * under way are waited for.
 *
 * @returns Results in the order of the items.
 * @throws What the earliest item that failed did, not what failed at the earliest time.
 */
export async function inParallel<Item, Result>(
  atOnce: number,
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const failures: { index: number; error: unknown }[] = [];
  let next = 0;
  const worker = async () => {
    while (next < items.length && failures.length === 0) {
      const index = next++;
      try {
        results[index] = await work(items[index]!);
      } catch (error) {
        failures.push({ index, error });
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  const [first] = failures.sort((a, b) => a.index - b.index);
  if (first) throw first.error;
  return results;
}

/** Does one work after another, each when those before it have ended, however they did. */
export type SerialQueue = <Result>(work: () => Promise<Result>) => Promise<Result>;

export function serialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}

/** Most keys of one query. */
const MAX_SHARED = 500;

interface Waiting<Value> {
  result: Promise<Value | undefined>;
  resolve(value: Value | undefined): void;
  reject(error: unknown): void;
}

/**
 * Looks values up with one query at a time. Keys requested during a query share the next one, in order. However many
 * callers there are, the database has one query to answer.
 *
 * @param query Returns the values of some keys, without those that have no value.
 */
export function sharedLookups<Value>(
  query: (keys: string[]) => Promise<ReadonlyMap<string, Value>>,
): (key: string) => Promise<Value | undefined> {
  const waiting = new Map<string, Waiting<Value>>();
  let isBusy = false;

  const work = async () => {
    isBusy = true;
    while (waiting.size > 0) {
      const batch: [string, Waiting<Value>][] = [];
      for (const entry of waiting) {
        if (batch.length === MAX_SHARED) break;
        batch.push(entry);
        waiting.delete(entry[0]);
      }
      try {
        const values = await query(batch.map(([key]) => key));
        for (const [key, { resolve }] of batch) resolve(values.get(key));
      } catch (error) {
        for (const [, { reject }] of batch) reject(error);
      }
    }
    isBusy = false;
  };

  return (key) => {
    const same = waiting.get(key);
    if (same) return same.result;
    const { promise: result, resolve, reject } = Promise.withResolvers<Value | undefined>();
    waiting.set(key, { result, resolve, reject });
    if (!isBusy) void work();
    return result;
  };
}

/** Most lookups of one query. */
const MAX_SHARED = 500;

interface Waiting<Value> {
  result: Promise<Value | undefined>;
  resolve(value: Value | undefined): void;
  reject(error: unknown): void;
}

/**
 * Looks values up one query after another: what is asked for during a query shares the next one, in order. However many
 * callers there are, the database has one query to answer.
 *
 * @param query The values of some keys; those without a value are left out.
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

/**
 * Makes a value for several takers, which ask for the same ones in the same order. Each is made once, when all of them ask for
 * it, so that no more than one is held, however much faster one of the takers is.
 *
 * @param takers How many take each value.
 * @param make Makes the value of an index.
 */
export function inStep<Value>(takers: number, make: (index: number) => Promise<Value>) {
  let asked = 0;
  let next = Promise.withResolvers<Value>();
  let failure: { error: unknown } | undefined;
  return {
    /** Resolves when all takers have asked for the value. @throws What another taker failed with. */
    async take(index: number): Promise<Value> {
      if (failure) throw failure.error;
      const { promise, resolve, reject } = next;
      if (++asked === takers) {
        asked = 0;
        next = Promise.withResolvers();
        make(index).then(resolve, reject);
      }
      return promise;
    },
    /** Ends the others, which would wait for a taker that takes no more. */
    fail(error: unknown): void {
      failure ??= { error };
      if (asked > 0) next.reject(error);
    },
  };
}

/** A value with change listeners, in the form that `useSyncExternalStore` requires. */
export interface Store<T> {
  read(): T;
  set(next: T): void;
  /** @returns Function that ends the subscription. */
  subscribe(listener: () => void): () => void;
}

/**
 * @param initial Called when the value is first read. @param watch Called once, with the first subscription, to
 * follow what changes the value from outside.
 */
export function createStore<T extends {}>(initial: () => T, watch?: () => void): Store<T> {
  const listeners = new Set<() => void>();
  let current: T | undefined;
  let isWatched = false;
  return {
    read() {
      current ??= initial();
      return current;
    },
    set(next) {
      current = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      if (!isWatched) watch?.();
      isWatched = true;
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

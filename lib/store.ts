/** A value whose changes can be listened to, as `useSyncExternalStore` takes it. */
export interface Store<T> {
  read(): T;
  set(next: T): void;
  /** @returns Ends it. */
  subscribe(listener: () => void): () => void;
}

/** @param initial Called with the first reading. */
export function createStore<T extends {}>(initial: () => T): Store<T> {
  const listeners = new Set<() => void>();
  let current: T | undefined;
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
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

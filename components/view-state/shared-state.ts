import { useSyncExternalStore } from "react";

/** State of the open page that parts of it share: it is in neither link nor device. */
export interface SharedState<T extends object> {
  use(): T;
  current(): T;
  /** Does nothing where all of it is so already. */
  change(part: Partial<T>): void;
}

/** @param initial Also what the server draws. */
export function sharedState<T extends object>(initial: T): SharedState<T> {
  const listeners = new Set<() => void>();
  let state = initial;
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  function useShared(): T {
    return useSyncExternalStore(
      subscribe,
      () => state,
      () => initial,
    );
  }
  return {
    use: useShared,
    current: () => state,
    change(part) {
      const names = Object.keys(part) as (keyof T)[];
      if (names.every((name) => state[name] === part[name])) return;
      state = { ...state, ...part };
      for (const listener of listeners) listener();
    },
  };
}

import { useSyncExternalStore } from "react";

/** A choice that this device keeps. */
export interface DeviceSetting<Value extends string> {
  use(): Value;
  set(value: Value): void;
}

/**
 * A choice kept in the browser, the same for all components of the page.
 *
 * @param key In `localStorage`.
 * @param values The first one applies until another was chosen.
 */
export function deviceSetting<Value extends string>(
  key: string,
  values: readonly [Value, ...Value[]],
): DeviceSetting<Value> {
  const listeners = new Set<() => void>();
  const read = () => {
    const stored = localStorage.getItem(key);
    return values.find((value) => value === stored) ?? values[0];
  };
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    use: () => useSyncExternalStore(subscribe, read, () => values[0]),
    set(value) {
      localStorage.setItem(key, value);
      for (const listener of listeners) listener();
    },
  };
}

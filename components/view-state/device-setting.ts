import { useSyncExternalStore } from "react";

/** A choice that this device keeps. */
export interface DeviceSetting<Value extends string> {
  use(): Value;
  /** The same outside React. */
  read(): Value;
  set(value: Value): void;
}

/**
 * A choice kept in the browser, the same for all components of the page.
 *
 * @param key In `localStorage`.
 * @param values The server renders with the first one.
 * @param unset What applies until one was chosen; by default the first.
 */
export function deviceSetting<Value extends string>(
  key: string,
  values: readonly [Value, ...Value[]],
  unset: () => Value = () => values[0],
): DeviceSetting<Value> {
  const listeners = new Set<() => void>();
  const read = () => {
    const stored = localStorage.getItem(key);
    return values.find((value) => value === stored) ?? unset();
  };
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    read,
    use: () => useSyncExternalStore(subscribe, read, () => values[0]),
    set(value) {
      localStorage.setItem(key, value);
      for (const listener of listeners) listener();
    },
  };
}

import { useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";
import { createStore } from "#lib/store.ts";

/** State of a page as components see it. */
export interface Selectable<T extends object> {
  /** The named fields; the component renders again only when one of them changes. */
  use<Name extends keyof T>(...names: Name[]): Pick<T, Name>;
  /** The latest state, for event handlers; a component that only calls this does not render again. */
  current(): T;
  /** @returns Function that ends the subscription. */
  subscribe(listener: () => void): () => void;
}

/** State of the open page that its parts share; it is stored in neither link nor device. */
export interface SharedState<T extends object> extends Selectable<T> {
  /** Does nothing if all of it is already so. */
  change(part: Partial<T>): void;
}

/** @param initial The server renders with it too. */
export function sharedState<T extends object>(initial: T): SharedState<T> {
  const { read, set, subscribe } = createStore(() => initial);
  return {
    ...selectable(subscribe, read, () => initial),
    change(part) {
      const names = Object.keys(part) as (keyof T)[];
      if (names.some((name) => !Object.is(read()[name], part[name]))) set({ ...read(), ...part });
    },
  };
}

/**
 * Makes a value that a component computes available to the components below it, which select fields of it. They
 * render after this component and before the browser paints.
 *
 * @param value Fields that have not changed must be the same objects.
 */
export function usePublished<T extends object>(value: T): SharedState<T> {
  const [state] = useState(() => sharedState(value));
  useLayoutEffect(() => state.change(value));
  return state;
}

/** State that is computed from another one, once for each state of it. */
export function derivedState<T extends object, Derived extends object>(
  source: Selectable<T>,
  compute: (state: T) => Derived,
): Selectable<Derived> {
  let last: { from: T; to: Derived } | undefined;
  const read = () => {
    const from = source.current();
    if (last?.from !== from) last = { from, to: compute(from) };
    return last.to;
  };
  return selectable(source.subscribe, read, read);
}

function selectable<T extends object>(
  subscribe: Selectable<T>["subscribe"],
  current: () => T,
  onServer: () => T,
): Selectable<T> {
  return {
    use: (...names) => useFields(subscribe, current, onServer, names),
    current,
    subscribe,
  };
}

function useFields<T extends object, Name extends keyof T>(
  subscribe: Selectable<T>["subscribe"],
  current: () => T,
  onServer: () => T,
  names: readonly Name[],
): Pick<T, Name> {
  const last = useRef<Pick<T, Name>>(undefined);
  // React compares snapshots by identity, so the object stays the same while its fields do.
  const pick = (state: T) => {
    const before = last.current;
    if (before && names.every((name) => Object.is(before[name], state[name]))) return before;
    last.current = Object.fromEntries(names.map((name) => [name, state[name]])) as Pick<T, Name>;
    return last.current;
  };
  return useSyncExternalStore(
    subscribe,
    () => pick(current()),
    () => pick(onServer()),
  );
}

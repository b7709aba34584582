import { useSyncExternalStore } from "react";
import { pageStorage } from "#lib/page-storage.ts";
import { createStore, type Store } from "#lib/store.ts";
import type { StepHours } from "./time-window.ts";

/** Storage of this device; it holds nothing if the browser blocks site data. */
export const deviceStorage = pageStorage(() => globalThis.localStorage);

interface DeviceSetting<Value extends string> {
  use(): Value;
  read(): Value;
  set(value: Value): void;
}

/**
 * A choice stored in the browser, shared by all components of the page.
 *
 * @param key Key in `localStorage`.
 * @param values Possible values; the server renders with the first one.
 * @param unset Value until one was chosen; defaults to the first.
 */
export function deviceSetting<Value extends string>(
  key: string,
  values: readonly [Value, ...Value[]],
  unset: () => Value = () => values[0],
): DeviceSetting<Value> {
  const changes = createStore(() => ({}));
  /** A choice that the device did not store, valid while the page is open. */
  let own: Value | undefined;
  const read = () => {
    if (own !== undefined) return own;
    const stored = deviceStorage.getItem(key);
    return values.find((value) => value === stored) ?? unset();
  };
  return {
    read,
    use: () => useSyncExternalStore(changes.subscribe, read, () => values[0]),
    set(value) {
      own = deviceStorage.setItem(key, value) ? undefined : value;
      changes.set({});
    },
  };
}

/** How much data a view may use: full detail, or what a metered connection at sea allows. */
export const dataUses = ["full", "light"] as const;

/** The choice on this device; without one, that of the browser's data saver. */
const setting = deviceSetting("metocean-data-use", dataUses, () => {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  return connection?.saveData ? "light" : "full";
});

export const { use: useDataUse, read: dataUse, set: setDataUse } = setting;

/** Interval of the time bar: that of the model, or a number of hours. */
export const stepSetting = deviceSetting("metocean-time-step", ["model", "1", "3", "6"]);

export const speedSetting = deviceSetting("metocean-play-speed", ["normal", "slow", "fast"]);

/** Least dwell on a step while playing, ms, which is long enough to see it. */
export const dwellMs = { slow: 1200, normal: 500, fast: 150 } as const;

export function useStepHours(): StepHours {
  const step = stepSetting.use();
  return step === "model" ? undefined : (Number(step) as StepHours);
}

const YEAR_S = 31_536_000;

/** Value of a cookie of this page: a choice that the server needs for rendering, never a secret. */
export function cookieOf(name: string): string | undefined {
  return new RegExp(`(?:^|; )${name}=([^;]*)`).exec(document.cookie)?.[1];
}

/** Saves a choice for a year. */
export function saveCookie(name: string, value: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API
  document.cookie = `${name}=${value}; path=/; max-age=${YEAR_S}; samesite=lax`;
}

/**
 * State that the device stores as text, following changes in this tab and in others. @param parse Parses that
 * text; it also gets the previous value.
 */
export function storedState<T extends object>(
  key: string,
  parse: (text: string | null, before?: T) => T,
): Store<T> {
  const store = createStore(
    () => parse(deviceStorage.getItem(key)),
    () =>
      window.addEventListener("storage", (event) => {
        if (event.key === null || event.key === key)
          store.set(parse(deviceStorage.getItem(key), store.read()));
      }),
  );
  return store;
}

/**
 * A value that was stored as JSON under this name; undefined if the text is not such JSON, or of another
 * version.
 */
export function readKept<T>(text: string | null, name: string): T | undefined {
  try {
    const kept = JSON.parse(text ?? "{}") as Record<string, unknown>;
    return kept.version === VERSION ? (kept[name] as T) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const VERSION = 1;

/** @returns Whether the device stored it; its storage may be full or disabled. */
export function keepJson(key: string, name: string, value: object): boolean {
  return deviceStorage.setItem(key, JSON.stringify({ version: VERSION, [name]: value }));
}

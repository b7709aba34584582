import { vi } from "vitest";

/** One window for all tests of a file, because code that listens to other tabs does so once. */
const window = new EventTarget();

/** The device's storage, with another tab that writes to it. */
export function stubStorage() {
  const stored = new Map<string, string>();
  const storage = { isFull: false };
  vi.stubGlobal("window", window);
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem(name: string, value: string) {
      if (storage.isFull) throw new DOMException("full", "QuotaExceededError");
      stored.set(name, value);
    },
    removeItem: (name: string) => stored.delete(name),
  });
  const announce = (key: string | null) => window.dispatchEvent(Object.assign(new Event("storage"), { key }));
  return Object.assign(storage, { stored, announce });
}

/**
 * Simulates a browser that blocks site data: its storages and caches throw on access. @returns A function that ends it.
 */
export function blockStorage(): () => void {
  const names = ["localStorage", "sessionStorage", "caches"] as const;
  const before = names.map((name) => Object.getOwnPropertyDescriptor(globalThis, name));
  for (const name of names)
    Object.defineProperty(globalThis, name, {
      configurable: true,
      get() {
        throw new DOMException("Access is denied for this document.", "SecurityError");
      },
    });
  return () => {
    for (const [index, name] of names.entries()) {
      const descriptor = before[index];
      if (descriptor) Object.defineProperty(globalThis, name, descriptor);
      else Reflect.deleteProperty(globalThis, name);
    }
  };
}

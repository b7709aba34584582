/** Waits. @throws The reason of the signal when that aborts. */
export type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

/** The clock of the machine. */
export const pause: Sleep = (milliseconds, signal) =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const leave = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", leave);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", leave, { once: true });
  });

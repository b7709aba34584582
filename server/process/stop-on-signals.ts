/** Aborted by the first SIGINT or SIGTERM; the second ends the process as usual. */
export function stopOnSignals(): AbortController {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  return stop;
}

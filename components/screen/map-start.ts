/** A server that takes this long to begin a page is behind a bad link; milliseconds. */
const SLOW_MS = 250;

/** The map is not held up longer than this, milliseconds. */
const MAX_WAIT_MS = 6000;

/**
 * Resolves when the map's scripts, half of the page, may be loaded: over a bad link, for a view with a sampled point, after
 * the numbers of that point, which are 3 kB; else at once.
 */
export function mapMayStart(): Promise<void> {
  const [page] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  const slow = page !== undefined && page.responseStart - page.requestStart > SLOW_MS;
  const samples = new URLSearchParams(window.location.search).has("p");
  if (!slow || !samples) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      observer.disconnect();
      resolve();
    };
    const timer = setTimeout(end, MAX_WAIT_MS);
    const observer = new PerformanceObserver((list) => {
      if (list.getEntries().some(({ name }) => new URL(name).pathname === "/MetOcean")) end();
    });
    observer.observe({ type: "resource", buffered: true });
  });
}

import { loadMapLibrary } from "#components/map/library/map-library.ts";

/** A server that takes this long to begin a page is behind a bad link; milliseconds. */
const SLOW_MS = 250;

/** The map is not held up longer than this, milliseconds. */
const MAX_WAIT_MS = 6000;

/** How long after a failure the map's scripts are requested again, unless the network is back before; milliseconds. */
const RETRY_MS = 10_000;

let loading: ReturnType<typeof load> | undefined;

/** Loads what draws the map, half of all scripts, once. Without a network it is repeated until there is one. */
export function loadMap() {
  loading ??= load();
  return loading;
}

async function load() {
  await firstNumberOverSlowLink();
  for (;;) {
    try {
      const [file] = await Promise.all([import("./map-with-storms.tsx"), loadMapLibrary()]);
      return file.MapWithStorms;
    } catch {
      await networkOrRetry();
    }
  }
}

/**
 * Over a bad link, for a view with a sampled point, resolves after the numbers of that point, which are 3 kB; else at once.
 */
function firstNumberOverSlowLink(): Promise<void> {
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

function networkOrRetry(): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener("online", end);
      resolve();
    };
    const timer = setTimeout(end, RETRY_MS);
    window.addEventListener("online", end);
  });
}

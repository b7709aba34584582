import { cacheControlOf, pathSigner } from "#server/http/signed-path.ts";
import { seeded } from "#test/seeded.ts";
import { framesOf } from "./frames-of-look.ts";
import { sessionOf } from "./sessions.ts";
import { SharedCache } from "./shared-cache.ts";

/** Shared caches before the service. */
export interface Network {
  /** Places of a CDN that people are led to, each with a cache of its own. */
  edges: number;
  /** Edges ask one cache, which asks the service. */
  hasShield: boolean;
  cacheBytes: number;
}

/** What the service is asked for. */
export interface Origin {
  requests: number;
  bytes: number;
  /** In the busiest minute, a second. */
  peak: number;
}

export interface Day {
  /** Frames that pages asked for, without those that the browser had: what the service is asked without a cache. */
  asked: Origin;
  /** In the order of the networks. */
  origins: Origin[];
}

const DAY_S = 86_400;
/** Any day that begins at a multiple of two hours, as grants do. */
const MIDNIGHT = 1_798_761_600;

/**
 * A day of people at the map. Who waits for a frame that is on its way to the same cache is answered with it, as CDNs do
 * (request collapsing).
 */
export function simulateDay(viewers: number, networks: readonly Network[], seed: number): Day {
  const random = seeded(seed);
  const looks = Array.from({ length: viewers }, (_, viewer) => {
    const place = random();
    return sessionOf(random).map((look) => ({ ...look, at: look.at % DAY_S, viewer, place }));
  })
    .flat()
    .sort((a, b) => a.at - b.at);
  const asked = new Counter();
  const origins = networks.map((network) => ({ ...cachesOf(network), counter: new Counter() }));
  // What browsers have: signed paths are immutable there too.
  const browsers = Array.from({ length: viewers }, () => new Set<string>());
  const signer = hourlySigner();
  for (const { viewer, place, ...look } of looks) {
    const now = MIDNIGHT + look.at;
    signer.now = now;
    const browser = browsers[viewer]!;
    for (const { path, bytes } of framesOf(look, signer.grantOf)) {
      if (browser.has(path)) continue;
      browser.add(path);
      asked.add(look.at, bytes);
      let cacheControl: string | undefined;
      for (const { edges, shield, counter } of origins) {
        const edge = edges[Math.floor(place * edges.length)]!;
        if (edge.has(path, now)) continue;
        cacheControl ??= signer.headerOf(path);
        edge.put(path, bytes, cacheControl, now);
        if (shield?.has(path, now)) continue;
        shield?.put(path, bytes, cacheControl, now);
        counter.add(look.at, bytes);
      }
    }
  }
  return { asked: asked.result(), origins: origins.map(({ counter }) => counter.result()) };
}

function cachesOf({ edges, hasShield, cacheBytes }: Network) {
  return {
    edges: Array.from({ length: edges }, () => new SharedCache(cacheBytes)),
    shield: hasShield ? new SharedCache(cacheBytes) : undefined,
  };
}

class Counter {
  #requests = 0;
  #bytes = 0;
  readonly #perMinute = new Float64Array(DAY_S / 60);

  add(at: number, bytes: number): void {
    this.#requests++;
    this.#bytes += bytes;
    this.#perMinute[Math.floor(at / 60)]!++;
  }

  result(): Origin {
    return { requests: this.#requests, bytes: this.#bytes, peak: Math.max(...this.#perMinute) / 60 };
  }
}

/** Grants as the manifest has them; each is signed once an hour and not for each look. */
function hourlySigner() {
  let hour = 0;
  let grants = new Map<string, string>();
  const subjects = new Map<string, string>();
  const state = {
    /** Unix seconds. */
    now: 0,
    grantOf({ run, variable }: { run: string; variable: string }): string {
      if (Math.floor(state.now / 3600) !== hour) grants = new Map();
      hour = Math.floor(state.now / 3600);
      const subject = `${run}/${variable}`;
      const grant = grants.get(subject) ?? signer.grant(subject);
      grants.set(subject, grant);
      subjects.set(grant, subject);
      return grant;
    },
    /** As the service sends it. */
    headerOf(path: string): string {
      const [, , , grant = ""] = path.split("/");
      const { secondsLeft } = signer.check(grant, subjects.get(grant)!);
      return cacheControlOf(secondsLeft);
    },
  };
  const signer = pathSigner("simulation", { now: () => state.now });
  return state;
}

import type { StormProvider } from "#lib/contract/storm-providers.ts";
import { andThen } from "#server/platform/and-then.ts";
import { newestBase, SYNOPTIC_S } from "./fixes.ts";
import { demoJma } from "./jma.ts";
import { demoAreas, demoDecks, finalWarning } from "./jtwc.ts";

/** How long the answer of `isSynthetic` is reused, milliseconds: it reads the list of runs. */
const RECHECK_MS = 1000;

export interface DemoStormFeedDeps {
  seed: number;
  /** Whether the demo's storms replace received ones, or appear where the weather is synthetic too. */
  mode: "always" | "auto";
  /** Whether the weather is synthetic now. */
  isSynthetic: () => boolean | Promise<boolean>;
  /** Monotonic clock, milliseconds. */
  elapsed: () => number;
}

/** The demo's storms as a feed that the server polls. Its texts come from `feedTexts` of this module. */
export function demoStormFeed({ seed, mode, isSynthetic, elapsed }: DemoStormFeedDeps) {
  let isActive = false;
  let checkedAt = Number.NEGATIVE_INFINITY;
  return {
    synthetic: true,
    takesPrecedence: mode === "always",
    isActive(): boolean | Promise<boolean> {
      if (mode === "always") return true;
      if (elapsed() - checkedAt < RECHECK_MS) return isActive;
      return andThen(isSynthetic(), (answer) => {
        isActive = answer;
        checkedAt = elapsed();
        return answer;
      });
    },
    newestBase,
    intervalS: SYNOPTIC_S,
    backfilledBulletins: 8,
    module: import.meta.url,
    options: { seed },
  };
}

/**
 * The texts of the demo's storms in the formats of the agencies.
 *
 * @param now Weather clock, Unix seconds.
 */
export function feedTexts(provider: StormProvider, now: number, { seed }: { seed: number }) {
  const decks = provider === "jma" ? [] : demoDecks(seed, now);
  const texts: [source: string, text: string][] = [];
  for (const deck of decks) {
    texts.push([`btk/b${deck.id}.dat`, deck.bDeck]);
    if (deck.aDeck !== undefined) texts.push([`aid_public/a${deck.id}.dat`, deck.aDeck]);
    if (!deck.active) texts.push([`products/${deck.id}.tcw`, finalWarning(deck)]);
  }
  texts.push(...Object.entries(provider === "jma" ? demoJma(seed, now) : demoAreas(seed, now)));
  return texts.map(([source, text]) => ({ source, text, receivedAt: now }));
}

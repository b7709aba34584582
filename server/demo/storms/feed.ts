import type { StormProvider } from "@open-metocean/storms/providers";
import { newestBase, SYNOPTIC_S } from "./fixes.ts";
import { demoJma } from "./jma.ts";
import { demoAreas, demoDecks, finalWarning } from "./jtwc.ts";

/**
 * The demo's storms as a feed that the server polls. Its texts come from `feedTexts`.
 *
 * @param mode Whether they replace received storms, or appear only where the weather is synthetic too.
 * @param isSynthetic Whether the weather is synthetic now.
 */
export function demoStormFeed(seed: number, mode: "always" | "auto", isSynthetic: () => Promise<boolean>) {
  return {
    synthetic: true,
    takesPrecedence: mode === "always",
    isActive: async () => mode === "always" || (await isSynthetic()),
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

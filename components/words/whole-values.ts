import type { Words } from "#lib/messages/words.ts";

export const NO_BREAK_SPACE = "\u00a0";

const patterns = new WeakMap<Words["catalog"], RegExp>();

/**
 * Replaces the spaces within values by no-break spaces, between a number and its unit (`36 kn`) and within a duration
 * (`39 h 20 min`), so that no line ends there.
 */
export function wholeValues(text: string, { catalog }: Words): string {
  let pattern = patterns.get(catalog);
  if (!pattern) {
    // A Latin letter would continue a word, as in "3 models"; Japanese and Chinese words follow a unit without a space.
    const symbols = Object.values(catalog.units).map(({ symbol }) => symbol);
    pattern = new RegExp(
      `(\\d) (?=(?:${[...symbols, catalog.nauticalMile, "h", "min"].join("|")})(?!\\p{Script=Latin}))`,
      "gu",
    );
    patterns.set(catalog, pattern);
  }
  const mile = catalog.nauticalMile;
  return text
    .replace(pattern, `$1${NO_BREAK_SPACE}`)
    .replaceAll(`${NO_BREAK_SPACE}${mile}`, `${NO_BREAK_SPACE}${mile.replace(" ", NO_BREAK_SPACE)}`)
    .replace(/(\d\u00a0h) (?=\d+\u00a0min)/g, `$1${NO_BREAK_SPACE}`);
}

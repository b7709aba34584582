import type { Words } from "#lib/messages/words.ts";

export const NO_BREAK_SPACE = "\u00a0";

const patterns = new WeakMap<Words["catalog"], RegExp>();

/**
 * Replaces the spaces within values by no-break spaces, so that no line ends there: between a number and its unit
 * (`36 kn`), within a duration (`39 h 20 min`, `3 days`) and within a time (`Sun 20 Sep 06:00`).
 */
export function wholeValues(text: string, words: Words): string {
  const { catalog } = words;
  let pattern = patterns.get(catalog);
  if (!pattern) {
    pattern = patternOf(words);
    patterns.set(catalog, pattern);
  }
  const mile = catalog.nauticalMile;
  return text
    .replace(pattern, NO_BREAK_SPACE)
    .replaceAll(`${NO_BREAK_SPACE}${mile}`, `${NO_BREAK_SPACE}${mile.replace(" ", NO_BREAK_SPACE)}`)
    .replace(/(\d\u00a0h) (?=\d+\u00a0min)/g, `$1${NO_BREAK_SPACE}`);
}

/** The spaces within values of a language. */
function patternOf({ catalog, dates }: Words): RegExp {
  const symbols = Object.values(catalog.units).map(({ symbol }) => symbol);
  const days = [1, 2].map((count) => dates.daysLong({ count }).replace(/^\d+\s*/, ""));
  const units = either([...symbols, catalog.nauticalMile, "h", "min", ...days]);
  const [weekdays, months] = [either(dates.days), either(dates.months)];
  // A Latin letter would continue a word, as in "3 models"; Japanese and Chinese words follow a unit without a space.
  const ends = "(?!\\p{Script=Latin})";
  const begins = "(?<!\\p{Script=Latin})";
  return new RegExp(
    [
      `(?<=\\d) (?=${units}${ends})`,
      `(?<=${begins}${weekdays}\\)?) (?=\\d)`,
      `(?<=\\d(?:er|\\.)?) (?=${months}${ends})`,
      `(?<=${begins}${months}) (?=\\d\\d:\\d\\d)`,
      // Dates of Chinese have the weekday after the day.
      `(?<=\\d日) (?=${weekdays})`,
    ].join("|"),
    "gu",
  );
}

const either = (texts: readonly string[]) =>
  `(?:${texts.map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})`;

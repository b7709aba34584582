const UNITS = ["", "ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE", "TEN"];
const TEENS = "ELEVEN TWELVE THIRTEEN FOURTEEN FIFTEEN SIXTEEN SEVENTEEN EIGHTEEN NINETEEN".split(" ");
const TENS = ["TWENTY", "THIRTY", "FORTY"];

/** Number words that feeds write for unnamed storms: with or without hyphen, cut at the ten letters of a deck. */
const numberWords = new Set(
  [
    ...UNITS.slice(1),
    ...TEENS,
    ...TENS.flatMap((ten) => [
      ten,
      ...UNITS.slice(1, 10).flatMap((unit) => [`${ten}-${unit}`, `${ten}${unit}`]),
    ]),
  ].flatMap((word) => [word, word.slice(0, 10), word.slice(0, 9)]),
);

const PLACEHOLDER = /^(?:INVEST|GENESIS\d*|UNNAMED|NONAME|NAMELESS|NOT|LOW|DISTURB\w*|PTC\d*|XX+|[\d.-]+)$/;

/** `TWO-C` is the second depression of the central Pacific; decks cut `SEVENTEEN-E` behind the hyphen. */
const BASIN_LETTER = /[- ][WABSPECLQ]?$/;

/** A storm's name in upper case; null for a number word, INVEST or another placeholder. */
export function stormName(text: string | undefined): string | null {
  const name = (text ?? "").trim().toUpperCase();
  if (!/^[A-Z][A-Z'. -]{1,29}$/.test(name)) return null;
  return PLACEHOLDER.test(name) || numberWords.has(name.replace(BASIN_LETTER, "")) ? null : name;
}

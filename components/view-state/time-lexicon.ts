import { en, type Words } from "#lib/words/en.ts";

type Typed = Words["dates"]["typed"];

/**
 * The tokens that replace typed words, the same for every language. They are in capitals, and a plain text has none: what is
 * in small letters after that was not recognised.
 */
const tokens: Readonly<Record<keyof Typed, string>> = {
  now: "NOW",
  today: "TODAY",
  tomorrow: "TOMORROW",
  tomorrowMorning: "TOMORROW AM",
  tomorrowEvening: "TOMORROW PM",
  afterTomorrow: "OVERMORROW",
  yesterday: "YESTERDAY",
  tonight: "TONIGHT",
  next: "NEXT",
  last: "LAST",
  lastWeek: "WEEK-1",
  thisWeek: "WEEK0",
  nextWeek: "WEEK1",
  ahead: "IN",
  ago: "AGO",
  hours: "H",
  minutes: "MIN",
  days: "D",
  weeks: "W",
  am: "AM",
  pm: "PM",
  half: "30",
  noon: "NOON",
  midnight: "MIDNIGHT",
  fillers: "",
};

interface Lexicon {
  /** Matches every word that is known. */
  pattern: RegExp;
  /** Tokens by plain word. */
  tokens: ReadonlyMap<string, string>;
}

const lexicons = new WeakMap<Words, Lexicon>();

/** A text in small letters: no accents, full-width characters, commas, hyphens within words, nor what is in brackets. */
export function plainText(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    .toLowerCase()
    .replace(/\u2212/g, "-")
    .replace(/\u2019/g, "'")
    .replace(/(?<=\p{L})-(?=\p{L})/gu, " ")
    .replace(/\([^)]*\)|[,\u3001]/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

/**
 * A plain text with tokens in place of the words of a language, and of those English words that mean nothing in it:
 * `TOMORROW`, `DAY5` for Friday, `MONTH3` for March, `DAY2MONTH3` for what may be either (`mar`), `18 H`.
 */
export function withTokens(text: string, words: Words): string {
  const lexicon = lexicons.get(words) ?? lexiconOf(words);
  lexicons.set(words, lexicon);
  return text
    .replace(lexicon.pattern, (word) => ` ${lexicon.tokens.get(word.replace(/\.$/, "")) ?? word} `)
    .replace(/\s+/g, " ")
    .trim();
}

function lexiconOf(words: Words): Lexicon {
  const known = new Map([...wordsOf(en), ...wordsOf(words)]);
  // The longest first: `day after tomorrow` would otherwise be read as `tomorrow`.
  const longest = [...known.keys()].sort((one, other) => other.length - one.length);
  const oneOf = (list: string[]) => list.map((word) => word.replace(/[.]/g, "\\$&")).join("|");
  // Chinese and Japanese have no spaces between words.
  const spaced = oneOf(longest.filter(isSpaced));
  const unspaced = oneOf(longest.filter((word) => !isSpaced(word)));
  const pattern = `(?<!\\p{L})(?:${spaced})(?!\\p{L})\\.?${unspaced && `|${unspaced}`}`;
  return { pattern: new RegExp(pattern, "gu"), tokens: known };
}

const isSpaced = (word: string) => /^[a-z]/.test(word);

/** The plain words of a language, with their tokens. */
function wordsOf({ dates }: Words): Map<string, string> {
  const days = namesOf(dates.days, dates.longDays);
  for (const [name, day] of Object.entries(dates.typedDays)) days.set(plainText(name), day);
  const months = namesOf(dates.months, dates.longMonths);
  const found = new Map<string, string>();
  for (const name of new Set([...days.keys(), ...months.keys()])) {
    const [day, month] = [days.get(name), months.get(name)];
    found.set(
      name,
      `${day === undefined ? "" : `DAY${day}`}${month === undefined ? "" : `MONTH${month + 1}`}`,
    );
  }
  for (const [meaning, token] of Object.entries(tokens))
    for (const word of dates.typed[meaning as keyof Typed]) found.set(plainText(word), token);
  return found;
}

/** Names, and the abbreviations of them that are unambiguous, with their index in the list. */
function namesOf(short: readonly string[], long: readonly string[]): Map<string, number> {
  const plain = (names: readonly string[]) => names.map((name) => plainText(name).replace(/\.$/, ""));
  const [shortNames, longNames] = [plain(short), plain(long)];
  const found = new Map<string, number>();
  longNames.forEach((name, index) => {
    const shortName = shortNames[index] ?? name;
    const least = isSpaced(name) ? Math.min(3, shortName.length) : 2;
    for (let length = least; length <= name.length; length++) {
      const start = name.slice(0, length).trim();
      if (longNames.every((other) => other === name || !other.startsWith(start))) found.set(start, index);
    }
    // A single character, such as 日 of Sunday, may also stand behind the number of a day.
    if (isSpaced(shortName) || shortName.length > 1) found.set(shortName, index);
  });
  // Names of months in numbers, such as `1月`, are read by the forms of dates.
  for (const name of found.keys()) if (/^\d/.test(name)) found.delete(name);
  return found;
}

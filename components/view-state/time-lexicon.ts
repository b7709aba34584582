import { en, type Words } from "#lib/words/en.ts";

type Typed = Words["dates"]["typed"];

/** What stands for a word, whatever the language: capitals, which no text has that has been made plain. */
const marks: Readonly<Record<keyof Typed, string>> = {
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
  pattern: RegExp;
  /** What stands for a word. */
  marks: ReadonlyMap<string, string>;
}

const lexicons = new WeakMap<Words, Lexicon>();

/** In small letters, without accents, full-width signs, what is in brackets, and the hyphens within words. */
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
 * A plain text with marks in place of the words of a language, and of the English ones that mean nothing in it: `TOMORROW`,
 * `DAY5` for Friday, `MONTH3` for March, `DAY2MONTH3` for what may be either (`mar`), `18 H`.
 */
export function withMarks(text: string, words: Words): string {
  const lexicon = lexicons.get(words) ?? lexiconOf(words);
  lexicons.set(words, lexicon);
  return text
    .replace(lexicon.pattern, (word) => ` ${lexicon.marks.get(word.replace(/\.$/, "")) ?? word} `)
    .replace(/\s+/g, " ")
    .trim();
}

function lexiconOf(words: Words): Lexicon {
  const known = new Map([...wordsOf(en), ...wordsOf(words)]);
  // The longest first: `day after tomorrow` is not `tomorrow`.
  const longest = [...known.keys()].sort((one, other) => other.length - one.length);
  const oneOf = (list: string[]) => list.map((word) => word.replace(/[.]/g, "\\$&")).join("|");
  // Chinese and Japanese have no spaces between words.
  const spaced = oneOf(longest.filter(isSpaced));
  const unspaced = oneOf(longest.filter((word) => !isSpaced(word)));
  const pattern = `(?<!\\p{L})(?:${spaced})(?!\\p{L})\\.?${unspaced && `|${unspaced}`}`;
  return { pattern: new RegExp(pattern, "gu"), marks: known };
}

const isSpaced = (word: string) => /^[a-z]/.test(word);

/** The plain words of a language and their marks. */
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
  for (const [meaning, mark] of Object.entries(marks))
    for (const word of dates.typed[meaning as keyof Typed]) found.set(plainText(word), mark);
  return found;
}

/** Names and the beginnings that only one of them has, with their place in the list. */
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
    // A sign alone, as that of Sunday, is also that of a day of the month.
    if (isSpaced(shortName) || shortName.length > 1) found.set(shortName, index);
  });
  // `1月` is read with its day.
  for (const name of found.keys()) if (/^\d/.test(name)) found.delete(name);
  return found;
}

import { en } from "#lib/messages/generated/en.ts";
import type { Words } from "#lib/messages/words.ts";
import { HOUR_S } from "#lib/time.ts";
import {
  addDays,
  type Civil,
  type CivilDate,
  civilOf,
  daysFrom,
  instantOf,
  isDate,
  sameClock,
  utc,
  weekdayOf,
  type Zone,
} from "./civil.ts";

/*
 * A typed time is read in three steps: the zone at its end is cut off; the words of a language are replaced by tokens that
 * all languages share (`morgen 18 Uhr` becomes `TOMORROW 18 H`); then a span, or a day and a clock time, are read from left
 * to right. Patterns below therefore match tokens in capitals, never words.
 */

/** The meaning of a text, or the reason why it has none. */
type TimeMeant =
  | {
      /** Unix seconds, possibly outside the times that the service accepts. */
      time: number;
      /** The clock changes there, see `instantOf`. */
      oddity?: "skipped" | "twice";
    }
  | { fault: "unknown" | "no-such-date" };

interface Around {
  /** Weather clock, Unix seconds. */
  now: number;
  /**
   * Time of the map, Unix seconds. It completes a text: a day without an hour gets its clock time, an hour
   * without a day its day.
   */
  shown: number;
  /** Time zone of the text unless it names another one, with the language of the page. */
  zone: Zone;
}

/**
 * Reads a time as people write it, in the language of the page or in English: `tomorrow 18:00`, `fri 6`,
 * `+12h` and `-3d` from now, `2026-11-24 18:00`, `24.11. 18h`, `24 nov`, `11月24日18時`, `18z`, `now`, and the
 * times that this page writes. Days come before months, except in languages that put months first. A date
 * without a year is the nearest one, a weekday the next one.
 */
export function parseTimeText(text: string, around: Around): TimeMeant {
  const { zone } = around;
  const { rest, clock } = splitZone(plainText(text), zone);
  const meant = parseWords(rest, zone.words, { ...around, zone: clock });
  // English is understood on every page, even if a word has another meaning in English and in the language:
  // `ago` is Spanish for August.
  return "fault" in meant && meant.fault === "unknown"
    ? parseWords(rest, en, { ...around, zone: clock })
    : meant;
}

/** @param zone Time zone of the text. */
function parseWords(text: string, words: Words, { now, shown, zone: clock }: Around): TimeMeant {
  const tokens = withTokens(text, words).replace(NEEDLESS_AM, "");
  const relative = parseRelative(tokens, now, clock);
  if (relative !== undefined) return { time: relative };
  const today = civilOf(now, clock);
  const { monthFirst } = words.dates;
  const date = parseDate(tokens.replace(LEADING_WEEKDAY, ""), today, monthFirst) ?? parseDay(tokens, today);
  const time = parseClock(date ? date.rest : tokens, date?.isEvening);
  if (time === undefined || (!date && time === "none")) return { fault: "unknown" };
  const kept = civilOf(shown, clock);
  const { hour, minute } = time === "none" ? kept : time;
  const day = date ? date.day : kept;
  if (!day) return { fault: "no-such-date" };
  const find = (later: number) => instantOf(atClock(addDays(day, later), hour, minute), clock);
  const found = find(0);
  if (!date || time === "none" || found.time >= now) return found;
  if (date.isEvening && hour < EVENING_H) return find(1);
  return date.repeats ? find(7) : found;
}

const EVENING_H = 5;

const atClock = (date: CivilDate, hour: number, minute: number): Civil =>
  hour === 24 ? { ...addDays(date, 1), hour: 0, minute } : { ...date, hour, minute };

/** Cuts off `z`, `UTC`, `GMT`, `UTC+2`, `UTC-3:30`. */
function splitZone(text: string, zone: Zone): { rest: string; clock: Zone } {
  const found = /(?: ?\b(?:utc|gmt)|(?<=\d) ?z)([-+]\d{1,2}(?::\d{2})?)?$/.exec(text);
  if (!found) return { rest: text, clock: zone };
  const rest = text.slice(0, found.index);
  if (!found[1]) return { rest, clock: utc };
  const [hours = "", minutes = "0"] = found[1].slice(1).split(":");
  const seconds = (60 * Number(hours) + Number(minutes)) * (found[1].startsWith("-") ? -60 : 60);
  return { rest, clock: { ...utc, offset: () => seconds } };
}

const SPAN = "(\\d{1,5}) ?(H|D|日|W)";
const SIGNED = new RegExp(`^(?:NOW ?)?([-+]) ?${SPAN}$`);
const WORDED = new RegExp(`^(IN |AGO )?${SPAN}( IN| AGO)?$`);

/**
 * Reads `NOW`, `+12 H`, `NOW-3 D`, `IN 2 D`, `6 H AGO`, rounded to the whole hour; undefined for any other
 * text.
 */
function parseRelative(text: string, now: number, zone: Zone): number | undefined {
  const hour = Math.round(now / HOUR_S) * HOUR_S;
  if (text === "NOW") return hour;
  const signed = SIGNED.exec(text);
  const worded = WORDED.exec(text);
  // A bare `18h` is a clock time, not a span.
  const isWorded = worded && Boolean(worded[1]) !== Boolean(worded[4]);
  const [, , amount = "", unit = ""] = signed ?? (isWorded ? worded : null) ?? [];
  if (!amount) return undefined;
  const isBack = signed ? signed[1] === "-" : `${worded?.[1]}${worded?.[4]}`.includes("AGO");
  const by = isBack ? -Number(amount) : Number(amount);
  if (unit === "H") return hour + by * HOUR_S;
  return sameClock(hour, unit === "W" ? 7 * by : by, zone);
}

const WEEKDAY = "DAY(\\d)(?:MONTH\\d+)?";
const MONTH = "(?:DAY\\d)?MONTH(?<month>\\d+)";
const YEAR = "(?: (?<year>(?:19|20)\\d{2}))?";
/** A weekday before a date, which adds no information. */
const LEADING_WEEKDAY = new RegExp(`^${WEEKDAY} (?=\\d+[-./年月]|\\d+\\.? (?:DAY\\d)?MONTH|MONTH)`);
const FOLLOWING_WEEKDAY = new RegExp(`^${WEEKDAY}(?= |$)`);
/** German `am` before a day means "on", not "before noon". */
const NEEDLESS_AM = /^AM (?=DAY|\d+[./])/;

interface FoundDay {
  day: CivilDate | undefined;
  rest: string;
  /** The day is a weekday equal to today's; if the time has passed, next week is meant. */
  repeats?: boolean;
  /** The text says tonight, so hours from midnight on belong to the next day. */
  isEvening?: boolean;
}

const dateForms = [
  /^(?<year>\d{4})(?<sign>[-./])(?<month>\d{1,2})\k<sign>(?<day>\d{1,2})(?=t|\s|$)t?/,
  /^(?:(?<year>\d{4})年 ?)?(?<month>\d{1,2})月 ?(?<day>\d{1,2})[日号]?/,
  /^(?<day>\d{1,2})(?<sign>[./])(?<month>\d{1,2})(?:\k<sign>(?<year>\d{4}|\d{2})?)?(?=\s|$)/,
  new RegExp(`^(?<day>\\d{1,2})\\.? ${MONTH}${YEAR}(?= |$)`),
  new RegExp(`^MONTH(?<month>\\d+) (?<day>\\d{1,2})\\.?${YEAR}(?= |$)`),
];
const monthFirstForm = /^(?<month>0?\d|1[0-2])\/(?<day>\d{1,2})(?=\s|$)/;

/**
 * Reads a date at the beginning of a text; undefined if there is none. @param today Decides the year if none
 * is given.
 */
function parseDate(text: string, today: CivilDate, monthFirst: boolean): FoundDay | undefined {
  for (const form of monthFirst ? [monthFirstForm, ...dateForms] : dateForms) {
    const found = form.exec(text);
    if (!found?.groups) continue;
    const [month, day] = [Number(found.groups.month), Number(found.groups.day)];
    const rest = text.slice(found[0].length).trim().replace(FOLLOWING_WEEKDAY, "").trim();
    if (found.groups.year === undefined) return { day: nearestYear(month, day, today), rest };
    const year = Number(found.groups.year);
    return { day: existing({ year: year < 100 ? 2000 + year : year, month, day }), rest };
  }
  return undefined;
}

const existing = (date: CivilDate) => (isDate(date) ? date : undefined);

/** The date nearest to today that has this month and day; 29 February may be some years away. */
function nearestYear(month: number, day: number, today: CivilDate): CivilDate | undefined {
  const distance = (date: CivilDate) => Math.abs(daysFrom(today, date));
  return [1, 0, -1, -2, -3, -4]
    .map((by) => ({ year: today.year + by, month, day }))
    .filter(isDate)
    .sort((one, other) => distance(one) - distance(other))[0];
}

const DAY_WORD = /^(TODAY|TONIGHT|TOMORROW|OVERMORROW|YESTERDAY)(?= |$)/;
const NAMED_DAY = new RegExp(`^(?:(NEXT|LAST) )?${WEEKDAY}(?: (NEXT|LAST))?(?= |$)`);
const DAY_OF_WEEK = new RegExp(`^WEEK(-?\\d)(?: W)? ${WEEKDAY}(?= |$)`);
const DAY_THEN_WEEK = new RegExp(`^${WEEKDAY} WEEK(-?\\d)(?= |$)`);

/** Reads `TODAY`, `TOMORROW`, `DAY5`, `LAST DAY1`, `WEEK1 DAY5` at the beginning of a text. */
function parseDay(text: string, today: CivilDate): FoundDay | undefined {
  const word = DAY_WORD.exec(text)?.[1];
  if (word) {
    const by = { TODAY: 0, TONIGHT: 0, TOMORROW: 1, OVERMORROW: 2, YESTERDAY: -1 }[word] ?? 0;
    const rest = text.slice(word.length).trim();
    const isEvening = word === "TONIGHT";
    return { day: addDays(today, by), rest: isEvening && !rest ? "21" : rest, isEvening };
  }
  return parseDayOfWeek(text, today) ?? parseNamedDay(text, today);
}

/** Reads a day of this, the previous or the next week; weeks begin on Mondays. */
function parseDayOfWeek(text: string, today: CivilDate): FoundDay | undefined {
  const before = DAY_OF_WEEK.exec(text);
  const behind = DAY_THEN_WEEK.exec(text);
  const found = before ?? behind;
  if (!found) return undefined;
  const [week, weekday] = [Number(before ? found[1] : found[2]), Number(before ? found[2] : found[1])];
  const fromMonday = (day: number) => (day + 6) % 7;
  const by = 7 * week + fromMonday(weekday) - fromMonday(weekdayOf(today));
  return { day: addDays(today, by), rest: text.slice(found[0].length).trim() };
}

function parseNamedDay(text: string, today: CivilDate): FoundDay | undefined {
  const found = NAMED_DAY.exec(text);
  if (!found) return undefined;
  const ahead = (Number(found[2]) - weekdayOf(today) + 7) % 7;
  const rest = text.slice(found[0].length).trim();
  const which = found[1] ?? found[3];
  if (which === "LAST") return { day: addDays(today, ahead - 7), rest };
  if (which === "NEXT") return { day: addDays(today, ahead || 7), rest };
  return { day: addDays(today, ahead), rest, repeats: ahead === 0 };
}

const CLOCK =
  /^(AM |PM )?(\d{1,2})(?:[:.](\d{2})(?::00)?|( ?H)(?: ?(\d{2})(?: ?MIN)?)?|(\d{2}))?(?: ?(AM|PM))?$/;

/**
 * Reads `18:00`, `18`, `18 H 30`, `1800`, `6 PM`, `NOON`; `none` for an empty text, undefined if it is not a
 * clock time.
 *
 * @param isEvening Hours from 5 to 11 are in the evening, and 12 is midnight.
 */
function parseClock(text: string, isEvening = false): { hour: number; minute: number } | "none" | undefined {
  if (text === "") return "none";
  if (/^NOON(?: 12(?: H)?)?$/.test(text)) return { hour: 12, minute: 0 };
  if (text === "MIDNIGHT") return { hour: 0, minute: 0 };
  const found = CLOCK.exec(text);
  if (!found) return undefined;
  const [, before, hours, after, hourWord, afterWord, attached, behind] = found;
  const minute = Number(after ?? afterWord ?? attached ?? 0);
  const given = Number(hours);
  if (minute > 59 || given > 24 || (given === 24 && minute > 0)) return undefined;
  const half = (before ?? behind)?.trim() ?? (isEvening ? halfTonight(given) : undefined);
  // `abends 20 Uhr` states the half of the day twice.
  if (!half || (half === "PM" && hourWord && given > 12)) return { hour: given, minute };
  if (given < 1 || given > 12) return undefined;
  return { hour: (given % 12) + (half === "PM" ? 12 : 0), minute };
}

/** The half of the day of an hour of tonight; undefined if it needs none. */
function halfTonight(hour: number): "AM" | "PM" | undefined {
  if (hour === 12) return "AM";
  return hour >= EVENING_H && hour < 12 ? "PM" : undefined;
}

type Typed = Words["dates"]["typed"];

/**
 * The tokens that replace typed words, the same for every language. They are in capitals and plain texts are
 * not, so anything left in lower case was not recognised.
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
  pattern: RegExp;
  /** Tokens by normalised word. */
  tokens: ReadonlyMap<string, string>;
}

const lexicons = new WeakMap<Words, Lexicon>();

/**
 * A text in lower case without accents, full-width characters, commas, hyphens within words, and parts in
 * brackets.
 */
function plainText(text: string): string {
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
 * Replaces the words of a language in a normalised text by tokens, as well as English words that have no
 * meaning in that language: `TOMORROW`, `DAY5` for Friday, `MONTH3` for March, `DAY2MONTH3` for a word that
 * may be either (`mar`), `18 H`.
 */
function withTokens(text: string, words: Words): string {
  const lexicon = lexicons.get(words) ?? lexiconOf(words);
  lexicons.set(words, lexicon);
  return text
    .replace(lexicon.pattern, (word) => ` ${lexicon.tokens.get(word.replace(/\.$/, "")) ?? word} `)
    .replace(/\s+/g, " ")
    .trim();
}

function lexiconOf(words: Words): Lexicon {
  const known = new Map([...wordsOf(en), ...wordsOf(words)]);
  // The longest words come first; otherwise `day after tomorrow` would be read as `tomorrow`.
  const longest = [...known.keys()].sort((one, other) => other.length - one.length);
  const oneOf = (list: string[]) => list.map((word) => word.replace(/[.]/g, "\\$&")).join("|");
  // Chinese and Japanese have no spaces between words.
  const spaced = oneOf(longest.filter(isSpaced));
  const unspaced = oneOf(longest.filter((word) => !isSpaced(word)));
  const pattern = `(?<!\\p{L})(?:${spaced})(?!\\p{L})\\.?${unspaced && `|${unspaced}`}`;
  return { pattern: new RegExp(pattern, "gu"), tokens: known };
}

const isSpaced = (word: string) => /^[a-z]/.test(word);

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

/** Names and their unambiguous abbreviations, with their index in the list. */
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
    // A single character, such as 日 for Sunday, may also follow the number of a day.
    if (isSpaced(shortName) || shortName.length > 1) found.set(shortName, index);
  });
  // Month names with numbers, such as `1月`, are read as parts of dates.
  for (const name of found.keys()) if (/^\d/.test(name)) found.delete(name);
  return found;
}

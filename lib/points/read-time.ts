import { readInstant } from "./point-list.ts";

/** Whether the day or the month of `03/04/2026` is first. */
export type DateOrder = "day-month" | "month-day";

const MONTHS = [
  "jan ene",
  "feb fev",
  "mar mrz maer",
  "apr avr abr",
  "mai may",
  "jun juin",
  "jul juil",
  "aug aou ago",
  "sep set",
  "okt oct out",
  "nov",
  "dez dec dic",
].map((prefixes) => prefixes.split(" "));

const SLASHED = /^(\d{1,2})([/-])(\d{1,2})\2(\d{4})(?!\d)/;

/**
 * The order that a date such as `14/09/2026` proves; `either` if it is valid in both orders, undefined if it
 * is written otherwise.
 */
export function orderShownBy(text: string): DateOrder | "either" | undefined {
  const match = SLASHED.exec(text.trim());
  if (!match) return undefined;
  const [first, second] = [Number(match[1]), Number(match[3])];
  if (first > 12 && second <= 12) return "day-month";
  if (second > 12 && first <= 12) return "month-day";
  return first === second ? undefined : "either";
}

/**
 * Reads a time of a list: ISO 8601, `14/09/2026 12:00`, `14.09.2026`, `20260914 1200`, `14 Sep 2026 12:00`,
 * `2026年9月14日 12時`, seconds or milliseconds since 1970, or days of a spreadsheet. Without a zone it is UTC.
 *
 * @param order Order of dates with `/` and `-` that end in the year; with `.` the day always comes first.
 * @param offset Seconds to subtract from a time without a zone.
 * @returns Unix seconds, rounded; NaN for anything else and for dates that do not exist.
 */
export function readTime(text: string, order: DateOrder, offset = 0): number {
  const plain = asciiTime(text);
  const direct = readInstant(plain);
  if (!Number.isNaN(direct))
    return /(?:z|utc|[+-]\d{2}(?::?\d{2})?)$/i.test(plain.slice(10)) ? direct : direct - offset;
  if (/^\d+(?:\.\d+)?$/.test(plain)) {
    const compact = compactTime(plain);
    return Number.isNaN(compact) ? numberTime(plain, offset) : compact - offset;
  }
  // After a time of day a number of hours is an offset; elsewhere it may be a day.
  const zone = /\s*(z|utc|gmt|[+-]\d{2}:?\d{2}|(?<=:\d{2}(?:\.\d+)?\s*)[+-]\d{2})$/.exec(plain);
  const bare = zone && zone.index > 5 ? plain.slice(0, zone.index) : plain;
  const local = dateAndTime(bare, order);
  if (bare === plain) return local - offset;
  return local - zoneSeconds(zone?.[1] ?? "z");
}

/** Reads a time of day from a column of its own, seconds since midnight; NaN for anything else. */
export function readTimeOfDay(text: string): number {
  const plain = asciiTime(text).replace(/\s*(?:z|utc|gmt)$/, "");
  // Spreadsheets store a time of day as a fraction of a day.
  if (/^0?\.\d+$/.test(plain)) return Math.round(86_400 * Number(plain));
  return timeOfDay(plain);
}

function asciiTime(text: string): string {
  return text
    .trim()
    .normalize("NFKC")
    .replaceAll("−", "-")
    .replace(/[年月](?=\s*\d)/g, "-")
    .replace(/[日号]/g, " ")
    .replace(/[時时点](?=\s*\d)/g, ":")
    .replace(/[時时点]/g, ":00")
    .replace(/分(?=\s*\d)/g, ":")
    .replace(/[分秒]/g, "")
    .toLowerCase()
    .replace(/\s+/g, " ")
    .trim();
}

function zoneSeconds(zone: string): number {
  const match = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone);
  if (!match) return 0;
  const seconds = 3600 * Number(match[2]) + 60 * Number(match[3] ?? 0);
  return match[1] === "+" ? seconds : -seconds;
}

/**
 * Reads `2026091412`, `202609141200`, `20260914120000` and `20260914`, for years that are plausible in a
 * list.
 */
function compactTime(text: string): number {
  const match = /^((?:19|20)\d{2})(\d{2})(\d{2})(\d{2})?(\d{2})?(\d{2})?$/.exec(text);
  if (!match) return Number.NaN;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1)
    .map((it) => Number(it ?? 0));
  return year < 1990 || year > 2099
    ? Number.NaN
    : unixSeconds(year, month, day, 3600 * hour + 60 * minute + second);
}

function numberTime(text: string, offset: number): number {
  const value = Number(text);
  if (value >= 5e8 && value < 5e9) return Math.round(value);
  if (value >= 5e11 && value < 5e12) return Math.round(value / 1000);
  // Days since 30 December 1899, for 1954 to 2119.
  return value >= 20_000 && value < 80_000 ? Math.round((value - 25_569) * 86_400) - offset : Number.NaN;
}

function dateAndTime(text: string, order: DateOrder): number {
  const compact = /^(\d{8})[t ]?(\d{4}|\d{6})$/.exec(text);
  if (compact) return compactTime(`${compact[1]}${compact[2]}`);
  const iso = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:[t, ]+(.*))?$/.exec(text);
  if (iso) return joined(iso[1], iso[3], iso[4], iso[5]);
  const dotted = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})(?:[t, ]+(.*))?$/.exec(text);
  if (dotted) return joined(dotted[3], dotted[2], dotted[1], dotted[4]);
  const slashed = /^(\d{1,2})([/-])(\d{1,2})\2(\d{4})(?:[t, ]+(.*))?$/.exec(text);
  if (slashed) {
    const [, first, , second, year, rest] = slashed;
    return order === "day-month" ? joined(year, second, first, rest) : joined(year, first, second, rest);
  }
  const dayFirst =
    /^(?:\p{L}+\.?,? )?(\d{1,2})(?:\.|er)?[ -](?:de )?(\p{L}{3,})\.?[ -](?:de )?(\d{4})(?:,? (.*))?$/u.exec(
      text,
    );
  if (dayFirst) return joined(dayFirst[3], monthOf(dayFirst[2]), dayFirst[1], dayFirst[4]);
  const monthFirst = /^(?:\p{L}+\.?,? )??(\p{L}{3,})\.? (\d{1,2}),? (\d{4})(?:,? (.*))?$/u.exec(text);
  return monthFirst
    ? joined(monthFirst[3], monthOf(monthFirst[1]), monthFirst[2], monthFirst[4])
    : Number.NaN;
}

function monthOf(word = ""): string {
  const folded = word.normalize("NFKD").replace(/\p{M}/gu, "");
  return String(1 + MONTHS.findIndex((prefixes) => prefixes.some((prefix) => folded.startsWith(prefix))));
}

function joined(year = "", month = "", day = "", rest = ""): number {
  const time = rest.trim() === "" ? 0 : timeOfDay(rest.trim().replace(/^(?:a las|as|à|um) /, ""));
  return unixSeconds(Number(year), Number(month), Number(day), time);
}

function timeOfDay(text: string): number {
  const match =
    /^(\d{1,2})(?:[:h.]\s?(\d{2})?(?:[:m.](\d{2})(?:[.,]\d+)?s?)?)?\s*(?:uhr)?\s*([ap])?\.?(?:m\.?)?$/.exec(
      text,
    ) ?? /^(\d{2})(\d{2})(\d{2})?()$/.exec(text);
  if (!match) return Number.NaN;
  const [hour, minute, second] = [Number(match[1]), Number(match[2] ?? 0), Number(match[3] ?? 0)];
  const half = match[4];
  // 12 alone is not a time of day; 12 h, 12:00, 1200 and 12 pm are.
  if (/^\d{1,2}$/.test(text) || minute > 59 || second > 59 || hour > (half ? 12 : 24)) return Number.NaN;
  const hours = half ? (hour % 12) + (half === "p" ? 12 : 0) : hour;
  return hours === 24 && minute + second > 0 ? Number.NaN : 3600 * hours + 60 * minute + second;
}

/** Unix seconds of a date; NaN for a day that does not exist. */
function unixSeconds(year: number, month: number, day: number, time: number): number {
  const date = new Date(Date.UTC(year, month - 1, day));
  const exists =
    date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists && time <= 86_400 ? date.getTime() / 1000 + time : Number.NaN;
}

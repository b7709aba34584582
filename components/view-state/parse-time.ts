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
  weekdayOf,
} from "./civil.ts";
import { utc, type Zone } from "./zone.ts";

/** What a text means, or why it means nothing. */
export type TimeMeant =
  | {
      /** Unix seconds; it may lie beyond what the service answers for. */
      time: number;
      /** The clock is changed there, see `instantOf`. */
      oddity?: "skipped" | "twice";
    }
  | { fault: "unknown" | "no-such-date" };

interface Around {
  /** Weather clock, Unix seconds. */
  now: number;
  /** Time of the map, Unix seconds: a day without an hour keeps its clock time, an hour without a day its day. */
  shown: number;
  /** Clock that the text is in, unless it names UTC. */
  zone: Zone;
}

/**
 * Reads a time as people write it: `tomorrow 18:00`, `fri 6`, `+12h` and `-3d` from now, `2026-11-24 18:00`, `24.11. 18h`,
 * `24 nov`, `18z`, `now`, and what this page writes. Days come before months. A date without a year is the nearest one, a
 * weekday the next one.
 */
export function parseTimeText(text: string, { now, shown, zone }: Around): TimeMeant {
  const plain = text
    .toLowerCase()
    .replace(/\u2212/g, "-")
    .replace(/\(.*\)|,/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  const relative = parseRelative(plain, now, zone);
  if (relative !== undefined) return { time: relative };
  const { rest, clock } = splitZone(plain, zone);
  const today = civilOf(now, clock);
  const date = parseDate(rest.replace(LEADING_WEEKDAY, ""), today) ?? parseDay(rest, today);
  const time = parseClock(date ? date.rest : rest);
  if (time === undefined || (!date && time === "none")) return { fault: "unknown" };
  const kept = civilOf(shown, clock);
  const { hour, minute } = time === "none" ? kept : time;
  const day = date ? date.day : kept;
  if (!day) return { fault: "no-such-date" };
  const find = (later: number) => instantOf(atClock(addDays(day, later), hour, minute), clock);
  const found = find(0);
  return date?.repeats && time !== "none" && found.time < now ? find(7) : found;
}

const atClock = (date: CivilDate, hour: number, minute: number): Civil =>
  hour === 24 ? { ...addDays(date, 1), hour: 0, minute } : { ...date, hour, minute };

/** `now`, `+12h`, `now-3d`, `in 2 days`, `6 hours ago`, to the whole hour; undefined for any other text. */
function parseRelative(text: string, now: number, zone: Zone): number | undefined {
  const hour = Math.round(now / HOUR_S) * HOUR_S;
  if (text === "now") return hour;
  const units = "(h|hours?|d|days?|w|weeks?)";
  const signed = new RegExp(`^(?:now ?)?([-+]) ?(\\d{1,5}) ?${units}$`).exec(text);
  const worded = new RegExp(`^(in )?(\\d{1,5}) ?${units}( ago)?$`).exec(text);
  // A bare `18h` is an hour of the clock.
  const isWorded = worded && Boolean(worded[1]) !== Boolean(worded[4]);
  const [, , amount = "", unit = ""] = signed ?? (isWorded ? worded : null) ?? [];
  if (!amount) return undefined;
  const by = (signed ? signed[1] === "-" : worded?.[4]) ? -Number(amount) : Number(amount);
  if (unit.startsWith("h")) return hour + by * HOUR_S;
  return sameClock(hour, unit.startsWith("w") ? 7 * by : by, zone);
}

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

const weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const WEEKDAY = "(sun|mon|tue|wed|thu|fri|sat)(?:day|s|sday|nesday|r|rs|rsday|urday)?\\.?";
const MONTH = `(${months.join("|")})[a-z]*\\.?`;
/** A weekday before a date says nothing more than the date. */
const LEADING_WEEKDAY = new RegExp(`^${WEEKDAY} (?=\\d+[-./]|\\d+\\.? [a-z]|[a-z])`);

interface FoundDay {
  /** undefined: the calendar has no such date. */
  day: CivilDate | undefined;
  /** What comes behind it. */
  rest: string;
  /** A weekday: where the time has passed today, that of next week is meant. */
  repeats?: boolean;
}

const dateForms: readonly { form: RegExp; order: readonly ("year" | "month" | "day")[] }[] = [
  { form: /^(\d{4})-(\d{1,2})-(\d{1,2})(?=t|\s|$)t?/, order: ["year", "month", "day"] },
  { form: /^(\d{1,2})([./])(\d{1,2})(?:\2(\d{4}|\d{2})?)?(?=\s|$)/, order: ["day", "month", "year"] },
  {
    form: new RegExp(`^(\\d{1,2})\\.? ${MONTH}(?: ((?:19|20)\\d{2}))?(?= |$)`),
    order: ["day", "month", "year"],
  },
  {
    form: new RegExp(`^${MONTH} (\\d{1,2})\\.?(?: ((?:19|20)\\d{2}))?(?= |$)`),
    order: ["month", "day", "year"],
  },
];

/** A date at the beginning of a text; undefined where there is none. */
function parseDate(text: string, today: CivilDate): FoundDay | undefined {
  for (const { form, order } of dateForms) {
    const found = form.exec(text);
    if (!found) continue;
    const parts = found.slice(1).filter((part) => part !== "." && part !== "/");
    const numbers = order.map((_, index) => {
      const part = parts[index];
      return part && months.includes(part) ? months.indexOf(part) + 1 : Number(part);
    });
    const named = Object.fromEntries(order.map((name, index) => [name, numbers[index]]));
    const { year, month = 0, day = 0 } = named;
    const rest = text.slice(found[0].length).trim();
    if (year !== undefined && !Number.isNaN(year))
      return { day: existing({ year: year < 100 ? 2000 + year : year, month, day }), rest };
    return { day: nearestYear(month, day, today), rest };
  }
  return undefined;
}

const existing = (date: CivilDate) => (isDate(date) ? date : undefined);

/** The date without a year that is nearest to today; 29 February may be some years away. */
function nearestYear(month: number, day: number, today: CivilDate): CivilDate | undefined {
  const distance = (date: CivilDate) => Math.abs(daysFrom(today, date));
  return [1, 0, -1, -2, -3, -4]
    .map((by) => ({ year: today.year + by, month, day }))
    .filter(isDate)
    .sort((one, other) => distance(one) - distance(other))[0];
}

/** `today`, `tomorrow`, `fri`, `last monday` at the beginning of a text. */
function parseDay(text: string, today: CivilDate): FoundDay | undefined {
  const word = /^(the day after tomorrow|day after tomorrow|today|tomorrow|yesterday|tonight)(?= |$)/.exec(
    text,
  )?.[1];
  if (word) {
    const by = { today: 0, tonight: 0, tomorrow: 1, yesterday: -1 }[word] ?? 2;
    const rest = text.slice(word.length).trim();
    return { day: addDays(today, by), rest: word === "tonight" && !rest ? "21" : rest };
  }
  const found = new RegExp(`^(last |next |this )?${WEEKDAY}(?= |$)`).exec(text);
  if (!found) return undefined;
  const ahead = (weekdays.indexOf(found[2] ?? "") - weekdayOf(today) + 7) % 7;
  const rest = text.slice(found[0].length).trim();
  if (found[1] === "last ") return { day: addDays(today, ahead - 7), rest };
  if (found[1] === "next ") return { day: addDays(today, ahead || 7), rest };
  return { day: addDays(today, ahead), rest, repeats: ahead === 0 };
}

/** `18:00`, `18`, `18h30`, `1800`, `6 pm`, `noon`; `none` for no text, undefined for what is no clock time. */
function parseClock(text: string): { hour: number; minute: number } | "none" | undefined {
  const plain = text.replace(/^at\b ?/, "").trim();
  if (plain === "") return "none";
  if (plain === "noon") return { hour: 12, minute: 0 };
  if (plain === "midnight") return { hour: 0, minute: 0 };
  const found = /^(\d{1,2})(?:(?:[:.]|h ?)(\d{2})(?::00)?| ?h| o'clock|(\d{2}))? ?(am|pm)?$/.exec(plain);
  if (!found) return undefined;
  const [, hours, after, attached, half] = found;
  const minute = Number(after ?? attached ?? 0);
  const given = Number(hours);
  if (minute > 59 || given > 24 || (given === 24 && minute > 0)) return undefined;
  if (half && (given < 1 || given > 12)) return undefined;
  return { hour: half ? (given % 12) + (half === "pm" ? 12 : 0) : given, minute };
}

/** A time span in a calendar. */
export interface CalendarEvent {
  /** Identifier that stays the same each time the calendar is read. */
  uid: string;
  /** Unix seconds. */
  from: number;
  /** Unix seconds, after `from`. */
  to: number;
  summary: string;
  description: string;
  url: string;
  /** When this event was computed, Unix seconds. */
  updatedAt: number;
  /** Minutes before the start at which calendar programs alert; absent means no alarm. */
  alarmMinutes?: number | undefined;
}

/**
 * RFC 5545, 3.4 does not allow a calendar without components, so a calendar without events contains the time
 * zone UTC.
 */
const NO_EVENTS = [
  "BEGIN:VTIMEZONE",
  "TZID:UTC",
  "BEGIN:STANDARD",
  "DTSTART:19700101T000000",
  "TZOFFSETFROM:+0000",
  "TZOFFSETTO:+0000",
  "END:STANDARD",
  "END:VTIMEZONE",
];

/** Maximum octets of a line without its line end (RFC 5545, 3.1). */
const MAX_OCTETS = 75;

/**
 * Writes a calendar in iCalendar format (RFC 5545), with times in UTC.
 *
 * @param name Name that calendar programs show.
 */
export function calendarText(name: string, events: readonly CalendarEvent[]): string {
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Open MetOcean//Calendar//EN",
    "CALSCALE:GREGORIAN",
    "METHOD:PUBLISH",
    `NAME:${escaped(name)}`,
    `X-WR-CALNAME:${escaped(name)}`,
    "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
    "X-PUBLISHED-TTL:PT1H",
    ...(events.length > 0 ? events.flatMap(eventLines) : NO_EVENTS),
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join("");
}

function eventLines(event: CalendarEvent): string[] {
  const { uid, from, to, summary, description, url, updatedAt, alarmMinutes } = event;
  return [
    "BEGIN:VEVENT",
    `UID:${escaped(uid)}`,
    `DTSTAMP:${utc(updatedAt)}`,
    `LAST-MODIFIED:${utc(updatedAt)}`,
    `DTSTART:${utc(from)}`,
    `DTEND:${utc(to)}`,
    `SUMMARY:${escaped(summary)}`,
    `DESCRIPTION:${escaped(description)}`,
    `URL:${url}`,
    // The event does not mark its owner as busy.
    "TRANSP:TRANSPARENT",
    ...(alarmMinutes === undefined
      ? []
      : [
          "BEGIN:VALARM",
          "ACTION:DISPLAY",
          `TRIGGER:-PT${alarmMinutes}M`,
          `DESCRIPTION:${escaped(summary)}`,
          "END:VALARM",
        ]),
    "END:VEVENT",
  ];
}

/** Formats a time as `20270112T060000Z`. */
function utc(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z`;
}

/** Escapes a value of type TEXT (RFC 5545, 3.3.11). */
function escaped(text: string): string {
  return (
    text
      .replaceAll(/[\\;,]/g, "\\$&")
      .replaceAll(/\r\n|\r|\n/g, "\\n")
      // biome-ignore lint/suspicious/noControlCharactersInRegex: not allowed in TEXT values
      .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, "")
  );
}

/**
 * Folds a line into parts of at most 75 octets of UTF-8; every part after the first begins with a space, and
 * no character is split.
 */
function folded(line: string): string {
  const parts: string[] = [];
  let part = "";
  let octets = 0;
  for (const character of line) {
    const size = octetsOf(character.codePointAt(0)!);
    if (octets + size > MAX_OCTETS) {
      parts.push(part);
      part = " ";
      octets = 1;
    }
    part += character;
    octets += size;
  }
  return [...parts, part].join("\r\n");
}

function octetsOf(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}
